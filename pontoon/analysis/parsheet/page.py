"""The sheet as one page: no script, nothing from elsewhere, fit for the screen and for A4."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any, TypeAlias

from pontoon.analysis.parsheet.plots import (
    MINUS,
    plot_convergence,
    plot_results,
    plot_volatility,
)
from pontoon.analysis.parsheet.sheet import CONFIDENCES, factor_of
from pontoon.analysis.strategy_tables import code_of

Sheet: TypeAlias = Mapping[str, Any]

MEAN_MIN = 5
"""From so many expected rounds on a count is compared by its z."""

_OTHER_STRATEGY = (
    " They are played by total, so their results differ a little from the distribution above, "
    "which is that of best play on the cards."
)

_SEMANTICS = {
    "S": "stand",
    "H": "hit",
    "D": "double, where not allowed hit",
    "Ds": "double, where not allowed stand",
}
_NUMBERS = {
    "decks": "decks in the shoe (H1)",
    "stand_points_min": "least points to stand (H7)",
    "double_cards_max": "most cards for a double (H9)",
    "hands_max": "most hands after splits (H10)",
    "split_aces_play_on": "split aces are played on (H10)",
    "trick_cards": "cards of a trick (H5)",
    "dealer_hits_soft_17": "dealer draws on soft 17 (H12)",
    "dealer_trick": "dealer's trick counts (H13)",
    "dealer_wins_ties": "dealer wins ties (H14)",
    "pontoon_odds": "a pontoon wins, to 1 (H15)",
    "trick_odds": "a trick wins, to 1 (H15)",
}


def format_page(sheet: Sheet, name: str) -> str:
    """Write a sheet as HTML; `name` is that of its files, without an ending."""
    title = f"PAR sheet: Pontoon {sheet['identification']['rules']}"
    style = (files("pontoon.analysis.parsheet") / "page.css").read_text(encoding="utf-8")
    parts = (
        _head(sheet, title), _identification(sheet), _rules(sheet), _payouts(sheet),
        _return(sheet), _volatility(sheet), _results(sheet), _strategy(sheet),
        _simulation(sheet), _verification(sheet, name),
    )  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _head(sheet: Sheet, title: str) -> str:
    numbers = sheet["return"]
    figures = {
        "return (RTP)": f"{numbers['rtp_percent']:.4f} %",
        "house edge": f"{numbers['house_edge_percent']:.4f} %",
        "standard deviation": f"{sheet['volatility']['standard_deviation']:.4f}",
        "hit frequency": f"{sheet['rates']['hit_frequency']:.2%}".replace("%", " %"),
    }
    shown = "".join(
        f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures.items()
    )
    return (
        f'<header><h1>{escape(title)}</h1><p class="soft">Probability accounting report. Amounts '
        "are in stakes, the first wager of a round; return and edge above are of the stake.</p>"
        f'</header>\n<dl class="figures">{shown}</dl>'
    )


def _identification(sheet: Sheet) -> str:
    facts = sheet["identification"]
    changed = ", ".join(f"{name} = {value}" for name, value in facts["changed"].items())
    rows = [
        ("game", facts["game"]),
        ("rule set", facts["rules"] + (f", changed: {changed}" if changed else ", as published")),
        ("SHA-256 of its numbers", _code(facts["sha256"])),
        ("software", f"Pontoon {facts['software_version']}"),
        ("SHA-256 of the engine", _code(facts["engine_sha256"])),
        ("date", facts["date"]),
        ("signed by (SHA-256 of the key)", _code(facts["signed_by"] or "nobody")),
    ]
    return _section("Identification", _table((), rows, "named"))


def _rules(sheet: Sheet) -> str:
    numbers = [
        (_NUMBERS.get(name, name), _say(value), _code(name))
        for name, value in sheet["numbers"].items()
    ]
    state = sheet["state"]
    told = [(row["rule"], escape(row["text"])) for row in sheet["description"]]
    return _section(
        "The game",
        _table(("rule", "what holds"), told),
        "<h3>The rule set in numbers</h3>",
        _table(("number", "value", "name in the software"), numbers),
        f"<p>The shoe has {state['decks']} decks, {state['cards']} cards, shuffled "
        f"{state['shuffled']}. State kept between rounds: {state['kept_between_rounds']}.</p>",
    )


def _payouts(sheet: Sheet) -> str:
    rows = [
        (row["hand"], row["odds"], _sign(row["win"]), f"{row['payout']:g}")
        for row in sheet["payouts"]
    ]
    head = ("hand", "odds", "win per unit", "payout per unit")
    return _section(
        "Payouts",
        _table(head, rows, "numbers"),
        "<p>For each unit wagered on the hand, doubles included. A win is the gain beyond the "
        "wager; a payout includes the wager given back.</p>",
    )


def _return(sheet: Sheet) -> str:
    told = sheet["return"]
    rates, largest = sheet["rates"], sheet["largest_win"]
    per = [
        ("return to the player (RTP)", "rtp_percent", "rtp_per_unit_wagered_percent"),
        ("house edge", "house_edge_percent", "house_edge_per_unit_wagered_percent"),
    ]
    rows = [(name, *(f"{told[key]:.5f} %" for key in keys)) for name, *keys in per]
    facts = [
        ("average wager", f"{told['average_wager']:.6f} stakes"),
        ("average hands of a round", f"{told['average_hands']:.6f}"),
        ("hit frequency: rounds won", _percent(rates["hit_frequency"])),
        ("rounds even", _percent(rates["even_rate"])),
        ("rounds lost", _percent(rates["loss_rate"])),
        ("dealer's pontoon", _percent(rates["dealer_pontoon_rate"])),
        ("largest net win", f"{largest['stakes']:g} stakes"),
        (
            "probability of it",
            f"{largest['probability']:.10f}, once in {largest['rounds_per_win']:,.0f} rounds",
        ),
    ]
    return _section(
        "Theoretical return",
        _table(("", "of the stake", "of all that is wagered"), rows, "numbers"),
        f"<p><strong>Strategy.</strong> {escape(told['strategy_is'].capitalize())}.</p>",
        f"<p><strong>Basis.</strong> {escape(told['basis'].capitalize())}. The "
        f"return is {escape(told['stakes'])}.</p>",
        _table((), facts, "named"),
    )


def _volatility(sheet: Sheet) -> str:
    told = sheet["volatility"]
    facts = [
        ("variance of a round", f"{told['variance']:.6f}"),
        ("standard deviation of a round", f"{told['standard_deviation']:.6f} stakes"),
        *(
            (f"volatility index, {name} %", f"{value:.4f} ({factor_of(int(name)):.4f} deviations)")
            for name, value in told["index"].items()
        ),
    ]
    names = [str(confidence) for confidence in CONFIDENCES]
    rows = [
        (
            f"{band['rounds']:,}",
            *(
                cell
                for name in names
                for cell in (
                    f"±{band['half_width_percent'][name]:.4f}",
                    "{:.3f} – {:.3f}".format(*band["rtp_percent"][name]),
                )
            ),
        )
        for band in told["bands"]
    ]
    head = ("rounds", *(text for name in names for text in (f"{name} %", f"RTP, % ({name} %)")))
    lines = [
        (f"{name} %", [(b["rounds"], b["half_width_percent"][name]) for b in told["bands"]])
        for name in names
    ]
    return _section(
        "Volatility",
        _table((), facts, "named"),
        "<p>The actual return of so many rounds at one stake lies within these bounds with the "
        "confidence that is named: 100 × volatility index ÷ √rounds percentage points, "
        "by the normal approximation.</p>",
        _table(head, rows, "numbers"),
        _figure(plot_volatility(lines), "Reach of the actual return around the theoretical one."),
    )


def _results(sheet: Sheet) -> str:
    played = sheet["simulation"]
    counts = {row["net"]: row["rounds"] for row in played["results"]} if played else {}
    rounds = played["rounds"] if played else 0
    rows = []
    for row in sheet["results"]:
        chance, net = row["probability"], row["net"]
        told = [_sign(net), f"{chance:.10f}", f"{1 / chance:,.1f}"]
        if played:
            count = counts.get(net, 0)
            told += [f"{count:,}", _compare(count, rounds * chance, chance)]
        rows.append(told)
    head = ("net result", "probability", "once in rounds", "simulated rounds", "z")
    exact = [(row["net"], row["probability"]) for row in sheet["results"]]
    shares = [(net, count / rounds) for net, count in counts.items()]
    dots = " Circles are the simulated shares." if played else ""
    return _section(
        "Distribution of round results",
        _figure(plot_results(exact, shares), f"Lost and even in red, won in green.{dots}"),
        _table(head if played else head[:3], rows, "numbers"),
        f'<p class="soft">{escape(sheet["results_method"].capitalize())}.</p>',
    )


def _compare(count: int, mean: float, chance: float) -> str:
    """Tell how many standard deviations a count is above its mean, if a normal comes near it."""
    if mean < MEAN_MIN:
        return "–"
    return _sign((count - mean) / (mean * (1 - chance)) ** 0.5, "+.2f")


def _strategy(sheet: Sheet) -> str:
    told = sheet["strategy"]
    cells = {
        (row["soft"], row["total"], row["count"]): code_of(row["actions"])
        for row in told["totals"]
        if not row["doubled"]
    }
    counts = sorted({count for _, _, count in cells})
    grids = [_grid(cells, soft, counts) for soft in (False, True)]
    used = [code for code in _SEMANTICS if code in cells.values()]
    key = " ".join(f'<span class="{code}">{code}</span>{_SEMANTICS[code]}' for code in used)
    splits = ", ".join(told["splits"]) or "none"
    others = [(row["cards"], _say_where(row), row["actions"][0]) for row in told["exceptions"]]
    return _section(
        "Strategy",
        "<p>By the number of cards and the total; both dealer cards are hidden, so nothing else is "
        "known. A hand that is already doubled takes the next best of stand and hit.</p>",
        f'<p class="key">{key}</p><div class="pair">{"".join(grids)}</div>',
        f"<p><strong>Pairs that are split:</strong> {escape(splits)}. Only equal ranks split; "
        "every other pair is played by its total.</p>",
        _table(("cards", "where", "instead"), others) if others else "",
    )


def _grid(cells: Mapping[tuple[bool, int, int], str], soft: bool, counts: Sequence[int]) -> str:
    name = "soft" if soft else "hard"
    totals = sorted({total for kind, total, _ in cells if kind == soft}, reverse=True)
    rows = []
    for total in totals:
        found = [cells.get((soft, total, count), "") for count in counts]
        drawn = "".join(
            f'<td class="{code}">{code}</td>' if code else "<td></td>" for code in found
        )
        rows.append(f'<tr><th scope="row">{name} {total}</th>{drawn}</tr>')
    heads = "".join(f'<th scope="col">{count} cards</th>' for count in counts)
    return (
        f'<table class="grid"><thead><tr><th scope="col">{name}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _say_where(row: Mapping[str, Any]) -> str:
    where = (
        f"after a split of {row['pair']} to {row['hands']} hands" if row["pair"] else "first hand"
    )
    return where + (", doubled" if row["doubled"] else "")


def _simulation(sheet: Sheet) -> str:
    played = sheet["simulation"]
    if not played:
        return _section(
            "Simulation", "<p>It was not run; no figure of this sheet depends on it.</p>"
        )
    rows = [
        ("rounds, seed", f"{played['rounds']:,}, {played['seed']}"),
        ("strategy", escape(played["strategy_is"])),
        ("exact return of it", f"{played['exact_rtp_percent']:.5f} %"),
        ("simulated return", f"{played['rtp_percent']:.5f} %"),
        ("of all that is wagered", f"{played['rtp_per_unit_wagered_percent']:.5f} %"),
        ("standard error", f"{played['standard_error_percent']:.5f} points"),
        (
            "deviation per unit wagered",
            f"{played['deviation_per_unit_wagered']:.4f}: that of Σ payouts ÷ Σ wagers, × √rounds",
        ),
        ("z, standard errors from exact", _sign(played["z"], "+.3f")),
        ("variance", f"{played['variance']:.6f}"),
    ]
    path = [(row["rounds"], row["rtp_percent"]) for row in played["convergence"]]
    deviation = 100 * sheet["volatility"]["standard_deviation"]
    reaches = [factor_of(confidence) for confidence in CONFIDENCES]
    drawn = plot_convergence(path, played["exact_rtp_percent"], deviation, reaches)
    other = "" if not sheet["strategy"]["exceptions"] else _OTHER_STRATEGY
    note = "Return so far of one run; dashed, the exact return; shaded, the 90 % and 95 % bands."
    return _section(
        "Simulation",
        "<p>Rounds played at random, each from a fresh shoe, by the compiled simulator, which is "
        f"compared with the production engine round by round.{other}</p>",
        _table((), rows, "named"),
        _figure(drawn, note) if len(path) > 2 else "",
    )


def _verification(sheet: Sheet, name: str) -> str:
    if not sheet["identification"]["signed_by"]:
        return _section("Verification", "<p>This sheet is not signed.</p>")
    commands = (
        f"openssl base64 -d -in {name}.json.sig -out {name}.sig.bin\n"
        f"openssl pkeyutl -verify -pubin -inkey {name}.pub.pem -rawin \\\n"
        f"  -in {name}.json -sigfile {name}.sig.bin\n"
        f"sha256sum {name}.html"
    )
    return _section(
        "Verification",
        f"<p>All figures of this page are in {_code(name + '.json')}, which is signed (Ed25519) "
        "and holds the SHA-256 of this page. With OpenSSL 3:</p>",
        f"<pre><code>{escape(commands)}</code></pre>",
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>\n" + "\n".join(filter(None, parts)) + "\n</section>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Write a table; the first cell of a row heads it. Cells are HTML already."""
    heads = "".join(f'<th scope="col">{text}</th>' for text in head)
    lines = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>\n'
        for first, *others in rows
    )
    top = f"<thead><tr>{heads}</tr></thead>" if head else ""
    return f'<table class="{kind}">{top}<tbody>\n{lines}</tbody></table>'


def _figure(drawn: str, caption: str) -> str:
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _percent(share: float) -> str:
    return f"{100 * share:.4f} %"


def _sign(number: float, form: str = "+g") -> str:
    return f"{number:{form}}".replace("-", MINUS) if number else "0"


def _say(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape(f"{value:g}" if isinstance(value, float) else str(value))
