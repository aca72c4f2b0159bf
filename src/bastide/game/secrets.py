"""What players hold hidden from each other: its names, and dealing it again. `Layout.secret_...` declares it."""

from __future__ import annotations

from bastide.game.dealer import Rng
from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.layout import Secret


def secrets_of(game: Engine, player: i64) -> list[str]:
    """The names of everything that a player holds hidden."""
    found: list[str] = []
    for secret in game.rules.layout.secrets:
        first = secret.at + player * secret.size
        for i in range(i64(secret.size)):
            held = game.s[first + i]
            if len(secret.things) > 0:
                found += [secret.things[i]] * held
            elif held:
                found.append(game.rules.tiles[held - 1].id)
    return found


def redeal(game: Engine, seat: i64, rng: Rng) -> None:
    """Deals everything that this seat does not know anew. The others hold as many things as before.

    Tiles go back into the bag and are drawn again. Counted things are exchanged among the others only, because
    everybody sees what is left in the box: with a single other player nothing is unknown.
    """
    for secret in game.rules.layout.secrets:
        if len(secret.things) > 0:
            redeal_things(game, secret, seat, rng)
        else:
            redraw_tiles(game, secret, seat, rng)


def redraw_tiles(game: Engine, secret: Secret, seat: i64, rng: Rng) -> None:
    """The others' tiles go back into the bag and are drawn again."""
    counts: list[i64] = []
    for player in range(game.players):
        first = secret.at + player * secret.size
        count: i64 = 0
        for i in range(i64(secret.size)):
            held = game.s[first + i]
            if held and player != seat:
                game.add(game.bag + held - 1, 1)
                count += 1
        counts.append(count)
    for player in range(game.players):
        drawn: list[i64] = []
        for _tile in range(counts[player]):
            tile_type = game.actions[rng.weighed(game.weights, game.draws(game.tables.main_piles - 1))]
            game.add(game.bag + tile_type, -1)
            drawn.append(tile_type + 1)
        drawn.sort(reverse=True)
        for i in range(counts[player]):
            game.put(secret.at + player * secret.size + i, drawn[i])


def redeal_things(game: Engine, secret: Secret, seat: i64, rng: Rng) -> None:
    """The others' things are put together and dealt to them again."""
    together: list[i64] = []
    counts: list[i64] = []
    for player in range(game.players):
        first = secret.at + player * secret.size
        count: i64 = 0
        for i in range(i64(secret.size)):
            held = game.s[first + i]
            if held and player != seat:
                together += [i] * held
                count += held
                game.put(first + i, 0)
        counts.append(count)
    for player in range(game.players):
        for _thing in range(counts[player]):
            at = rng.below(len(together))
            game.add(secret.at + player * secret.size + together[at], 1)
            together[at] = together[len(together) - 1]
            together.pop()
