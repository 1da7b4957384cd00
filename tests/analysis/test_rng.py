"""The lab kit: production's shoes pass it, shoes with a known fault do not, and its sums are right.

The seeds are fixed, so nothing here fails by chance.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cmp_to_key
from hashlib import sha256
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from pontoon.analysis.rng import checks, shuffles
from pontoon.engine import find_rules, shoe_seed, shuffle

Shoes = shuffles.Shoes
SHOES = 4_000
CARDS = shuffles.CARDS


def sorted_shoes(count: int) -> Shoes:
    return np.tile(np.tile(np.arange(52, dtype=np.uint8), 8), (count, 1))


def swap(shoes: Shoes, here: int, there: np.ndarray) -> None:
    rows = np.arange(len(shoes))
    shoes[rows, here], shoes[rows, there] = shoes[rows, there], shoes[rows, here]


def fair(count: int, seed: int = 1) -> Shoes:
    return np.random.default_rng(seed).permuted(sorted_shoes(count), axis=1)


def by_remainder(count: int) -> Shoes:
    """Fisher and Yates with a remainder where production throws a word away."""
    draw, shoes = np.random.default_rng(2), sorted_shoes(count)
    for here in range(CARDS):
        left = CARDS - here
        words = draw.integers(1 << (left - 1).bit_length(), size=count)
        swap(shoes, here, here + words % left)
    return shoes


def swapped_with_any(count: int) -> Shoes:
    """Each card swapped with any, and not with one that is still to be placed."""
    draw, shoes = np.random.default_rng(3), sorted_shoes(count)
    for here in range(CARDS):
        swap(shoes, here, draw.integers(CARDS, size=count))
    return shoes


def off_by_one(count: int) -> Shoes:
    """No card stays where it is (Sattolo): one long cycle."""
    draw, shoes = np.random.default_rng(4), sorted_shoes(count)
    for here in range(CARDS - 1):
        swap(shoes, here, draw.integers(here + 1, CARDS, size=count))
    return shoes


def sorted_by_coin(count: int) -> Shoes:
    """Sorted by a comparison that answers at random."""
    coins = iter(np.random.default_rng(5).integers(2, size=count * 4_000).tolist())
    key = cmp_to_key(lambda _one, _other: 2 * next(coins) - 1)
    return np.array([sorted(shoe, key=key) for shoe in sorted_shoes(count).tolist()], np.uint8)


def riffled_six_times(count: int) -> Shoes:
    """Cut and riffled as by hand: rising sequences stay."""
    draw, shoes = np.random.default_rng(6), sorted_shoes(count)
    for _ in range(6):
        order = np.argsort(draw.integers(2, size=shoes.shape), axis=1, kind="stable")
        shoes = np.take_along_axis(shoes, order, axis=1)
    return shoes


def like_the_one_before(count: int) -> Shoes:
    """Every second shoe is the one before with some cards changed."""
    shoes = fair(count, 7)
    shoes[1::2] = shoes[::2]
    shoes[1::2, :350] = np.random.default_rng(8).permuted(shoes[1::2, :350], axis=1)
    return shoes


def too_even(count: int) -> Shoes:
    """Every face comes in every place as often as any other."""
    shifts = np.arange(count)[:, None] % 52
    return ((fair(1, 9) + shifts) % 52).astype(np.uint8)


def an_ace_brought_to_one_place(count: int) -> Shoes:
    """In every twelfth shoe the card of one place, far down, makes way for an ace."""
    shoes, place = fair(count, 12), 300
    rows = np.arange(0, count, 12)
    aces = (shoes[rows] % 13 == 0).argmax(axis=1)
    shoes[rows, aces], shoes[rows, place] = shoes[rows, place], shoes[rows, aces]
    return shoes


def an_ace_made_a_ten(count: int) -> Shoes:
    """In one shoe an ace is missing, and a ten is there in its place."""
    shoes = fair(count, 13)
    shoes[17, (shoes[17] == 0).argmax()] = 9
    return shoes


def swapped_with_neighbours(count: int) -> Shoes:
    """Only neighbours change places, by a coin, in 40 passes."""
    draw, shoes = np.random.default_rng(14), sorted_shoes(count)
    for step in range(40):
        for here in range(step % 2, CARDS - 1, 2):
            swap(shoes, here, here + draw.integers(2, size=count))
    return shoes


# What passes, and what fails.


def test_rng_05_production_s_shoes_pass_all_checks_together() -> None:
    parts = (part.shoes for part in shuffles.make_parts(SHOES, seed=1))
    findings = checks.examine(parts)
    assert len(findings) == 22
    assert checks.find_refuted(findings) == []


@pytest.mark.parametrize(
    ("biased", "count"),
    [
        (by_remainder, SHOES),
        (swapped_with_any, 4 * SHOES),
        (off_by_one, 2 * SHOES),
        (sorted_by_coin, 2_000),
        (riffled_six_times, SHOES),
        (like_the_one_before, SHOES),
        (too_even, SHOES),
        (an_ace_brought_to_one_place, SHOES),
        (an_ace_made_a_ten, 2_000),
        (swapped_with_neighbours, 2_000),
    ],
)
def test_rng_05_a_faulty_shuffle_fails(biased: Callable[[int], Shoes], count: int) -> None:
    assert checks.find_refuted(checks.examine([biased(count)])) != []


def first_cards_of_32_bits(count: int) -> Shoes:
    """The first cards of shoes that are fair but for their seeds, of 32 bits."""
    seeds = np.random.default_rng(10).integers(1 << 32, size=count, dtype=np.uint64)
    cards = np.empty((count, checks.ROUND), np.uint8)
    for place in range(checks.ROUND):
        word = seeds + np.uint64((place + 1) * 0x9E3779B97F4A7C15 % 2**64)
        word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        cards[:, place] = (word >> np.uint64(32)) % np.uint64(52)
    return cards


def test_rng_02_rng_06_seeds_of_32_bits_are_found_by_two_equal_shoes() -> None:
    """As many shoes as the command makes by default: seven pairs are expected to be equal."""
    finding = checks.judge_duplicates(first_cards_of_32_bits(240_385))
    assert finding.statistic >= 1
    assert checks.find_refuted([finding]) == [finding]


def test_rng_02_one_seed_used_twice_is_found() -> None:
    shoes = fair(3_000)
    shoes[2_999] = shoes[17]
    (finding,) = checks.find_refuted(checks.examine([shoes]))
    assert finding.name == "shoes with the same first cards"


# The sums.


def test_every_check_of_fair_shoes_is_as_often_low_as_high() -> None:
    runs = [checks.examine([fair(2_000, 100 + number)]) for number in range(40)]
    p_values = np.array([[finding.p for finding in run[:-2]] for run in runs])
    assert (abs(p_values.mean(axis=0) - 0.5) < 4 * (1 / 12 / 40) ** 0.5).all()
    assert 0.02 < (p_values < 0.05).mean() < 0.09
    assert sum(bool(checks.find_refuted(run)) for run in runs) <= 2


def test_checks_do_not_depend_on_how_the_shoes_are_parted() -> None:
    shoes = fair(3_000)
    whole, parted = checks.examine([shoes]), checks.examine([shoes[:1_000], shoes[1_000:]])
    for one, other in zip(whole, parted, strict=True):
        assert one.name == other.name
        assert one.statistic == pytest.approx(other.statistic)


@pytest.mark.parametrize(("statistic", "dof"), [(0.5, 2), (60.0, 51), (21_500.0, 21_165)])
def test_p_is_of_both_tails_of_chi_square(statistic: float, dof: int) -> None:
    tails = chi2.sf(statistic, dof), chi2.cdf(statistic, dof)
    assert checks.judge("", statistic, dof).p == pytest.approx(2 * min(tails))


def test_holm_holds_each_finding_against_its_share_of_the_level() -> None:
    def make(*p_values: float) -> list[checks.Finding]:
        return [checks.Finding(str(p), 0, 1, p) for p in p_values]

    def refuted(*p_values: float) -> list[float]:
        return [finding.p for finding in checks.find_refuted(make(*p_values))]

    assert refuted(0.5, 0.004, 0.9) == []
    assert refuted(0.5, 0.003, 0.9) == [0.003]
    assert refuted(0.5, 0.003, 0.0049) == [0.003, 0.0049]
    assert refuted(0.009, 0.003, 0.0049) == [0.003, 0.0049, 0.009]
    assert refuted(0.004, 0.0049, 0.009) == []


def test_the_coupon_collector_s_chances_are_exact() -> None:
    assert checks.chance_collected(51) == 0
    assert checks.chance_collected(52) == pytest.approx(8**52 / comb(416, 52))
    assert checks.chance_collected(408) < checks.chance_collected(409) == 1
    assert checks.find_collected(sorted_shoes(1)).tolist() == [52]


# What the laboratory gets.


def run_rng(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pontoon.analysis", "rng", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rng_09_the_files_are_of_production_s_calls_with_their_checksums(tmp_path: Path) -> None:
    done = run_rng("--shoes", "2000", "--seed", "5", "--out", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["fair"]
    assert json.loads((tmp_path / "report.json").read_text()) == told
    sums = dict(
        reversed(line.split("  ")) for line in (tmp_path / "SHA256SUMS").read_text().splitlines()
    )
    assert sorted(sums) == ["manifest.json", "report.json", "seeds-0000.bin", "shoes-0000.bin"]
    for name, digest in sums.items():
        assert sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    shoes = np.fromfile(tmp_path / "shoes-0000.bin", np.uint8).reshape(2000, 416)
    seeds = (tmp_path / "seeds-0000.bin").read_bytes()
    for index in (0, 1, 1999):
        seed = shoe_seed(seeds[32 * index : 32 * index + 32], manifest["client_seed"])
        cards = [str(card) for card in shuffle(find_rules("house/1").decks, seed)]
        assert [manifest["faces"][byte] for byte in shoes[index]] == cards


def test_rng_02_without_a_seed_each_server_seed_is_the_system_s() -> None:
    seeds = [shuffles.make_server_seed(None, 0) for _ in range(3)]
    assert len(set(seeds)) == 3
    assert {len(seed) for seed in seeds} == {32}
    assert shuffles.make_server_seed(1, 0) != shuffles.make_server_seed(1, 1)
    assert shuffles.make_server_seed(1, 0) != shuffles.make_server_seed(2, 0)


def test_the_command_tells_its_findings_in_words() -> None:
    done = run_rng("--shoes", "2000", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert "nothing refutes it" in done.stdout


def test_the_command_says_what_it_cannot_use(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    few = run_rng("--shoes", "1e2")
    assert (few.returncode, "2000 shoes" in few.stderr) == (2, True)
    unwritable = run_rng("--shoes", "2000", "--out", str(file))
    assert (unwritable.returncode, "cannot be written" in unwritable.stderr) == (2, True)
