"""What players are told beside their rounds: a notice stays until it is read."""

from uuid import UUID

from pontoon import queries
from pontoon.errors import NoticeNotFoundError


def read_notice(actor: str, *, player_id: UUID, notice_id: UUID) -> None:
    """Note that a player has read a notice of his; again is the same.

    Errors: NoticeNotFoundError.
    """
    if not queries.note_read(player_id, notice_id):
        raise NoticeNotFoundError
