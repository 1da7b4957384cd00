"""The documents are true in what a machine can check: links, names, shapes, places."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.tidy import source

DOCS = [path for path in source.files(ends=".md") if path.parts[0] in {"docs", "pontoon"}] + [
    path for path in source.files(ends=".md") if len(path.parts) == 1
]
DECISIONS = [path for path in DOCS if path.parent == Path("docs/decisions")]
README = Path("README.md")
REQUIREMENTS = Path("docs/requirements.md")
WORDS = (
    "table, seat, player, dealer, banker, deck, shoe, game, rule set, round, hand, action, option",
    "hit, stand, double, split, twist, stick, buy, bust, soft, hard, pontoon, five-card trick",
    "points, tie, stake, wager, payout, win, large win, held, released, voided, turnover, GGR, RTP",
    "account, transfer, debit, credit, balance, entry, leaf, checkpoint, seal",
)

each_document = pytest.mark.parametrize("path", DOCS, ids=str)


def _prose(path: Path) -> str:
    """Return a document without what is code in it."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", source.text(path), flags=re.DOTALL)


def _anchors(path: Path) -> set[str]:
    """Return what links may name within a document: its headings, as they are spelled in links."""
    headings = re.findall(r"^#+ (.+)$", source.text(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# --- All documents ------------------------------------------------------------------------------


@each_document
def test_every_link_within_the_house_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(path)):
        if re.match(r"https?://", link):
            continue
        target, _, anchor = link.partition("#")
        place = (source.ROOT / path.parent / target).resolve() if target else source.ROOT / path
        assert place.exists(), link
        if anchor:
            assert anchor in _anchors(place.relative_to(source.ROOT)), link


@each_document
def test_a_document_has_one_title_and_comes_first_with_it(path: Path) -> None:
    text = re.sub(r"```.*?```", "", source.text(path), flags=re.DOTALL)
    assert text.startswith("# ")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1


def test_what_documents_call_a_file_is_one() -> None:
    missing = {
        f"{path}: {name}"
        for path in DOCS
        for name in re.findall(
            r"`((?:[a-z_]+/)+[\w.-]+\.(?:py|sql|md|sh|example))`", source.text(path)
        )
        if not (source.ROOT / name).exists()
    }
    assert missing == set()


# --- README -------------------------------------------------------------------------------------


def test_the_map_names_folders_that_exist_and_all_that_hold_code() -> None:
    named = re.findall(r"^\| `([\w/]+)/` \|", source.text(README), re.MULTILINE)
    assert [folder for folder in named if not (source.ROOT / folder).is_dir()] == []
    tops = {path.parts[0] for path in source.files() if len(path.parts) > 1}
    assert {top for top in tops if not top.startswith(".")} <= set(named)


def test_the_readme_names_targets_of_make_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", source.text(Path("Makefile")), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", source.text(README)))
    assert named - targets == set()


def test_the_readme_names_settings_that_are_read() -> None:
    section = source.text(README).partition("## Configuration")[2].partition("\n## ")[0]
    code = "".join(source.text(path) for path in source.files("casino", "deploy", ends=".py"))
    named = re.findall(r"`([A-Z][A-Z_]+)`", section)
    assert len(named) > 10
    assert [name for name in named if f'"{name}"' not in code] == []


@pytest.mark.parametrize("block", re.findall(r"```bash\n(.*?)```", source.text(README), re.DOTALL))
def test_a_block_of_the_readme_is_bash_and_finds_by_itself_what_it_needs(block: str) -> None:
    checked = subprocess.run(
        ["bash", "-n"], input=block, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    set_here = set(re.findall(r"^ *(?:for )?([A-Z]+)(?:=| in )", block, re.MULTILINE))
    used = set(re.findall(r"\$\{?([A-Z_]+)", block)) - {"VAR", "PORT"}
    sources = re.findall(r"^\. \$\{VAR:-var\}/(\w+)\.env$", block, re.MULTILINE)
    given = {"demo": {"OPERATOR_KEY", "PLAYER_USD"}, "round": {"API", "TOKEN", "ROUND"}}
    assert used <= set_here.union(*(given[name] for name in sources))


# --- Decisions ----------------------------------------------------------------------------------


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 15


@pytest.mark.parametrize("path", DECISIONS, ids=str)
def test_a_decision_has_its_four_headings_and_fits_on_a_page(path: Path) -> None:
    text = source.text(path)
    assert text.startswith(f"# {path.name[:4]} ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Context", "Decision", "Rejected", "Consequences",
    ]  # fmt: skip
    assert len(text.splitlines()) <= 60


# --- Glossary -----------------------------------------------------------------------------------


def test_the_glossary_has_every_word_in_four_languages() -> None:
    rows = {
        cells[0]: cells
        for line in source.text(Path("docs/glossary.md")).splitlines()
        if line.startswith("| ") and not line.startswith("| ---")
        for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
    }
    assert [word for word in ", ".join(WORDS).split(", ") if word not in rows] == []
    for word, cells in rows.items():
        assert len(cells) == 6, word
        assert all([cells[1], *cells[3:]]), word


# --- Requirements -------------------------------------------------------------------------------


def _defined_tests(path: Path) -> set[str]:
    return {function.name for function in source.functions(path)}


def _claims() -> list[tuple[str, str]]:
    """Return (requirement, `file::test`) of the table."""
    rows = re.findall(r"^\| ([A-Z]{3}-\d\d) \|(.*)$", source.text(REQUIREMENTS), re.MULTILINE)
    return [
        (number, name) for number, rest in rows for name in re.findall(r"`(tests/[^`]+)`", rest)
    ]


def test_every_test_that_the_requirements_name_exists() -> None:
    claims = _claims()
    assert claims
    for number, name in claims:
        file, _, test = name.partition("::")
        assert (source.ROOT / file).is_file(), f"{number}: {file}"
        assert test in _defined_tests(Path(file)), f"{number}: {name}"


def test_every_requirement_is_shown_by_a_test_or_said_to_come_later() -> None:
    rows = re.findall(r"^\| ([A-Z]{3}-\d\d) \|(.*)$", source.text(REQUIREMENTS), re.MULTILINE)
    numbers = [number for number, _ in rows]
    assert len(set(numbers)) == len(numbers)
    assert [number for number, rest in rows if "`tests/" not in rest and "later" not in rest] == []


def test_requirements_stand_in_order_and_none_is_forgotten() -> None:
    """A family's numbers ascend within a table; each number up to its last is told of once."""
    text = source.text(REQUIREMENTS)
    for table in re.split(r"^## ", text, flags=re.MULTILINE):
        rows = re.findall(r"^\| ([A-Z]{3})-(\d\d) \|", table, re.MULTILINE)
        families = list(dict.fromkeys(family for family, _ in rows))
        assert rows == sorted(rows, key=lambda row: (families.index(row[0]), row[1]))
    rows = re.findall(r"^\| ([A-Z]{3}-\d\d) \|", text, re.MULTILINE)
    told = Counter([*rows, *re.findall(r"\b[A-Z]{3}-\d\d\b", text.partition("## Later")[2])])
    last = Counter()
    for number in told:
        last[number[:3]] = max(last[number[:3]], int(number[4:]))
    every = [f"{family}-{n:02}" for family, count in last.items() for n in range(1, count + 1)]
    assert {number: told[number] for number in every if told[number] != 1} == {}


# --- Places -------------------------------------------------------------------------------------


def test_no_file_names_somebodys_folder_or_a_registry() -> None:
    folders = "|".join(["home", "root", "Users", "work", "workspace"])
    hosts = "|".join(["py" + "pi", "python" + "hosted", "npm" + "js", r"crates\.i" + "o"])
    pattern = rf"(?<![\w.{{}}\"/-])/(?:{folders})/\w|{hosts}"
    found = source.places(tuple(path for path in source.files() if _is_text(path)), pattern)
    assert found == []


def _is_text(path: Path) -> bool:
    return b"\0" not in (source.ROOT / path).read_bytes()[:4096]
