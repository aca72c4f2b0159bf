"""`python -m bastide.cli` is `bastide`."""

from bastide.cli import main

main()
