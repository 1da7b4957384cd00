"""Where the seeds of rounds to come are made and kept shut."""

import subprocess
import sys
from typing import Any

import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.core.exceptions import ImproperlyConfigured

from pontoon import vault

OLD, NEW = (Fernet.generate_key().decode() for _ in range(2))


@pytest.fixture
def keys(settings: Any) -> Any:
    """Set the keys of the vault."""

    def use(*keys: str) -> None:
        settings.SEED_KEYS = list(keys)

    return use


def test_rng_01_rng_03_a_copy_of_the_process_makes_other_seeds() -> None:
    """A fork shares all state of its parent: only what the system mixes in tells them apart."""
    script = (
        "import os; from pontoon.vault import make_seed; make_seed(); os.fork();"
        "os.write(1, make_seed().hex().encode() + b'\\n')"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    first, second = told.split()
    assert first != second


def test_rng_02_no_seed_is_made_twice() -> None:
    seeds = {vault.make_seed() for _ in range(1000)}
    assert len(seeds) == 1000
    assert {len(seed) for seed in seeds} == {32}


def test_gam_05_a_sealed_seed_tells_nothing_and_opens_again(keys: Any) -> None:
    keys(NEW)
    seed = vault.make_seed()
    sealed = vault.seal(seed)
    assert vault.unseal(sealed) == seed
    assert seed.hex() not in sealed
    assert vault.seal(seed) != sealed


def test_a_new_key_seals_and_an_old_one_still_opens(keys: Any) -> None:
    keys(OLD)
    before = vault.seal(b"x" * 32)
    keys(NEW, OLD)
    assert vault.unseal(before) == b"x" * 32
    after = vault.seal(b"y" * 32)
    keys(NEW)
    assert vault.unseal(after) == b"y" * 32
    with pytest.raises(InvalidToken):
        vault.unseal(before)


@pytest.mark.parametrize("broken", ["", "none", "A" * 100])
def test_what_was_never_sealed_does_not_open(keys: Any, broken: str) -> None:
    keys(NEW)
    with pytest.raises(InvalidToken):
        vault.unseal(broken)


def test_a_seed_whose_seal_was_touched_does_not_open(keys: Any) -> None:
    keys(NEW)
    sealed = vault.seal(b"x" * 32)
    for index in (10, 40, len(sealed) - 5):
        touched = sealed[:index] + ("A" if sealed[index] != "A" else "B") + sealed[index + 1 :]
        with pytest.raises(InvalidToken):
            vault.unseal(touched)


def test_without_a_key_no_seed_is_sealed(keys: Any) -> None:
    keys()
    with pytest.raises(ImproperlyConfigured, match="SEED_KEYS"):
        vault.seal(b"x" * 32)
