"""Bots against bots: paired decks, ratings, reports; on this machine or on a Ray cluster."""

from bastide.arena.arena import Arena
from bastide.arena.executors import Executor, InProcess, Processes, RayCluster, executor
from bastide.arena.journal import Journal, Setup
from bastide.arena.match import Fixture, Result, Table, play
from bastide.arena.ratings import Rating, Sequential, bradley_terry, wilson
from bastide.arena.standings import Duel, Standing, Standings, standings

__all__ = [
    "Arena",
    "Duel",
    "Executor",
    "Fixture",
    "InProcess",
    "Journal",
    "Processes",
    "Rating",
    "RayCluster",
    "Result",
    "Sequential",
    "Setup",
    "Standing",
    "Standings",
    "Table",
    "bradley_terry",
    "executor",
    "play",
    "standings",
    "wilson",
]
