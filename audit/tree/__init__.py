"""The Merkle tree of the log, its proofs and its signed checkpoints. Pure: bytes in, bytes out.

Everything here is somebody's standard, so that nobody needs our code to check our log: RFC 8785
(an entry's bytes), RFC 6962 and 9162 (tree and proofs), C2SP signed-note, tlog-checkpoint,
tlog-cosignature, tlog-tiles and tlog-proof. docs/log.md tells how they are used.
"""

from audit.tree.checkpoints import (
    Checkpoint,
    CheckpointError,
    SignedCheckpoint,
    format_checkpoint,
    format_proof,
    open_checkpoint,
    parse_checkpoint,
    sign_checkpoint,
)
from audit.tree.leaves import canonical, leaf_hash, recordable
from audit.tree.links import Link, format_link, note_hash, parse_link, sign_link
from audit.tree.merkle import (
    EMPTY_ROOT,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    node_hash,
    root_of,
)
from audit.tree.notes import (
    Note,
    NoteError,
    PublicKey,
    SigningKey,
    format_note,
    parse_note,
    signers,
)
from audit.tree.tiles import (
    TILE_WIDTH,
    Edge,
    FullTile,
    Tile,
    edge_of,
    format_bundle,
    grow,
    parse_bundle,
    parse_tile,
    subtree_of,
)

__all__ = [
    "EMPTY_ROOT",
    "TILE_WIDTH",
    "Checkpoint",
    "CheckpointError",
    "Edge",
    "FullTile",
    "Link",
    "Note",
    "NoteError",
    "PublicKey",
    "SignedCheckpoint",
    "SigningKey",
    "Tile",
    "canonical",
    "consistency_proof",
    "edge_of",
    "format_bundle",
    "format_checkpoint",
    "format_link",
    "format_note",
    "format_proof",
    "grow",
    "inclusion_proof",
    "is_consistent",
    "is_included",
    "leaf_hash",
    "node_hash",
    "note_hash",
    "open_checkpoint",
    "parse_bundle",
    "parse_checkpoint",
    "parse_link",
    "parse_note",
    "parse_tile",
    "recordable",
    "root_of",
    "sign_checkpoint",
    "sign_link",
    "signers",
    "subtree_of",
]
