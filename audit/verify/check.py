"""All checks of an export, in the order in which they build upon each other."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from audit.tree import Checkpoint
from audit.verify.adjustments import Adjustments
from audit.verify.leaves import Leaves, checkpoint_of, open_note
from audit.verify.money import Ledger, named
from audit.verify.package import (
    Fault,
    Package,
    UnreadableError,
    manifest_faults,
    read_keys,
    read_line,
    read_manifest,
)
from audit.verify.rounds import Rounds
from audit.verify.scope import Scope
from audit.verify.stories import Stories
from audit.verify.tables import IDS, table_faults
from audit.verify.totals import Totals


class Check:
    """One run over an export; `counts` says how much was looked at."""

    def __init__(self, path: Path, *, keys: list[str], old: str | None = None) -> None:
        """Open an export, with the keys that are trusted and a checkpoint that is known.

        Errors: UnreadableError.
        """
        self.package = Package(path)
        self.manifest = read_manifest(self.package)
        self.keys = read_keys(self.package, keys)
        self.counts: dict[str, int] = {}
        self._old = self._open_old(old)
        asked = self.manifest["request"]
        self._kinds = set(asked["kinds"])
        self._ledger = Ledger(is_from_the_first=asked["from"] is None)
        self._stories = Stories(self.manifest["archived_to"])
        self._scope = Scope(asked)
        self._totals = Totals()

    def _open_old(self, old: str | None) -> Checkpoint | None:
        try:
            return open_note(old.encode(), self.keys) if old else None
        except ValueError as error:
            raise UnreadableError(f"the older checkpoint: {error}") from error

    def faults(self) -> Iterator[Fault]:
        """Yield everything that does not hold."""
        yield from manifest_faults(self.package, self.manifest, self.keys)
        if "entries" in self._kinds:
            yield from self._entry_faults()
        if "transfers" in self._kinds:
            yield from self._transfer_faults()
        if "accounts" in self._kinds:
            yield from self._account_faults()
        if "rounds" in self._kinds:
            yield from self._round_faults()
        yield from self._total_faults()
        yield from self._table_faults()

    def _entry_faults(self) -> Iterator[Fault]:
        asked = self.manifest["request"]
        is_part = any(asked[name] for name in ("from", "to", "player_id", "currency"))
        archived_to = self.manifest["archived_to"]
        is_whole = not is_part and not archived_to
        leaves = Leaves(self.package, self._old, is_whole=is_whole)
        adjustments = Adjustments(is_whole=is_whole)
        for entry in leaves.entries():
            try:
                self._stories.hear(entry)
                leaves.faults += named(entry.where, self._scope.faults("entries", entry.told))
                leaves.faults += named(entry.where, adjustments.faults(entry.told))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                leaves.faults.append(Fault(entry.where, f"does not tell what it should: {error!r}"))
            yield from leaves.faults
            leaves.faults.clear()
        yield from leaves.faults
        self.counts["entries"] = leaves.count
        if archived_to and not is_part and not self._stories.has_archive(archived_to):
            yield Fault("manifest.json", f"no entry tells of an archive until {archived_to}")
        yield from self._request_faults(is_part=is_part)
        checkpoint = checkpoint_of(self.package, self.keys)
        if isinstance(checkpoint, Fault):
            yield checkpoint
        else:
            yield from leaves.tree_faults(checkpoint)
            if checkpoint.size != self.manifest["size"]:
                yield Fault("manifest.json", "tells another size than the checkpoint")

    def _request_faults(self, *, is_part: bool) -> Iterator[Fault]:
        """Hold what the manifest says was asked for against the entry of who asked."""
        index, told = self._stories.requests.get(self.manifest["export_id"], (None, None))
        if index is None and not is_part:
            yield Fault("manifest.json", "no entry tells that this export was asked for")
        elif index is not None and told != (self.manifest["requested_by"], self.manifest["asked"]):
            yield Fault(
                "manifest.json", f"tells another request, or of another, than entry {index}"
            )

    def _transfer_faults(self) -> Iterator[Fault]:
        def faults(row: dict[str, Any]) -> Iterator[str]:
            yield from self._ledger.post(row)
            if "entries" in self._kinds:
                yield from self._stories.transfer_faults(row)

        yield from self._rows("transfers", "transfer_id", faults)
        for transfer_id, index in self._stories.transfers_left():
            yield Fault(f"transfer {transfer_id}", f"is missing; entry {index} tells of it")

    def _account_faults(self) -> Iterator[Fault]:
        seen: set[str] = set()
        last = ("", "")

        def faults(row: dict[str, Any]) -> Iterator[str]:
            nonlocal last
            if (row["player_id"], row["account_id"]) <= last:
                yield f"stands out of its order, after {last[1]}"
            last = (row["player_id"], row["account_id"])
            seen.add(row["account_id"])
            yield from self._ledger.account_faults(row) if "transfers" in self._kinds else ()

        yield from self._rows("accounts", "account_id", faults)
        for account_id in sorted(set(self._ledger.accounts()) - seen):
            yield Fault(f"account {account_id}", "is missing")

    def _round_faults(self) -> Iterator[Fault]:
        rounds = Rounds(
            self._stories if "entries" in self._kinds else None,
            self._ledger if "transfers" in self._kinds else None,
        )
        yield from self._rows("rounds", "round_id", rounds.faults)
        for round_id, index in rounds.left():
            yield Fault(f"round {round_id}", f"is missing; entry {index} tells of it")

    def _rows(
        self, part: str, id_: str, faults: Callable[[dict[str, Any]], Iterator[str]]
    ) -> Iterator[Fault]:
        """Check a file line by line."""
        count = 0
        for count, line in enumerate(self.package.lines(f"{part}.jsonl"), 1):
            where = f"{part}.jsonl line {count}"
            try:
                row = read_line(line)
                where = f"{part.removesuffix('s')} {row[id_]}"
                yield from named(where, self._scope.faults(part, row))
                yield from named(where, faults(row))
                self._totals.add(part, row)
            except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
                yield Fault(where, f"is not as it should be written: {error!r}")
        self.counts[part] = count

    def _total_faults(self) -> Iterator[Fault]:
        yield from self._totals.faults(self._kinds, self.manifest["totals"])
        for file in self.manifest["files"]:
            part = file["name"].removesuffix(".jsonl")
            if part in self.counts and file["count"] != self.counts[part]:
                yield Fault(file["name"], f"has {self.counts[part]} lines, not {file['count']}")
            if part in IDS and part not in self._kinds:
                yield Fault(file["name"], "is here, and was not asked for")

    def _table_faults(self) -> Iterator[Fault]:
        formats = set(self.manifest["request"]["formats"])
        for part in IDS:
            asked_for = formats if part in self._kinds else set()
            yield from table_faults(self.package, part, asked_for)
