"""What happened in a game and what it was worth: losses, turning points, fields, plots."""

from bastide.analysis.fields import Field, fields
from bastide.analysis.review import Move, Review, Turn, review
from bastide.analysis.show import as_json, as_svg, as_text, totals

__all__ = ["Field", "Move", "Review", "Turn", "as_json", "as_svg", "as_text", "fields", "review", "totals"]
