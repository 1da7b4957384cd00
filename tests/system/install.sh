#!/bin/sh
# What `make test-system` needs beyond `make test`: installed by apt where that is allowed,
# else said in one sentence.
set -eu

if [ "$(id -u)" != 0 ]; then
    echo "make test-system mounts small disks and changes users: run it as root." >&2
    exit 1
fi

is_complete() {
    for program in chromium curl git make mount setpriv umount; do
        command -v "$program" >/dev/null || return 1
    done
    [ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || return 1
    # A font, without which Chromium writes boxes.
    [ -n "$(find /usr/share/fonts -name '*.ttf' 2>/dev/null | head -n 1)" ] || return 1
    # A Python that every user can reach, for the run as a normal user.
    /usr/bin/python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'
}

if ! is_complete 2>/dev/null; then
    apt-get update -qq && apt-get install -qq --no-install-recommends -y \
        chromium curl fonts-dejavu-core git make mount python3 python3-venv rabbitmq-server util-linux >/dev/null || true
fi
if ! is_complete; then
    echo "make test-system needs chromium, a TrueType font, curl, git, make, mount, rabbitmq-server, setpriv and a /usr/bin/python3 from 3.11 on" \
        "with its venv module (Debian: chromium fonts-dejavu-core curl git make mount python3-venv rabbitmq-server util-linux)." >&2
    exit 1
fi
