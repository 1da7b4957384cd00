"""Writing the log, and what every room needs to do its work: the clock, one commit, a wake-up."""

from audit.services.entries import NIL, commit, entry, fingerprint, id_of, new_id, now, record
from audit.services.hints import wake
from audit.services.work import LETTER, attempt, bury, retry_work

__all__ = [
    "LETTER",
    "NIL",
    "attempt",
    "bury",
    "commit",
    "entry",
    "fingerprint",
    "id_of",
    "new_id",
    "now",
    "record",
    "retry_work",
    "wake",
]
