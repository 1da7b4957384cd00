"""The last step before a server: give up root, and ask to be told when the supervisor dies.

Run as a program of its own between the supervisor and the server, because neither may be done
in a forked copy of a process that has threads:

    python -I -S child.py PARENT_PID SIGNAL UID:GID|- PROGRAM ARGUMENT…

It imports nothing of ours, so that it starts in a hundredth of a second.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
PR_SET_SECUREBITS = 28
SECBIT_NO_SETUID_FIXUP = 1 << 2
CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2
CAP_SETPCAP = 8
CAPABILITY_VERSION_3 = 0x20080522


def main(arguments: Sequence[str]) -> None:
    """Become the program of the arguments; returns only by an exception."""
    parent_pid, signal_number, user, *command = arguments
    if user != "-":
        uid, gid = map(int, user.split(":"))
        _give_up_root(uid, gid, command[0])
    if sys.platform == "linux":
        _end_with_parent(int(parent_pid), int(signal_number))
    os.execv(command[0], command)  # noqa: S606 (a server's path, from our own supervisor)


def _give_up_root(uid: int, gid: int, program: str) -> None:
    """Become another user who can still reach the program and the working folder.

    Either may stand in a folder that is closed to him, as /root is. No folder is opened to
    everybody for that: he keeps one capability instead, and only then.
    """
    working_folder = os.getcwd()  # noqa: PTH109 (pathlib costs ten milliseconds)
    if sys.platform == "linux":
        _prctl(PR_SET_KEEPCAPS, 1)
    os.setgroups([gid])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    is_open = os.access(program, os.X_OK) and os.access(working_folder, os.W_OK | os.X_OK)
    if sys.platform == "linux" and not is_open:
        # To look and to read everywhere is enough; a container often has only the larger right.
        any(map(_keep, (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE)))


def _keep(capability: int) -> bool:
    """Carry one capability over every later exec; False where it is not ours to carry.

    PostgreSQL asks access(2) about its programs, which ignores the capabilities of a user who
    is not root, except under the secure bit that is set here.
    """
    kept, helper = 1 << capability, 1 << CAP_SETPCAP
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    # Effective, permitted, inheritable: the first 32 capabilities, then the rest. What is not
    # ambient ends with the exec.
    words = struct.pack("=6I", kept | helper, kept | helper, kept, 0, 0, 0)
    return (
        _libc().capset(header, words) == 0
        and _prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP) == 0
        and _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability) == 0
    )


def _end_with_parent(parent_pid: int, signal_number: int) -> None:
    """Receive the signal when the parent dies; the kernel forgets this wish on a change of user."""
    _prctl(PR_SET_PDEATHSIG, signal_number)
    if os.getppid() != parent_pid:
        sys.exit("The supervisor is gone.")


def _prctl(option: int, *arguments: int) -> int:
    """Call prctl(2), which wants five words; 0 is success, and a refusal no reason to stop."""
    words = (*arguments, 0, 0, 0, 0)[:4]
    return int(_libc().prctl(option, *map(ctypes.c_ulong, words)))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


if __name__ == "__main__":
    main(sys.argv[1:])
