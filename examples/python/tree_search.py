#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tree search in 60 lines: UCT over snapshots. An edge is 9 ticks of one command; a node's state is saved once and
restored at every visit. Plays a match against `chase` and writes its replay page.

    python3 examples/python/tree_search.py [map] [car] [nodes a decision]
"""

import math
import sys

import forkmunk
from forkmunk import madcars

COMMANDS, HOLD, DEPTH = (-1, 0, 1), 9, 8


class Node:
    def __init__(self, snapshot, over):
        self.snapshot, self.over, self.children, self.visits, self.value = snapshot, over, {}, 0, 0.0


class TreeSearch:
    """A bot that searches every HOLD ticks, and expects the enemy to drive towards it."""

    def __init__(self, nodes):
        self.nodes, self.evaluator = nodes, madcars.Evaluator()

    def advance(self, world, player, command):
        """Steps HOLD ticks; returns whether a player died."""
        for _ in range(HOLD):
            row = world.observe()
            enemy = 1 if (row[9] > row[0]) == (player == 1) else -1
            world.step(*((command, -enemy) if player == 0 else (-enemy, command)))
        return any(world.dead)

    def value(self, world, player):
        """The mean result, from 0 (lost) to 1 (won)."""
        if any(world.dead):
            return 0.5 + 0.5 * (world.dead[1 - player] - world.dead[player])
        return 1 / (1 + math.exp(-self.evaluator.evaluate(world, player) / 40))

    def search(self, world, player):
        root = Node(world.snapshot(), False)
        for _ in range(self.nodes):
            path = [root]
            while len(path) <= DEPTH and not path[-1].over:
                node = path[-1]
                new = [c for c in COMMANDS if c not in node.children]
                if new:  # expands the node
                    world.restore(node.snapshot)
                    over = self.advance(world, player, new[0])
                    node.children[new[0]] = Node(world.snapshot(), over)
                    path.append(node.children[new[0]])
                    break
                explore = math.log(node.visits)
                path.append(max(node.children.values(), key=lambda n: n.value / n.visits + 0.5 * math.sqrt(explore / n.visits)))
            world.restore(path[-1].snapshot)
            value = self.value(world, player)
            for node in path:
                node.visits, node.value = node.visits + 1, node.value + value
        return max(root.children, key=lambda c: root.children[c].visits)

    def __call__(self, world, player):
        if world.tick % HOLD == 0:
            self.command = self.search(world, player)
        return self.command


if __name__ == "__main__":
    map_, car, nodes = (sys.argv[1:] + ["PillMap", "Buggy", "100"][len(sys.argv) - 1:])[:3]
    game = madcars.play(TreeSearch(int(nodes)), "builtin:chase", [(map_, car)])
    print({0: "won", 1: "lost", None: "drawn"}[game.winner], game.matches)
    try:
        print("page:", madcars.view(game, "tree_search.html"))
    except forkmunk.Error as error:
        print("no page:", error)
