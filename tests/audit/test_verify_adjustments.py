"""The offline verifier on adjustments: what was moved by hand is what two persons decided on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from audit import tree
from audit.verify.adjustments import Adjustments
from tests.audit.exporting import copy, rows
from tests.audit.test_verify_signed import sign

Row = dict[str, Any]
WAYS = {
    "credit": ("house", "cash"),
    "debit": ("cash", "house"),
    "settle": ("cash", "receivable"),
    "write_off": ("house", "receivable"),
}


def turned(row: Row) -> Row:
    sides = {"debit": row["credit"], "credit": row["debit"]}
    ids = ("debit_account_id", "credit_account_id")
    return row | sides | dict(zip(ids, (row[ids[1]], row[ids[0]]), strict=True))


CHANGES: dict[str, Callable[[Row], Row]] = {
    "amount": lambda row: row | {"amount_minor": row["amount_minor"] + 1},
    "balance": lambda row: row | {"balance_after_minor": row["balance_after_minor"] + 1},
    "direction": turned,
    "code": lambda row: row | {"code": "refund"},
    "player": lambda row: row | {"player_id": "00000000-0000-7000-8000-000000000000"},
    "currency": lambda row: row | {"currency": "SEK"},
    "actor": lambda row: row | {"actor": "staff:7"},
    "time": lambda row: row | {"at": row["at"].replace("20", "21", 1)},
    "reference": lambda row: row | {"reference": None},
    "request key": lambda row: row | {"request_key": "k"},
    "round": lambda row: row | {"round_id": row["reference"]},
}


def forge(
    folder: Path, target: Path, kind: str, change: Callable[[Row], list[Row]]
) -> tuple[Row, list[str]]:
    """Change the transfer of an adjustment and sign it all anew; return it, and what is found."""
    forged = copy(folder, target)
    lines = rows(forged, "transfers")
    (place,) = (
        place
        for place, row in enumerate(lines)
        if (row["code"], row["debit"], row["credit"]) == ("adjustment", *WAYS[kind])
    )
    row = lines[place]
    lines[place : place + 1] = change(row)
    (forged / "transfers.jsonl").write_bytes(
        b"".join(tree.canonical(line) + b"\n" for line in lines)
    )
    return row, sign(forged)


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("kind", WAYS)
def test_wal_09_an_adjustment_that_is_not_as_it_was_approved_is_named_whoever_signed_it(
    folder: Path, tmp_path: Path, kind: str, what: str
) -> None:
    row, found = forge(folder, tmp_path / "forged", kind, lambda row: [CHANGES[what](row)])
    named = f"transfer {row['transfer_id']}: it is not as entry "
    assert any(one.startswith(named) for one in found), found


@pytest.mark.parametrize("kind", WAYS)
def test_wal_09_an_adjustment_that_is_dropped_or_added_is_named(
    folder: Path, tmp_path: Path, kind: str
) -> None:
    row, found = forge(folder, tmp_path / "dropped", kind, lambda _: [])
    assert any(f"{row['transfer_id']}: is missing; entry" in one for one in found), found
    other = "00000000-0000-5000-8000-000000000000"
    _, found = forge(
        folder,
        tmp_path / "added",
        kind,
        lambda row: [row, row | {"transfer_id": other, "version": row["version"] + 1}],
    )
    assert f"transfer {other}: no entry tells of it" in found
    row, found = forge(folder, tmp_path / "twice", kind, lambda row: [row, row])
    assert f"transfer {row['transfer_id']}: no entry tells of it" in found


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("payout", "refund"),
        ("payout", "adjustment"),
        ("refund", "payout"),
        ("reversal", "adjustment"),
    ],
)
def test_a_round_s_transfer_under_another_code_is_named(
    folder: Path, tmp_path: Path, code: str, other: str
) -> None:
    forged = copy(folder, tmp_path / "forged")
    lines = rows(forged, "transfers")
    row = next(line for line in lines if line["code"] == code)
    row["code"] = other
    (forged / "transfers.jsonl").write_bytes(
        b"".join(tree.canonical(line) + b"\n" for line in lines)
    )
    named = f"transfer {row['transfer_id']}: is not named as the {other} of its round"
    assert named in sign(forged)


# --- Entries among themselves -------------------------------------------------------------------

ID = "0192aaaa-0000-7000-8000-000000000001"
MADE = [str(uuid5(UUID(ID), "adjustment"))]


def raised(**facts: Any) -> Row:
    after = {"kind": "credit", "amount_minor": 300, "currency": "USD", "round_id": None} | facts
    return entry("adjustment.raised", "staff:7", {"after": after})


def decided(event: str = "approved", actor: str = "staff:8", **more: Any) -> Row:
    payload = {
        "kind": "credit", "amount_minor": 300, "currency": "USD", "round_id": None,
        "raised_by": "staff:7", "authorised_by": actor,
        "transfers": MADE if event == "approved" else [],
    }  # fmt: skip
    return entry(f"adjustment.{event}", actor, payload | more)


def entry(event: str, actor: str, payload: Row) -> Row:
    told = {"event": event, "actor": actor, "player_id": "p", "payload": payload}
    return told | {"subject": f"adjustment:{ID}"}


ANOTHER = "decides on another adjustment than was asked for"
NOBODY = "decides on what nobody asked for, or on what was decided"
ONE = "is not another person's decision than of who asked"
STORIES: dict[str, tuple[list[Row], list[str]]] = {
    "approved": ([raised(), decided()], []),
    "declined": ([raised(), decided("declined")], []),
    "another amount": ([raised(amount_minor=299), decided()], [ANOTHER]),
    "another kind": ([raised(kind="debit"), decided()], [ANOTHER]),
    "another currency": ([raised(currency="SEK"), decided()], [ANOTHER]),
    "another player": ([raised() | {"player_id": "q"}, decided()], [ANOTHER]),
    "another who asked": ([raised(), decided(raised_by="staff:6")], [ANOTHER]),
    "nobody asked": ([decided()], [NOBODY]),
    "twice": ([raised(), decided("declined"), decided()], [NOBODY]),
    "one person": ([raised(), decided(actor="staff:7")], [ONE]),
    "another who decided": ([raised(), decided(authorised_by="staff:9")], [ONE]),
    "nothing moved": ([raised(), decided(transfers=[])], [f"makes the transfers [], not {MADE}"]),
    "declined and moved": (
        [raised(), decided("declined", transfers=MADE)], [f"makes the transfers {MADE}, not []"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STORIES)
def test_wal_09_an_adjustment_is_one_that_was_asked_for_and_another_decided(what: str) -> None:
    entries, expected = STORIES[what]
    adjustments = Adjustments(is_whole=True)
    assert [fault for told in entries for fault in adjustments.faults(told)] == expected


def test_wal_09_a_part_of_the_log_may_begin_after_somebody_asked() -> None:
    assert list(Adjustments(is_whole=False).faults(decided())) == []
