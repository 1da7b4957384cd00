"""The PAR sheet: its figures, its page, its signature, and that nobody tells another return."""

import json
import re
import subprocess
import sys
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pontoon.analysis.__main__ import main
from pontoon.analysis.exact import analyse
from pontoon.analysis.parsheet import command
from pontoon.analysis.parsheet.page import format_page
from pontoon.analysis.parsheet.sheet import find_bands, make_sheet
from pontoon.analysis.rules import digest, find_variant
from pontoon.analysis.strategy import advise, read_strategy
from pontoon.engine import Over, house, shuffle
from pontoon.queries.rules import rules

SOFTWARE = {"software_version": "0", "engine_sha256": "0" * 64, "signed_by": ""}
NAME = "parsheet-house-1"
ROUNDS = 100_000


@cache
def sheet() -> dict[str, Any]:
    return make_sheet("house/1", find_variant("house/1"), SOFTWARE, "2026-01-31", None)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sheet as the command writes it, signed by a new key."""
    folder = tmp_path_factory.mktemp("parsheet")
    assert write(folder, "--key", str(folder / "keys" / "key.pem"), "--make-key") == 0
    return folder


def write(folder: Path, *options: str) -> int:
    common = ["--out", str(folder), "--date", "2026-01-31", "--rounds", str(ROUNDS)]
    return main(["parsheet", "house/1", *common, *options])


def data(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / f"{NAME}.json").read_text(encoding="utf-8")))


# --- One return, wherever it is told ------------------------------------------------------------


def test_rtp_03_the_sheet_the_stored_strategy_and_the_api_tell_one_return() -> None:
    stored, told = read_strategy("house/1"), rules("house/1", "en")
    found = sheet()["return"]
    assert found["rtp_percent"] == pytest.approx(stored["rtp_percent"], abs=1e-9)
    assert f"{found['rtp_percent']:.2f}" == told["rtp"]["percent"]
    assert sheet()["numbers"] == stored["numbers"] == told["numbers"]
    assert sheet()["identification"]["sha256"] == stored["sha256"]
    page = format_page(sheet(), NAME)
    assert f"{stored['rtp_percent']:.5f} %" in page
    assert stored["sha256"] in page


def test_rtp_03_a_changed_number_is_another_game_with_another_sheet() -> None:
    changed = find_variant("house/1", {"dealer_hits_soft_17": False})
    other = make_sheet("house/1", changed, SOFTWARE, "2026-01-31", None)
    assert other["identification"]["sha256"] == digest(changed)
    assert other["identification"]["sha256"] != sheet()["identification"]["sha256"]
    assert other["identification"]["changed"] == {"dealer_hits_soft_17": False}
    assert other["return"]["rtp_percent"] > sheet()["return"]["rtp_percent"]


def test_rtp_02_the_sheet_and_the_api_say_on_which_strategy_the_return_stands() -> None:
    found = sheet()["return"]
    assert found["strategy_is"] in rules("house/1", "en")["rtp"]["basis"]
    assert found["strategy_is"].capitalize() in format_page(sheet(), NAME)
    assert "exact" in found["basis"]


def test_rtp_01_the_return_is_above_85_percent_and_the_same_at_every_stake() -> None:
    assert sheet()["return"]["rtp_percent"] > 85
    for number in range(100):
        once = play(number, 1)
        for stake in (2, 7, 100, 99_999):
            assert play(number, stake) == [stake * part for part in once]


def play(number: int, stake: int) -> list[int]:
    """Play a round by the best strategy; returns wagers and payouts."""
    seed = sha256(str(number).encode()).digest()
    round_ = house.deal(house.RULES["house/1"], shuffle(8, seed), stake)
    while not isinstance(round_, Over):
        round_ = house.act(round_, advise(house.view(round_)))
    return [
        *(hand.wager for hand in house.view(round_).hands),
        *(payout.amount for payout in house.settle(round_)),
    ]


# --- Its figures --------------------------------------------------------------------------------


def test_the_figures_follow_from_the_distribution() -> None:
    chances = {row["net"]: row["probability"] for row in sheet()["results"]}
    mean = sum(net * chance for net, chance in chances.items())
    square = sum(net * net * chance for net, chance in chances.items())
    told, spread, rates = sheet()["return"], sheet()["volatility"], sheet()["rates"]
    assert sum(chances.values()) == pytest.approx(1)
    assert told["rtp_percent"] == pytest.approx(100 * (1 + mean), abs=1e-9)
    assert told["house_edge_percent"] == pytest.approx(-100 * mean, abs=1e-9)
    assert told["rtp_per_unit_wagered_percent"] == pytest.approx(
        100 * (1 + mean / told["average_wager"]), abs=1e-9
    )
    assert spread["variance"] == pytest.approx(square - mean * mean)
    assert spread["standard_deviation"] == pytest.approx(spread["variance"] ** 0.5)
    won = sum(chance for net, chance in chances.items() if net > 0)
    assert rates["hit_frequency"] == pytest.approx(won)
    assert sheet()["largest_win"]["stakes"] == max(chances) == 12
    assert sheet()["largest_win"]["probability"] == chances[12]


def test_the_bands_narrow_with_the_root_of_the_rounds() -> None:
    bands = sheet()["volatility"]["bands"]
    assert [band["rounds"] for band in bands] == [10**power for power in range(4, 9)]
    deviation = sheet()["volatility"]["standard_deviation"]
    for band in bands:
        half = band["half_width_percent"]
        assert half["90"] == pytest.approx(164.4854 * deviation / band["rounds"] ** 0.5, rel=1e-6)
        assert half["95"] == pytest.approx(195.9964 * deviation / band["rounds"] ** 0.5, rel=1e-6)
        low, high = band["rtp_percent"]["95"]
        assert (low + high) / 2 == pytest.approx(sheet()["return"]["rtp_percent"])
    assert find_bands(4, 10_000)["95"] == pytest.approx(3.92, abs=1e-3)


def test_the_words_follow_the_numbers() -> None:
    changes = {
        "decks": 1, "hands_max": 1, "double_cards_max": 2, "dealer_wins_ties": False,
        "pontoon_odds": 1.5, "dealer_trick": False,
    }  # fmt: skip
    variant = find_variant("house/1", changes)
    made = make_sheet("house/1", variant, SOFTWARE, "2026-01-31", None)
    words = {row["rule"]: row["text"] for row in made["description"]}
    assert words["H1"].startswith("one deck of 52 cards, 52 in all")
    assert words["H10"] == "no pair may be split"
    assert "on two cards of" in words["H9"]
    assert "does not count" in words["H13"]
    assert {"hand": "tie", "win": 0, "payout": 1, "odds": "wager back"} in made["payouts"]
    assert made["payouts"][0]["odds"] == "1.5 to 1"
    assert made["return"]["rtp_percent"] == pytest.approx(analyse(variant).rtp_percent)


def test_what_is_simulated_is_within_four_standard_errors(written: Path) -> None:
    played = data(written)["simulation"]
    assert played["rounds"] == sum(row["rounds"] for row in played["results"]) == ROUNDS
    assert abs(played["z"]) < 4
    steps = played["convergence"]
    assert [row["rounds"] for row in steps] == sorted({row["rounds"] for row in steps})
    assert (steps[0]["rounds"], steps[-1]["rounds"]) == (1_000, ROUNDS)
    assert steps[-1]["rtp_percent"] == played["rtp_percent"]
    error = played["standard_error_percent"]
    assert played["z"] * error == pytest.approx(
        played["rtp_percent"] - played["exact_rtp_percent"], abs=1e-9
    )


def test_without_the_extra_the_sheet_says_that_nothing_was_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pontoon.analysis.parsheet.simulated", None)
    monkeypatch.delenv("PARSHEET_KEY", raising=False)
    assert write(tmp_path) == 0
    assert "Not simulated" in capsys.readouterr().err
    assert data(tmp_path)["simulation"] is None
    assert "It was not run" in (tmp_path / f"{NAME}.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{NAME}.html", f"{NAME}.json"]


# --- Its page -----------------------------------------------------------------------------------


class Elements(HTMLParser):
    """Collects what a page is made of; raises where a tag is closed that is not open."""

    VOID = frozenset({"meta", "rect", "circle", "line", "polygon", "polyline"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def test_the_page_is_whole_and_takes_nothing_from_elsewhere(written: Path) -> None:
    page = (written / f"{NAME}.html").read_text(encoding="utf-8")
    elements = Elements(page)
    assert elements.opened == []
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form"}
    attributes = {name for _, given in elements.found for name in given}
    assert not {name for name in attributes if name.startswith("on")}
    assert not attributes & {"src", "href", "style"}
    assert not re.search(r"url\(|@import|https?:", page)
    drawn = [given["aria-label"] for tag, given in elements.found if tag == "svg"]
    assert len(drawn) == 3
    assert all(drawn)
    assert "@page" in page
    assert "nan" not in re.findall(r"[a-z]+", page)


def test_every_entry_of_the_strategy_is_in_the_grid() -> None:
    cells = re.findall(r'<td class="(S|H|D|Ds)">\1</td>', format_page(sheet(), NAME))
    entries = [row for row in sheet()["strategy"]["totals"] if not row["doubled"]]
    assert len(cells) == len(entries)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_all_text_has_the_contrast_that_wcag_asks() -> None:
    style = (Path(command.__file__).parent / "page.css").read_text(encoding="utf-8")
    named = dict(re.findall(r"--(\w+): (#\w{6})", style))
    grid = re.findall(r"\.(?:S|H|D|Ds) \{ background: (#\w{6})", style)
    assert len(grid) == 4
    grounds = ["#ffffff", named["tint"], *grid]
    pairs = [(named["ink"], ground) for ground in grounds]
    pairs += [(named[name], ground) for name in ("soft", "felt") for ground in grounds[:2]]
    for text, ground in pairs:
        assert (luminance(ground) + 0.05) / (luminance(text) + 0.05) >= 4.5, (text, ground)


# --- Its signature ------------------------------------------------------------------------------


def verify(folder: Path) -> bool:
    """Verify the signature by the commands that the page and the documents name."""
    page = (folder / f"{NAME}.html").read_text(encoding="utf-8")
    told = re.search(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert told
    for line in told[1].replace("\\\n", "").splitlines()[:2]:
        done = subprocess.run(line.split(), cwd=folder, capture_output=True, check=False)
    return done.returncode == 0 and b"Verified Successfully" in done.stdout


def test_openssl_verifies_the_sheet_and_refuses_a_changed_one(written: Path) -> None:
    assert verify(written)
    path = written / f"{NAME}.json"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"99.57", b"99.58", 1))
    try:
        assert not verify(written)
    finally:
        path.write_bytes(whole)


def test_the_signed_data_hold_the_hash_of_the_page_and_the_name_of_the_key(written: Path) -> None:
    page = (written / f"{NAME}.html").read_bytes()
    signed = data(written)
    assert signed["document"] == {"file": f"{NAME}.html", "sha256": sha256(page).hexdigest()}
    public = ["openssl", "pkey", "-pubin", "-in", f"{NAME}.pub.pem", "-outform", "DER"]
    der = subprocess.run(public, cwd=written, capture_output=True, check=True).stdout
    assert signed["identification"]["signed_by"] == sha256(der).hexdigest()


def test_the_same_date_seed_and_key_give_the_same_bytes(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = written / "keys" / "key.pem"
    before = key.read_bytes()
    monkeypatch.setenv("PARSHEET_KEY", str(key))
    assert write(tmp_path, "--make-key") == 0
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (written / path.name).read_bytes()
    assert key.read_bytes() == before
    assert key.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read"),
        ("nothing", "not a private key in PEM"),
        ("EC", "not of Ed25519"),
    ],
)
def test_what_is_no_key_is_refused_in_a_sentence(
    content: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "key.pem"
    if content == "EC":
        made = ["openssl", "genpkey", "-algorithm", content, "-pkeyopt", "ec_paramgen_curve:P-256"]
        subprocess.run([*made, "-out", str(key)], capture_output=True, check=True)
    elif content:
        key.write_text(content)
    assert write(tmp_path / "out", "--key", str(key)) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_rules_that_nobody_published_have_no_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parsheet", "house/9", "--out", str(tmp_path)]) == 2
    assert "house/9" in capsys.readouterr().err


def test_the_software_is_named_by_its_version_and_its_engine() -> None:
    root = Path(command.__file__).parents[3]
    named = command.identify_software()
    assert f'version = "{named["software_version"]}"' in (root / "pyproject.toml").read_text()
    shown = "find pontoon/engine -name '*.py' | LC_ALL=C sort | xargs sha256sum | sha256sum"
    done = subprocess.run(["sh", "-c", shown], cwd=root, capture_output=True, check=True)
    assert done.stdout.decode().split()[0] == named["engine_sha256"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--date", "2026-13-01"), "a day such as 2026-01-31, not '2026-13-01'"),
        (("--rounds", "many"), "a whole number from 0"),
        (("--rounds", "1"), "One round has no variance"),
    ],
)
def test_the_command_says_what_it_cannot_use(
    options: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = write(tmp_path, *options)
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []
