"""The computer players that can be given a side."""

from __future__ import annotations

from random import SystemRandom

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.bots.random_bot import RandomBot


def bot_player(who: str) -> Bot:
    """The computer player of this name."""
    return AdmiralBot() if who == "admiral" else RandomBot(SystemRandom())
