"""The numbers of the evaluation, found by play against earlier ones (bench/tune.py)."""

from __future__ import annotations


class Weights:
    """Each says in a few words what it weighs; points where nothing else is said."""

    def __init__(self) -> None:
        self.others: float = 0.88  # a point of the others, against one's own: less hinders less and builds more
        self.horizon: float = 20.0  # turns after which what is still open has hardly been worth waiting for
        self.own: float = 0.194  # share of the own draws used for a region, if they fit
        self.other: float = 0.0278  # share of the others' draws
        self.own_around: float = 0.09  # the same for regions that are surrounded
        self.other_around: float = 0.03
        self.free_side: float = 0.85  # around those, for each side of a cell that is free: will what fits now fit then?
        self.free: float = 0.3  # share of all draws, for a region without followers
        self.busy: float = 0.11  # how much each further region of a player slows down the others
        self.crowd: float = 1.02  # how much each further open cell slows down the others
        self.extend: float = 0.0585  # a tile that fits but opens new edges, against one that closes
        self.growth: float = 0.418  # for each open cell filled of a region that stays open
        self.larger: float = 0.5  # further tiles of a completed region, for each cell where tiles open new edges
        self.field_growth: float = 0.0924  # for each open side of a field, at the beginning
        self.open_growth: float = 0.3  # the same for regions whose score does not depend on their neighbours
        self.field_doubt: float = 0.5  # share of a field's points that is uncertain at the beginning
        self.join: float = 0.448  # share of draws used to join regions, if they fit
        self.hand: float = 9.8  # the only follower in hand
        self.no_hand: float = 3.0  # ... and what it costs besides to have none
        self.hand_decay: float = 0.85  # each further one, as a share of the one before
        self.hand_turns: float = 2.0  # turns in which a follower in hand is used
        self.hand_length: float = 0.2  # how much dearer followers are in longer games: a power of the turns left ...
        self.hand_usual: float = 35.0  # ... as compared with so many
        self.choosy: float = 8.0  # a follower in hand that does not stand on all land
        self.settler: float = 3.0  # a follower in hand that never comes home again
        self.helper: float = 0.314  # a piece in hand that is no follower
        self.back: float = 1.12  # share of a follower in hand that one in a region is worth, if it comes home
        self.final_doubt: float = 0.835  # share of final scores that is uncertain at the beginning
