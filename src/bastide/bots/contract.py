"""What every bot must keep to, as a check that anybody can run on a bot of their own: `check_bot(MyBot)`."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from bastide.bots.bot import Bot, GreedyBot
from bastide.errors import BotError
from bastide.game import Action, Game, Rng, View
from bastide.rules import Rules
from bastide.rules.registry import specs
from bastide.rules.spec import BASE, Value

POSITIONS = 3  # in each game with hidden things
STEPS = 40  # decisions in each game
TWINS = 4  # games that differ only in what is hidden


def check_bot(
    make: Callable[[int], Bot], rules: Sequence[Rules] = (), steps: int = STEPS, repeats: bool = True
) -> None:
    """Raises BotError and says what is wrong if bots made by `make(seed)` do not keep to the contract.

    They must answer with a legal action in every game, leave the game alone, choose the same with the same seed, and
    know nothing that is hidden. A bot that time decides for cannot promise the last two: check it with a budget that
    counts, or leave them out with `repeats=False`.
    """
    for choice in rules or usual_rules():
        check_game(make, choice, steps, repeats)
    if repeats:
        check_blindness(make)


def usual_rules() -> list[Rules]:
    """Every module alone with two players, the base game with more of them, and hidden hands."""
    alone = [Rules.of(modules=() if name == BASE else (name,)) for name in specs()]
    return [*alone, Rules.of(players=5), Rules.of(players=3, hand=3)]


def described(rules: Rules) -> str:
    """Rules in a few words."""
    return f"{', '.join(rules.module_names)} with {rules.players} players"


def check_game(make: Callable[[int], Bot], rules: Rules, steps: int, repeats: bool) -> None:
    """The beginning of a game of the bot against itself; a second one beside it must answer the same."""
    game = Game(rules, seed=20_141)
    where = f"in a game of {described(rules)}"
    bots = [make(seat) for seat in range(rules.players)]
    twins = [make(seat) for seat in range(rules.players)] if repeats else []
    try:
        for _ in range(steps):
            if game.over:
                return
            seat = game.seat
            action = asked(bots[seat], game, seat, where)
            if repeats and asked(twins[seat], game, seat, where) != action:
                raise BotError(f"{where}: with the same seed it first chose {action}, then something else")
            game.play(action)
    finally:
        for one in [*bots, *twins]:
            one.close()


def asked(bot: Bot, game: Game, seat: int, where: str) -> Action:
    """The bot's answer, if it is one and the game is as before."""
    before = fingerprint(game)
    answer: object = bot.choose(View(game, seat))
    if fingerprint(game) != before:
        raise BotError(f"{where}: it changed the game when it was asked")
    if not isinstance(answer, Action):
        raise BotError(f"{where}: expected an Action, got {answer!r}")
    if answer not in game.legal:
        raise BotError(f"{where}: expected one of {len(game.legal)} legal actions, got {answer}")
    return answer


def fingerprint(game: Game) -> tuple[object, ...]:
    """Equal as long as nothing in a game has changed."""
    return game.engine.key(), len(game.history), game._rng.x


def check_blindness(make: Callable[[int], Bot]) -> None:
    """In games that differ only in what others hold and what will be drawn, it must choose the same.

    Every choice of rules in which something is hidden is tried.
    """
    for game, seat in [position for rules in hiding_rules() for position in hidden_positions(rules)]:
        answers = set()
        for twin in [game, *hidden_twins(game, seat)]:
            bot = make(1)
            answers.add(bot.choose(View(twin, seat)))
            bot.close()
        if len(answers) > 1:
            wanted = " or ".join(str(action) for action in answers)
            raise BotError(f"its choice depends on what it must not know: {wanted}")


@cache
def hiding_rules() -> list[Rules]:
    """Every module alone, with every value of its options, where players hold something hidden; three play."""
    found = []
    for spec in specs().values():
        modules = () if spec.name == BASE else (spec.name,)
        settings: list[dict[str, Value]] = [{option.name: value} for option in spec.options for value in option.values]
        for setting in settings or [{}]:
            rules = Rules.of(modules=modules, players=3, **setting)  # type: ignore[arg-type] # an option may have any name
            if rules.layout.secrets:
                found.append(rules)
    if not found:
        raise BotError("nothing is hidden in any game: nothing to test a bot's blindness with")
    return found


def hidden_positions(rules: Rules) -> list[tuple[Game, int]]:
    """Some positions in which others hold something hidden, each with the seat that decides."""
    found: list[tuple[Game, int]] = []
    game = Game(rules, seed=8_153)
    player = GreedyBot(77)  # random play would hardly ever win something to hide
    while not game.over and len(found) < POSITIONS:
        seat = game.seat
        others = [set(game.secrets(other)) for other in range(rules.players) if other != seat]
        different = all(others) and others[0] != others[1]
        if different and len(game.legal) > 1 and len(game.history) % 7 == 0:
            found.append((game.copy(), seat))
        game.play(player.choose(game.view(seat)))
    return found


def hidden_twins(game: Game, seat: int) -> list[Game]:
    """The same game as the seat sees it, with other hands, and other draws to come."""
    twins = []
    for number in range(TWINS):
        twin = game.copy()
        twin.engine = View(game, seat).imagine(Rng(1_000_003 * (number + 1))).engine
        twin._rng.x ^= 1 + number
        twins.append(twin)
    return twins
