"""Long runs: in chunks, on several cores, and resumed where they were interrupted.

A chunk's tally depends on the seed and the chunk alone, and tallies are whole numbers: the result
is the same to the last digit for any number of workers and however often the run was killed.
"""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pontoon.analysis.kernel.automaton import Automaton
from pontoon.analysis.kernel.compiled import play_rounds
from pontoon.analysis.simulate.tally import Tally

CHUNK = 1 << 21  # rounds, some hundredths of a second
SAVE_EVERY_S = 1.0


class StateError(Exception):
    """The state file cannot be used for this run; the message says why."""


@dataclass(frozen=True)
class Run:
    """So many rounds of one automaton; equal runs have equal tallies."""

    automaton: Automaton
    seed: int
    rounds: int

    @property
    def digest(self) -> str:
        """A fingerprint in hexadecimal of all that the tally depends on."""
        return sha256(f"{self.automaton.digest} {self.seed} {self.rounds}".encode()).hexdigest()

    @property
    def chunk_count(self) -> int:
        """Count the chunks; the last may be shorter."""
        return -(-self.rounds // CHUNK)

    def play_chunk(self, index: int) -> tuple[int, Tally]:
        """Play a chunk; returns its index too. Other threads run meanwhile."""
        tally = Tally.empty(self.automaton)
        first = index * CHUNK
        key = np.uint64(int.from_bytes(sha256(b"%d" % self.seed).digest()[:8], "big"))
        stretch = key, first, min(CHUNK, self.rounds - first)
        tables = self.automaton.table, self.automaton.pay, self.automaton.decks
        play_rounds(*tables, stretch, tally.rounds, tally.hands)
        return index, tally


@dataclass
class State:
    """How far a run has come: the chunks that are done, as bits, and their tally."""

    run: Run
    tally: Tally
    done: int = 0

    def todo(self) -> list[int]:
        """List the chunks that are left."""
        return [index for index in range(self.run.chunk_count) if not self.done >> index & 1]

    def add(self, index: int, tally: Tally) -> None:
        """Take a chunk in."""
        self.done |= 1 << index
        self.tally.add(tally)

    @property
    def rounds(self) -> int:
        """Count the rounds that are played."""
        return int(self.tally.rounds.sum())

    def save(self, path: Path) -> None:
        """Write the file anew and put it in the old one's place: it is never half written."""
        document = {
            "run": self.run.digest,
            "done": hex(self.done),
            "rounds": _sparse(self.tally.rounds),
            "hands": _sparse(self.tally.hands),
        }
        fresh = path.with_name(path.name + ".new")
        with fresh.open("w") as file:
            json.dump(document, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)


def _sparse(counts: NDArray[np.int64]) -> dict[str, int]:
    return {str(place): int(counts.flat[place]) for place in np.flatnonzero(counts)}


def load(run: Run, path: Path | None) -> State:
    """Go on from a file, or begin; raises StateError if it is another run's."""
    state = State(run, Tally.empty(run.automaton))
    if path is None or not path.exists():
        return state
    try:
        document = json.loads(path.read_text())
        if document["run"] != run.digest:
            raise StateError(f"{path} belongs to other rules, strategy, seed or rounds.")
        state.done = int(document["done"], 16)
        for counts, name in ((state.tally.rounds, "rounds"), (state.tally.hands, "hands")):
            for place, count in document[name].items():
                counts.flat[int(place)] = count
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise StateError(f"{path} is not the state of a run.") from None
    return state


def play(state: State, workers: int = 1, path: Path | None = None) -> Iterator[State]:
    """Play what is left; yields the state after every chunk, and saves it now and then."""
    saved_at = time.monotonic()
    try:
        with ThreadPool(workers) as pool:
            for index, tally in pool.imap_unordered(state.run.play_chunk, state.todo()):
                state.add(index, tally)
                if path and time.monotonic() - saved_at > SAVE_EVERY_S:
                    state.save(path)
                    saved_at = time.monotonic()
                yield state
    finally:
        if path:
            state.save(path)
