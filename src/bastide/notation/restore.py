"""Sets up a position from its text. What is impossible is refused with the line and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from bastide.errors import EngineLimit, RecordError
from bastide.game.actions import action_of
from bastide.game.dealer import Rng
from bastide.game.engine import Engine
from bastide.game.secrets import redeal
from bastide.kernel.offsets import (
    AGENDA,
    CLOSED_LEN,
    EXTRA,
    F_LEN,
    F_MORE,
    F_PLAYER,
    F_QUESTION,
    F_SUBJECT,
    FRAMES,
    HIDDEN,
    PIECES,
    REMAINING,
    SCORE,
    SUPPLY,
    TOP,
)
from bastide.kernel.torus import pack
from bastide.notation.position import EXTRA_TURN, NONE, usual_bag, usual_supply
from bastide.notation.record import POSITION, PositionLine
from bastide.notation.values import QUESTIONS, Values, one_of
from bastide.notation.words import Words
from bastide.rules.layout import Secret
from bastide.rules.piles import HIDDEN_BEFORE, JOINED
from bastide.rules.position import DEPLOY, DRAW, DRAWN, ENDING, FIRST_FREE, LAID, OVER, PLACE, PLAYED, SCORING

FURTHEST = 1 << 17  # cells lie nearer to 0,0 than this
MOST_POINTS = 99_999
MOST_THINGS = 255  # of one kind that somebody holds


def restore(engine: Engine, names: Sequence[str], lines: Sequence[PositionLine], seed: int | None) -> None:
    """Makes the position of an engine the one that the lines say; with a seed, what they hide is dealt."""
    Restorer(engine, names, lines).restore(seed)


class Restorer:
    """One position being set up, entry by entry in the order in which they need each other."""

    def __init__(self, engine: Engine, names: Sequence[str], lines: Sequence[PositionLine]) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.names = tuple(names)
        self.values = Values(engine, names)
        self.lines = {name: [line for line in lines if line.name == name] for name in POSITION}
        self.last = lines[-1].line if lines else 1

    def restore(self, seed: int | None) -> None:
        """Everything; the position is as before the first action."""
        for name in ("tiles", "scores", "agenda"):
            if not self.lines[name]:
                raise RecordError(self.last, f"expected '{name}' in the position, found none")
        self.engine.clear()
        self.tiles()
        self.each("figures", self.figure)
        self.each("scores", self.scores)
        self.each("extra_turn", self.extra_turn)
        told: set[str] = set()
        for line in self.lines["field"]:
            name = line.text.partition(" ")[0]
            if name in told:
                raise RecordError(line.line, f"field {name} stands twice")
            told.add(name)
            self.field(line)
        self.agenda()
        self.supplies()
        self.bag()
        self.secrets(seed)
        self.check_playable()
        self.engine.trail_len = 0

    def each(self, name: str, read: Callable[[Words], None]) -> None:
        """Reads the parts between semicolons of all lines of an entry."""
        for line in self.lines[name]:
            for part in line.text.split(";"):
                words = Words(line.line, part, self.names)
                read(words)
                words.end()

    # --- the board
    def tiles(self) -> None:
        """Tiles in the order of the text, each beside one that lies; the usual start as it usually lies."""
        given: list[tuple[Words, int, tuple[int, int], int]] = []
        squares = {square.tile.id for big in self.rules.layout.big for square in big.squares}

        def tile(words: Words) -> None:
            tile_type = self.values.tile(words)
            cell = words.cell()
            if max(map(abs, cell)) >= FURTHEST:
                words.refuse(f"expected a cell nearer than {FURTHEST}, found {cell[0]},{cell[1]}")
            given.append((words, tile_type, cell, words.rotation()))

        self.each("tiles", tile)
        self.check_number(given[0][0], Counter(tile_type for _, tile_type, _, _ in given))
        start = list(self.rules.start)
        usual = [(start[i], start[i + 2], start[i + 3]) for i in range(0, len(start), 4)]
        places = [(tile_type, rotation, pack(cell)) for _, tile_type, cell, rotation in given]
        begins = all(place in places for place in usual)
        if begins:
            first = [places.index(place) for place in usual]
            given = [given[i] for i in first] + [tile for i, tile in enumerate(given) if i not in first]
        for number, (words, tile_type, cell, rotation) in enumerate(given):
            if number >= (len(usual) if begins else 0) and (name := self.rules.tiles[tile_type].id) in squares:
                words.refuse(f"expected all squares of the big tile where it lies at the start, found {name}")
            if number >= (len(usual) if begins else 1):
                self.check_fits(words, tile_type, cell, rotation)
            self.engine.lay(tile_type, self.values.torus.number(cell), rotation, pack(cell))
            if begins and number + 1 == len(usual):
                self.engine.join_start()

    def check_number(self, words: Words, laid: Counter[int]) -> None:
        """Refuses more tiles of a type than there are."""
        room = self.rules.shape.squares
        if laid.total() > room:
            words.refuse(f"expected at most {room} tiles, found {laid.total()}")
        for tile_type, number in laid.items():
            tile = self.rules.tiles[tile_type]
            if number > tile.count and not self.rules.scripted:
                words.refuse(f"expected at most {tile.count} tiles {tile.id}, found {number}")

    def check_fits(self, words: Words, tile_type: int, cell: tuple[int, int], rotation: int) -> None:
        """Refuses a tile that lies beside no other or does not fit."""
        if not self.engine.fits_at(tile_type, self.values.torus.number(cell), rotation, pack(cell)):
            name = self.rules.tiles[tile_type].id
            words.refuse(f"expected a tile that fits there, found {name} {cell[0]},{cell[1]} {90 * rotation}")

    def figure(self, words: Words) -> None:
        """`red follower 0,0 city N`."""
        seat = words.player()
        piece = one_of(words, "a piece", self.values.pieces)
        node = self.values.node(words)
        if self.rules.layout.pieces[piece].weight and not self.rules.pieces_on[self.engine.kind_of(node)] >> piece & 1:
            words.refuse(f"expected land on which a {self.values.pieces[piece]} stands, found other land")
        if self.engine.supply(seat, piece) == 0:
            words.refuse(f"expected at most {self.rules.layout.pieces[piece].count} of this piece, found more")
        try:
            self.engine.stand(seat, piece, node)
        except EngineLimit as error:
            words.refuse(str(error))

    # --- numbers
    def scores(self, words: Words) -> None:
        """One number for each player."""
        for seat in range(len(self.names)):
            self.engine.put(SCORE + seat, number_within(words, "points", 0, MOST_POINTS))

    def extra_turn(self, words: Words) -> None:
        """Whether the player will have an extra turn, or had it."""
        self.engine.put(EXTRA, one_of(words, "an extra turn", EXTRA_TURN))

    def supplies(self) -> None:
        """What follows from the board, then what is said to differ."""
        usual = usual_supply(self.engine)
        for (seat, piece), count in usual.items():
            if count < 0:
                raise RecordError(
                    self.last, f"{self.names[seat]} has more pieces {self.values.pieces[piece]} than exist"
                )
            self.engine.put(SUPPLY + seat * PIECES + piece, count)

        def supply(words: Words) -> None:
            seat = words.player()
            while words:
                piece = one_of(words, "a piece", self.values.pieces)
                most = usual[seat, piece]
                self.engine.put(SUPPLY + seat * PIECES + piece, number_within(words, "a supply", 0, most))

        self.each("supply", supply)

    def bag(self) -> None:
        """What follows from the board, then what is said to differ; how many can be drawn follows from both."""
        engine = self.engine
        usual = usual_bag(engine)
        counts = usual[:]

        def differs(words: Words) -> None:
            while words:
                tile_type = self.values.tile(words)
                most = max(0, usual[tile_type])
                counts[tile_type] = (
                    words.number("tiles") if self.rules.scripted else number_within(words, "tiles", 0, most)
                )

        self.each("bag", differs)
        for tile_type, count in enumerate(counts):
            if count < 0 and not self.rules.scripted:
                raise RecordError(
                    self.last, f"there are more tiles {self.rules.tiles[tile_type].id} than the rules have"
                )
            engine.put(engine.bag + tile_type, count)
        tables = engine.tables
        piles = range(len(self.values.piles))
        held = [sum(counts[tables.pile_first[pile] : tables.pile_end[pile]]) for pile in piles]

        def hides(words: Words) -> None:
            pile = one_of(words, "a pile", self.values.piles)
            engine.put(HIDDEN + pile, number_within(words, "hidden tiles", 0, max(0, held[pile])))

        self.each("hidden", hides)
        for pile in piles:
            engine.put(REMAINING + pile, held[pile] - engine.s[HIDDEN + pile])
        self.check_waiting()

    def check_waiting(self) -> None:
        """Refuses tiles that left the pile before others joined it, if they cannot have left it."""
        engine, tables = self.engine, self.engine.tables
        if not tables.waiting:
            return
        joined, before = engine.s[tables.waiting + JOINED], engine.s[tables.waiting + HIDDEN_BEFORE]
        land = engine.land_pile()
        unseen = range(tables.pile_first[land], tables.pile_end[land])
        first = sum(engine.s[engine.bag + tile_type] for tile_type in unseen if not tables.waits[tile_type])
        if joined > 1 or before > min(engine.s[HIDDEN + land] * joined, first):
            raise RecordError(self.last, f"expected at most as many tiles hidden before as are hidden, found {before}")

    def field(self, line: PositionLine) -> None:
        """`field goods red wine 2; blue cloth 1`."""
        fields = {field.name: field for field in self.rules.layout.fields if field.holds != "nothing"}
        name, _, rest = line.text.partition(" ")
        if name not in fields:
            known = ", ".join(fields) or "these rules have none"
            raise RecordError(line.line, f"expected a field ({known}), found {name!r}")
        field = fields[name]
        for part in rest.split(";"):
            words = Words(line.line, part, self.names)
            at = field.at + field.size * words.player() if field.per_player else field.at
            number = 0
            while words:
                if field.slots:
                    number = one_of(words, f"one of the {name}", field.slots)
                elif number == field.size:
                    words.refuse(f"expected at most {field.size} values of {name}, found more")
                self.engine.put(at + number, self.values.read(words, field.holds, field.values))
                number += 1

    # --- what others hold hidden
    def secrets(self, seed: int | None) -> None:
        """As many things as are said, dealt as they might be."""
        if not self.lines["secret"]:
            return
        if seed is None:
            reason = "what others hold is hidden in this position: expected a seed with which to deal it, found none"
            raise RecordError(self.lines["secret"][0].line, reason)
        if not self.lines["seen_by"]:
            raise RecordError(self.last, "expected 'seen_by' beside 'secret', found none")
        things = {self.secret(line)[1]: line for line in self.lines["things"]}
        for line in self.lines["secret"]:
            words, secret = self.secret(line)
            together = self.things_of_others(things[secret], secret) if secret in things else []
            for part in words.rest("players and numbers").split(";"):
                self.give_hidden(Words(line.line, part, self.names), secret, together)
        seat = -1
        for line in self.lines["seen_by"]:
            words = Words(line.line, line.text, self.names)
            seat = -1 if words.skip(NONE) else words.player()
            words.end()
        redeal(self.engine, seat, Rng(seed))

    def secret(self, line: PositionLine) -> tuple[Words, Secret]:
        """The secret of which a line speaks, and the rest of the line."""
        words = Words(line.line, line.text, self.names)
        names = {field.at: field.name for field in self.rules.layout.fields}
        secrets = {names[secret.at]: secret for secret in self.rules.layout.secrets}
        number = one_of(words, "a secret", list(secrets))
        return words, list(secrets.values())[number]

    def things_of_others(self, line: PositionLine, secret: Secret) -> list[int]:
        """The counted things that all others hold."""
        words, _ = self.secret(line)
        found: list[int] = []
        while words:
            thing = one_of(words, "a thing", secret.things)
            found += [thing] * number_within(words, "a number of things", 0, MOST_THINGS)
        return found

    def give_hidden(self, words: Words, secret: Secret, together: list[int]) -> None:
        """A player gets so many tiles from the bag, or things of those that lie together: any will do for now."""
        engine = self.engine
        first = secret.at + secret.size * words.player()
        count = number_within(words, "a number", 0, MOST_THINGS if secret.things else secret.size)
        words.end()
        land = engine.tables.main_piles - 1
        for i in range(count):
            if secret.things:
                if not together:
                    words.refuse("expected as many things as their owners have, found fewer")
                engine.add(first + together.pop(), 1)
            else:
                if engine.draws(land) == 0:
                    words.refuse("expected as many unseen tiles as are held, found fewer")
                tile_type = int(engine.actions[0])
                engine.take_from_bag(tile_type, land)
                engine.put(first + i, tile_type + 1)

    # --- who decides what
    def agenda(self) -> None:
        """The frames from the turn itself up to the question that is asked now."""
        [line] = self.lines["agenda"]
        parts = line.text.split(";")
        if len(parts) > FRAMES:
            raise RecordError(line.line, f"expected at most {FRAMES} frames, found {len(parts)}")
        kinds = [
            self.frame(AGENDA + number * F_LEN, Words(line.line, part, self.names)) for number, part in enumerate(parts)
        ]
        self.engine.put(TOP, AGENDA + (len(parts) - 1) * F_LEN)
        if kinds[-1] < FIRST_FREE and kinds[-1] not in QUESTIONS:
            raise RecordError(line.line, f"expected a question at the end, found {self.values.frames[kinds[-1]]!r}")
        if OVER in kinds and len(kinds) > 1:
            raise RecordError(line.line, "expected 'over' alone, found other frames beside it")
        for number, kind in enumerate(kinds):
            wrong = self.why_not_there(number, kind, kinds)
            if wrong:
                raise RecordError(line.line, f"{wrong}, found {self.values.frames[kind]!r}")

    def frame(self, at: int, words: Words) -> int:
        """`red place E`, `blue tend 0,1 field EL`, `red ending 2`."""
        engine = self.engine
        engine.put(at + F_PLAYER, words.player())
        question = one_of(words, "a question", self.values.frames)
        engine.put(at + F_QUESTION, question)
        engine.put(at + F_SUBJECT, self.values.read(words, self.values.subjects[question]))
        if question == SCORING and not 0 <= engine.s[at + F_SUBJECT] <= engine.s[CLOSED_LEN]:
            words.refuse(f"expected one of {engine.s[CLOSED_LEN]} closed regions")
        if self.values.counts(question):
            engine.put(at + F_MORE, number_within(words, "a number of modules", 0, len(self.modules_called(question))))
        words.end()
        return question

    def why_not_there(self, number: int, kind: int, kinds: Sequence[int]) -> str:
        """Why a question cannot stand at this place of the agenda; empty if it can."""
        on_top = number == len(kinds) - 1
        if kind >= FIRST_FREE:
            frame = self.rules.layout.frames[kind - FIRST_FREE]
            if number == 0 and frame.owner not in list(self.rules.begin_turn):
                return "expected the turn itself at the beginning of the agenda"
            if number and kind == kinds[0]:
                return "expected the turn itself once"
            if not on_top and number and kind != kinds[-1]:
                return "expected one thing after the other"
        elif not on_top and (kind in (PLACE, DEPLOY) or (kind == DRAW and number)):
            return "expected at the end what is asked now"
        elif not on_top and kind == DRAW and self.engine.draws(self.engine.subject_of(AGENDA)) == 0:
            return "expected a tile to draw after this question"
        return ""

    def modules_called(self, question: int) -> Sequence[object]:
        """The modules whose hook is called, one after another, in such a frame."""
        rules = self.rules
        lists = {DRAWN: rules.drawn, LAID: rules.placed, PLAYED: rules.piece_placed, ENDING: rules.tile_done}
        return list(lists[question])

    def check_playable(self) -> None:
        """Refuses what modules say is impossible, and a question without legal actions."""
        engine = self.engine
        for module in self.rules.modules:
            wrong = module.why_impossible(engine)
            if wrong:
                raise RecordError(self.last, wrong)
        if engine.question() == OVER:
            return
        try:
            texts = [str(action_of(engine, engine.actions[i])) for i in range(engine.legal())]
        except (LookupError, ValueError, ArithmeticError) as error:
            raise RecordError(self.lines["agenda"][0].line, f"the question cannot be asked here: {error!r}") from error
        if not texts:
            raise RecordError(self.lines["agenda"][0].line, "the question has no answer in this position")


def number_within(words: Words, expected: str, least: int, most: int) -> int:
    """A number of a range."""
    number = words.number(expected)
    if not least <= number <= most:
        words.refuse(f"{expected}: expected {least} to {most}, found {number}")
    return number
