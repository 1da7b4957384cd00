"""What players are told beside their rounds: that one was voided, held or let go, and why."""

from typing import Any
from uuid import UUID

from django.db import connection

from casino.days import format_time

NOTICES_MAX = 20

_UNREAD_SQL = """
SELECT n.id, n.kind, n.round_id, n.malfunction_id, n.reason, n.at
  FROM pontoon_notice n
 WHERE n.player_id = %s
   AND NOT EXISTS (SELECT FROM pontoon_noticeread r
                    WHERE r.player_id = n.player_id AND r.notice_id = n.id)
 ORDER BY n.id DESC LIMIT %s
"""


def unread_notices(player_id: UUID) -> list[dict[str, Any]]:
    """Return the notices that a player has not read, newest first, as JSON."""
    with connection.cursor() as cursor:
        cursor.execute(_UNREAD_SQL, [player_id, NOTICES_MAX])
        return [
            {
                "notice_id": str(id_),
                "kind": kind,
                "round_id": str(round_id),
                "malfunction_id": malfunction_id and str(malfunction_id),
                "reason": reason,
                "at": format_time(at),
            }
            for id_, kind, round_id, malfunction_id, reason, at in cursor.fetchall()
        ]


def note_read(player_id: UUID, notice_id: UUID) -> bool:
    """Note that a notice was read; return whether the player has such a one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pontoon_read_notice(%s, %s)", [player_id, notice_id])
        return bool(cursor.fetchone()[0])
