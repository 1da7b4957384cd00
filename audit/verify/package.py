"""An export as files, in a folder or a zip: found, signed for, and read line by line."""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from audit.tree import NoteError, PublicKey, canonical, parse_note, signers

MANIFEST, NOTE, SUMS = "manifest.json", "manifest.note", "SHA256SUMS"
FORMAT = "pontoon-export/1"

_BYTES = 1 << 20
_ASKED = ("kinds", "formats", "from", "to", "player_id", "currency")
# What reading a file that is broken may raise: each method of compression has its own.
_BROKEN = (OSError, KeyError, BadZipFile, zlib.error, LZMAError, EOFError, RuntimeError)


class UnreadableError(Exception):
    """This is no export that can be checked at all."""


class Fault(NamedTuple):
    """What does not hold: where (a file, an entry, a transfer, a round …) and a sentence."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Package:
    """The files of an export by their names."""

    def __init__(self, path: Path) -> None:
        """Open a folder or a zip. Errors: UnreadableError."""
        self._folder = path if path.is_dir() else None
        self._zip = None
        self._prefix = ""
        if self._folder is None:
            try:
                self._zip = ZipFile(path)
            except (OSError, BadZipFile) as error:
                raise UnreadableError(f"{path} is neither a folder nor a zip: {error}") from error
            found = [name for name in self._zip.namelist() if name.endswith(f"/{MANIFEST}")]
            self._prefix = found[0].removesuffix(MANIFEST) if len(found) == 1 else ""

    def names(self) -> set[str]:
        """Return the names of all files; what lies beside the export's folder begins with `../`."""
        if self._zip is not None:
            return {self._name(name) for name in self._zip.namelist() if not name.endswith("/")}
        assert self._folder is not None  # noqa: S101
        paths = self._folder.rglob("*")
        files = (path for path in paths if path.is_symlink() or not path.is_dir())
        return {path.relative_to(self._folder).as_posix() for path in files}

    def _name(self, name: str) -> str:
        is_inside = name.startswith(self._prefix)
        return name.removeprefix(self._prefix) if is_inside else f"../{name}"

    def twice(self) -> list[str]:
        """Return the names that a zip has more than once: who unpacks it gets one or the other."""
        names = Counter(name.rstrip("/") for name in self._zip.namelist()) if self._zip else {}
        return sorted(self._name(name) for name, count in names.items() if count > 1)

    def open(self, name: str) -> IO[bytes]:
        """Open a file. Errors: UnreadableError."""
        try:
            if self._zip is not None:
                return self._zip.open(self._prefix + name)
            assert self._folder is not None  # noqa: S101
            return (self._folder / PurePosixPath(name)).open("rb")
        except _BROKEN as error:
            raise UnreadableError(f"{name} cannot be read: {error}") from error

    def read(self, name: str) -> bytes:
        """Return a small file's bytes. Errors: UnreadableError."""
        with self.open(name) as file:
            try:
                return file.read()
            except _BROKEN as error:
                raise UnreadableError(f"{name} cannot be read: {error}") from error

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield a file's lines without their ends; none if it is not there."""
        if name not in self.names():
            return
        with self.open(name) as file:
            try:
                for line in file:
                    yield line.removesuffix(b"\n")
            except _BROKEN as error:
                raise UnreadableError(f"{name} cannot be read: {error}") from error

    def digest(self, name: str) -> tuple[int, str]:
        """Return a file's size and SHA-256. Errors: UnreadableError."""
        size, digest = 0, hashlib.sha256()
        with self.open(name) as file:
            try:
                while piece := file.read(_BYTES):
                    size += len(piece)
                    digest.update(piece)
            except _BROKEN as error:
                raise UnreadableError(f"{name} cannot be read: {error}") from error
        return size, digest.hexdigest()


def read_manifest(package: Package) -> dict[str, Any]:
    """Return the manifest. Errors: UnreadableError."""
    try:
        manifest = json.loads(package.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise UnreadableError(f"this is {manifest['format']}, not {FORMAT}")
        return {
            "export_id": str(manifest["export_id"]),
            "requested_by": manifest["requested_by"],
            "asked": manifest["request"],
            "origin": str(manifest["origin"]),
            "size": int(manifest["size"]),
            "archived_to": str(manifest["archived_to"] or ""),
            "request": {name: manifest["request"][name] for name in _ASKED},
            "files": [_listed(file) for file in manifest["files"]],
            "totals": {part: list(map(dict, rows)) for part, rows in manifest["totals"].items()},
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(f"{MANIFEST} is no manifest: {error!r}") from error


def _listed(file: dict[str, Any]) -> dict[str, Any]:
    """Return a file of the manifest. Errors: KeyError, TypeError."""
    return {name: file[name] for name in ("name", "size", "sha256")} | {"count": file.get("count")}


def read_keys(package: Package, given: list[str]) -> list[PublicKey]:
    """Return the keys that are given or, if none is, those that the export itself names.

    Errors: UnreadableError.
    """
    try:
        lines = given or package.read("keys").decode().split("\n")
        return [PublicKey.parse(line.strip()) for line in lines if line.strip()]
    except (NoteError, UnicodeDecodeError) as error:
        raise UnreadableError(f"no key of the log: {error}") from error


def manifest_faults(
    package: Package, manifest: dict[str, Any], keys: list[PublicKey]
) -> Iterator[Fault]:
    """Yield what is not as the log signed it: the manifest, and every file that it lists."""
    yield from _signature_faults(package, manifest["origin"], keys)
    listed = {file["name"]: file for file in manifest["files"]}
    here = package.names() - {MANIFEST, NOTE, SUMS}
    yield from (Fault(name, "stands in the zip more than once") for name in package.twice())
    if len(listed) != len(manifest["files"]):
        yield Fault(MANIFEST, "lists a file more than once")
    yield from (
        Fault(name, "is listed in the manifest and missing") for name in listed.keys() - here
    )
    yield from (Fault(name, "is not in the manifest") for name in sorted(here - listed.keys()))
    for name in sorted(here & listed.keys()):
        if package.digest(name) != (listed[name]["size"], listed[name]["sha256"]):
            yield Fault(name, "is not the file that was signed: its SHA-256 differs")
    sums = "".join(f"{file['sha256']}  {file['name']}\n" for file in manifest["files"])
    if SUMS not in package.names() or package.read(SUMS) != sums.encode():
        yield Fault(SUMS, "does not say what the manifest says")


def _signature_faults(package: Package, origin: str, keys: list[PublicKey]) -> Iterator[Fault]:
    _, sha256 = package.digest(MANIFEST)
    try:
        note = parse_note(package.read(NOTE).decode())
        found = signers(note, [key for key in keys if key.name == origin])
    except (ValueError, UnreadableError) as error:
        yield Fault(NOTE, f"is no signed note: {error}")
        return
    if not found:
        yield Fault(NOTE, "no key of the log has signed it")
    if note.text != f"{origin}/export\n{sha256}  {MANIFEST}\n":
        yield Fault(MANIFEST, "is not the manifest that was signed: its SHA-256 differs")


def read_line(line: bytes) -> dict[str, Any]:
    """Return a line as its members. Errors: ValueError, if it is not in its one spelling."""
    try:
        members = json.loads(line)
        plain = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if not isinstance(members, dict):
            raise ValueError("it is no JSON object")
        if plain.encode() != line and canonical(members) != line:
            raise ValueError("it is not written canonically (RFC 8785)")
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return members
