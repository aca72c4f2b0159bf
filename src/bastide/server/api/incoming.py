"""What clients send: bodies of HTTP requests and messages on the socket. Anything else is refused with `shape`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

BODY = 64 * 1024  # bytes of a message, and of a body without a record
RECORD = 256 * 1024
NAME = 40
CHAT = 300
TITLE = 80
SEATS = 8
WEEK = 7 * 24 * 3600

NESTED = "expected JSON in a few levels, got more than can be read"
END = r"$(?!\n)"  # `$` alone would let a line break through
# What no screen shows as it is: control characters, breaks of lines, signs that turn the direction of writing around.
UNSEEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff"
ONE_LINE = rf"^[^\t\n\r{UNSEEN}]*{END}"
LINES = rf"^[^{UNSEEN}]*{END}"
Word = Annotated[str, Meta(max_length=64, pattern=ONE_LINE)]
Name = Annotated[str, Meta(max_length=NAME, pattern=ONE_LINE)]
Title = Annotated[str, Meta(max_length=TITLE, pattern=ONE_LINE)]
Secret = Annotated[str, Meta(max_length=64)]
Quarter = Annotated[int, Meta(ge=0, le=3)]
Coordinate = Annotated[int, Meta(ge=-1000, le=1000)]
Seconds = Annotated[int, Meta(ge=0, le=WEEK)]
OptionValue = Annotated[str, Meta(max_length=2000, pattern=ONE_LINE)]  # tile_counts may name every tile
Options = Annotated[dict[Word, OptionValue | int], Meta(max_length=64)]
Modules = Annotated[list[Word], Meta(max_length=32)]
Draws = Annotated[list[Word], Meta(max_length=300)]
RecordText = Annotated[str, Meta(max_length=RECORD, pattern=LINES)]
HashText = Annotated[str, Meta(pattern=f"^[0-9a-f]{{64}}{END}")]
NoneOrHash = Annotated[str, Meta(pattern=f"^([0-9a-f]{{64}})?{END}")]
MessageId = int | Annotated[str, Meta(max_length=64)] | None
SeatKind = Literal["human", "bot", "open"]
SeatNumber = Annotated[int, Meta(ge=0, lt=SEATS)]

# What a clock of each kind must say.
NEEDED = {
    "none": (),
    "sudden": ("seconds",),
    "increment": ("seconds", "increment"),
    "turn": ("seconds",),
    "days": ("days",),
}


class Clock(Struct, frozen=True, omit_defaults=True):
    """How long everybody may think; see docs/protocol.md."""

    kind: Literal["none", "sudden", "increment", "turn", "days"]
    seconds: Seconds = 0
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0
    days: Annotated[int, Meta(ge=0, le=60)] = 0

    def __post_init__(self) -> None:
        for name in ("seconds", "increment", "days"):
            value, needed = getattr(self, name), name in NEEDED[self.kind]
            if (value > 0) != needed:
                expected = "more than 0" if needed else "nothing"
                raise ValueError(f"{name} of a clock of the kind {self.kind}: expected {expected}, got {value}")


NO_CLOCK = Clock("none")


class StartTile(Struct, frozen=True):
    """A tile that lies before the first turn."""

    tile: Word
    cell: tuple[Coordinate, Coordinate]
    turn: Quarter = 0


class WantedSeat(Struct, frozen=True):
    """A seat of a new table: for its maker, for a bot, or for whoever has the invite."""

    kind: SeatKind
    name: Name = ""
    colour: Word = ""
    bot: Word = ""


class WantedRules(Struct, frozen=True):
    """A choice of rules that is to be looked at before a table is made."""

    preset: Word = ""
    edition: Word = ""
    modules: Modules = []
    options: Options = {}
    players: Annotated[int, Meta(ge=1, le=SEATS)] = 2


class NewTable(Struct, frozen=True):
    """A table to be made."""

    seats: Annotated[list[WantedSeat], Meta(min_length=1, max_length=SEATS)]
    title: Title = ""
    preset: Word = ""
    edition: Word = ""
    modules: Modules = []
    options: Options = {}
    clock: Clock = NO_CLOCK
    aids: bool = True
    shuffle: bool = False
    public: bool = False
    start: Annotated[list[StartTile], Meta(max_length=100)] = []
    draws: Draws = []
    record: RecordText = ""
    position: Word = ""


class NewPosition(Struct, frozen=True):
    """A position or puzzle to be kept."""

    record: RecordText
    title: Title = ""
    goal: Title = ""
    draws: Draws = []


class Join(Struct, frozen=True):
    """Somebody with the invite takes a seat."""

    invite: Secret
    name: Name = ""
    colour: Word = ""
    seat: SeatNumber | None = None


class Subscription(Struct, frozen=True):
    """A browser wants to be called: where, and with which keys messages to it are encrypted (RFC 8291)."""

    endpoint: Annotated[str, Meta(max_length=1000, pattern=f"^https://[\\x21-\\x7e]+{END}")]
    p256dh: Annotated[str, Meta(pattern=f"^[A-Za-z0-9_-]{{87}}{END}")]
    auth: Annotated[str, Meta(pattern=f"^[A-Za-z0-9_-]{{22}}{END}")]


class Fill(Struct, frozen=True):
    """Somebody at a table has its free seats played by the computer."""

    bot: Word


class Enter(Struct, frozen=True):
    """Somebody with a seat's link comes back to it."""

    token: Secret


# --- on the socket


class Message(Struct, tag_field="type", tag=str.lower, kw_only=True, frozen=True):
    """One message; `id` comes back as `re` in its answer."""

    id: MessageId = None


class Hello(Message, frozen=True):
    """The first message."""

    version: int
    token: Secret = ""


class Ready(Message, frozen=True):
    """A seat's part in the draws, sent once it has seen the commitment: the end of a chain, or just entropy."""

    entropy: Annotated[str, Meta(pattern=f"^([0-9a-fA-F]{{16,64}})?{END}")] = ""
    chain: NoneOrHash = ""
    seat: SeatNumber | None = None

    def __post_init__(self) -> None:
        if bool(self.entropy) == bool(self.chain):
            raise ValueError("expected either entropy or chain")


class Link(Message, frozen=True):
    """The next link of a seat's chain, when the state says that it is wanted."""

    link: HashText
    seat: SeatNumber | None = None


class Chain(Message, frozen=True):
    """The end of another chain, from a seat whose link is wanted and whose chain is lost."""

    chain: HashText
    seat: SeatNumber | None = None


class Play(Message, frozen=True):
    """An action of the seat that decides."""

    seq: int
    action: Annotated[str, Meta(max_length=200)]
    link: NoneOrHash = ""  # used if a tile is drawn next


class Undo(Message, frozen=True):
    """The last own action is taken back, or all since the last draw."""

    seq: int
    whole: bool = False


class TakeBack(Message, frozen=True):
    """Asks the others to let one play the last own turn anew."""

    seq: int


class Answer(Message, frozen=True):
    """To the offer that is pending."""

    seq: int
    agree: bool


class Resign(Message, frozen=True):
    """A seat gives up."""

    seat: SeatNumber | None = None


class Rematch(Message, frozen=True):
    """The same people play again."""


class Chat(Message, frozen=True):
    """Something said."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT, pattern=ONE_LINE)]


class Emote(Message, frozen=True):
    """Something said in one of a few ways that every language knows."""

    name: Word


class AskState(Message, tag="state", frozen=True):
    """What does the whole table look like? For who has missed something."""


class AskAids(Message, tag="aids", frozen=True):
    """What could an attentive player work out?"""


class AskRegion(Message, tag="region", frozen=True):
    """What belongs to the region at a spot?"""

    cell: tuple[Coordinate, Coordinate]
    spot: Word


class AskRegions(Message, tag="regions", frozen=True):
    """What belongs to each region, of one kind or of all?"""

    kind: Word = ""


class Why(Message, frozen=True):
    """Why is an action illegal?"""

    action: Annotated[str, Meta(max_length=200)]


class Ping(Message, frozen=True):
    """Are you there?"""


class Beat(Message, frozen=True):
    """The answer to the server's `beat`."""

    n: int


Question = (  # what is answered
    Hello
    | Ready
    | Link
    | Chain
    | Play
    | Undo
    | TakeBack
    | Answer
    | Resign
    | Rematch
    | Chat
    | Emote
    | AskState
    | AskAids
    | AskRegion
    | AskRegions
    | Why
    | Ping
)
Incoming = Question | Beat
