"""The product's Celery app with one failpoint: a worker on it is killed there, once a file.

`KILLED` names a file that is made when it happens; while it is there, nothing does. `KILL` says
where: after a task was fetched, before its unit commits, or after that.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from casino.celery import app as app

KILLED = Path(os.environ["KILLED"])
KILL = os.environ["KILL"]


def die() -> None:
    """Kill this process, if it is the first to come here."""
    try:
        KILLED.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def killing(step: Callable[..., Any], when: str) -> Callable[..., Any]:
    """Return a step that dies before or after it is done."""

    def killed(*args: Any, **options: Any) -> Any:
        if when == "before":
            die()
        done = step(*args, **options)
        if when == "after":
            die()
        return done

    return killed


@app.on_after_finalize.connect
def _place(sender: Any, **_: Any) -> None:
    from audit import services as audit
    from pontoon.services import commit

    if KILL == "fetched":
        task = sender.tasks["pontoon.tasks.close_abandoned_rounds"]
        task.run = killing(task.run, "before")
    elif KILL in {"before", "after"}:
        commit.audit.commit = killing(audit.commit, KILL)
