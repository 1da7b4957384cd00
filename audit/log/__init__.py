"""Reading the sealed log: its hashes and keys, what it serves, and what does not hold of it."""

from audit.log.faults import log_faults
from audit.log.kept import (
    checkpoint_at,
    hashes,
    last_checkpoint,
    public_keys,
    read_witness,
    root_at,
    timestamp_of,
    write_witness,
)
from audit.log.served import bundle_of, consistency_of, entries_of, inclusion_of, tile_of

__all__ = [
    "bundle_of",
    "checkpoint_at",
    "consistency_of",
    "entries_of",
    "hashes",
    "inclusion_of",
    "last_checkpoint",
    "log_faults",
    "public_keys",
    "read_witness",
    "root_at",
    "tile_of",
    "timestamp_of",
    "write_witness",
]
