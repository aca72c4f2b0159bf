"""One folder for each box: its rules, tiles, texts and scenarios. Nothing imports a module by name."""
