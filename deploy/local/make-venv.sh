#!/bin/sh
# Make a virtual environment with the first Python from 3.11 on, or with $PYTHON; says in one
# sentence what is missing.
set -eu

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

for python in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
    if is_new_enough "$python"; then
        if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            echo "$python has no venv module: install it (Debian, Ubuntu: python3-venv)." >&2
            exit 1
        fi
        exec "$python" -m venv "$1"
    fi
done
echo "Pontoon needs Python 3.11 or newer: none was found on PATH (or give PYTHON=/path)." >&2
exit 1
