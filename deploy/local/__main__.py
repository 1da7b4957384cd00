"""`python -m deploy.local`: run the whole service on this machine until Ctrl-C."""

import os
import sys

from deploy.local.errors import StartError
from deploy.local.options import read_options
from deploy.local.supervisor import run


def main() -> int:
    """Run; returns 0 when it was asked to stop, 1 with one sentence when something is wrong."""
    try:
        run(read_options(os.environ), os.environ)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"The machine refuses: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
