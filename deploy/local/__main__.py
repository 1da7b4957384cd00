"""`python -m deploy.local`: run the whole service on this machine until Ctrl-C."""

import os
import sys

from deploy.local.errors import StartError
from deploy.local.stopping import StopAskedError, listen_to_signals
from deploy.local.terminal import say


def main() -> int:
    """Run; returns 0 when it was asked to stop, 1 with one sentence when something is wrong."""
    listen_to_signals()
    try:
        # Loading takes a fifth of a second, in which Ctrl-C is heard already.
        from deploy.local.options import read_options
        from deploy.local.supervisor import run

        run(read_options(os.environ), os.environ)
    except StopAskedError:
        say("stopped; the data stays")
    except StartError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"The machine refuses: {error}")
    return 0


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
