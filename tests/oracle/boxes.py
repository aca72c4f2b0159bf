"""The boxes that may be added to the base game, in the order in which they act within a turn (BASE-31)."""

from .abbot import Abbot
from .anniversary import Anniversary
from .expansion import Expansion
from .hills import HillsAndSheep
from .inns import InnsAndCathedrals
from .river import River
from .traders import TradersAndBuilders
from .wheel import WheelOfFortune

EXPANSIONS: dict[str, type[Expansion]] = {
    "wheel_of_fortune": WheelOfFortune,  # its board lies before the spring (WHEEL-12)
    "river": River,
    "inns_and_cathedrals": InnsAndCathedrals,
    "traders_and_builders": TradersAndBuilders,
    "abbot": Abbot,
    "anniversary": Anniversary,  # step 2
    "hills_and_sheep": HillsAndSheep,  # step 3
}
