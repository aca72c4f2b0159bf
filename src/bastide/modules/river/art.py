"""Drawings of the river."""

from bastide.art.common import RIVER
from bastide.art.kit import Kit

ART = Kit(lands={"river": RIVER})
