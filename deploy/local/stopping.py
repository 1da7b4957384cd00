"""Ctrl-C, SIGTERM and SIGHUP: the first one stops what is going on, later ones have to wait."""

import signal
from typing import NoReturn

from deploy.local.terminal import say

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopAskedError(BaseException):
    """Raised in the main thread, wherever it is; like KeyboardInterrupt, nobody's `except`."""


def listen_to_signals() -> None:
    """From now on the first signal raises StopAskedError; under nohup, SIGHUP is left alone."""
    for each in STOP_SIGNALS:
        if each != signal.SIGHUP or signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, _ask)


def be_patient() -> None:
    """From now on signals are only answered: a second Ctrl-C must not cut the stopping short."""
    for each in STOP_SIGNALS:
        if callable(signal.getsignal(each)):
            signal.signal(each, lambda *_: say("still stopping, so that nothing is lost"))


def _ask(*_: object) -> NoReturn:
    be_patient()
    raise StopAskedError
