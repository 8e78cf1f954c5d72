# SPDX-License-Identifier: MIT

from typing import Any, NamedTuple, Optional

from ._forkmunk import Recording
from .geometry import document_fields


class Decision(NamedTuple):
    """The result of Planner.decide()."""

    command: int
    plan: list[int]
    reply: list[int]
    score: Optional[float]
    ticks: int


document_fields(
    Decision, command="The command for this tick: -1 left, 0 stop, 1 right.",
    plan="The list of commands from this tick on, as -1, 0, 1.",
    reply="The list of commands that the planner expects of the opponent. The list is empty with the\nopponent model constant3.",
    score="The score of the plan, or None if no plan was played to its end.",
    ticks="The number of ticks that were simulated for the decision.")


class Game(NamedTuple):
    """A finished game, which play() returned."""

    winner: Optional[int]
    lives: tuple[int, int]
    ticks: int
    verdict: str
    matches: list[dict[str, Any]]
    players: list[dict[str, Any]]
    recording: Recording

    def __repr__(self) -> str:
        won = "a draw" if self.winner is None else f"won by {self.winner}"
        return f"<madcars.Game: {self.ticks} ticks, {won}{self.verdict and ': ' + self.verdict}>"


document_fields(
    Game, winner="The number of the winner, 0 or 1, or None for a draw.",
    lives="The pair of lives (first, second) that are left at the end.",
    ticks="The number of ticks of all matches together.",
    verdict="The reason why the game was broken off, or an empty text if it was not.",
    matches="The list of matches, each a dict with map, car, ticks (the rest included), died (first,\nsecond) and cause.",
    players="The list of players, each a dict with answers, garbled, first_garbled (the line), without_plan,\n"
            "surplus_lines, disconnected and verdict. "
            "A surplus line is one that a bot wrote beyond its answers:\nlater ticks got answers to earlier ones.",
    recording="The Recording of the game.")
