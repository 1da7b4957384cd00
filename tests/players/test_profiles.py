"""Currencies and profiles are data that the rest can rely on."""

from dataclasses import FrozenInstanceError

import pytest

from audit.errors import InvalidError
from casino.players.errors import UnknownCurrencyError
from casino.players.profiles import CURRENCIES, PROFILES, Currency, get_currency, get_profile

EXPONENTS = {
    "USD": 2, "EUR": 2, "GBP": 2, "BRL": 2, "SEK": 2, "JPY": 0, "CLP": 0, "KWD": 3,
}  # fmt: skip


def test_jur_02_each_currency_has_its_iso_4217_exponent() -> None:
    assert {code: currency.exponent for code, currency in CURRENCIES.items()} == EXPONENTS


@pytest.mark.parametrize("currency", CURRENCIES.values(), ids=CURRENCIES)
def test_h19_stakes_and_chips_are_multiples_of_the_step(currency: Currency) -> None:
    step = currency.stake_minor_step
    assert 0 < step <= currency.stake_minor_min < currency.stake_minor_max
    assert currency.stake_minor_min % step == currency.stake_minor_max % step == 0
    assert all(chip % step == 0 for chip in currency.chips_minor)
    assert list(currency.chips_minor) == sorted(set(currency.chips_minor))
    assert currency.chips_minor[-1] <= currency.stake_minor_max


@pytest.mark.parametrize("currency", CURRENCIES.values(), ids=CURRENCIES)
def test_the_largest_win_stays_exact_in_json(currency: Currency) -> None:
    assert 12 * currency.stake_minor_max <= 2**53 - 1


def test_h17_a_large_win_in_dollars_is_ten_thousand() -> None:
    assert get_currency("USD").large_win_minor == 10_000_00


@pytest.mark.parametrize("code", ["XAU", "usd", "", "USD "])
def test_a_currency_that_is_not_offered_is_unknown(code: str) -> None:
    with pytest.raises(UnknownCurrencyError) as refused:
        get_currency(code)
    assert refused.value.facts == {"currency": code}


def test_rgt_01_the_uk_waits_five_seconds_from_deal_to_deal() -> None:
    assert get_profile("uk").min_cycle_s == 5
    assert get_profile("default").min_cycle_s == 0


def test_jur_01_a_profile_has_a_version_for_the_rounds_played_under_it() -> None:
    assert {name: profile.version for name, profile in PROFILES.items()} == {
        "default": "default/2",
        "uk": "uk/2",
        "mga": "mga/2",
    }


def test_a_profile_that_nobody_wrote_is_invalid() -> None:
    with pytest.raises(InvalidError) as refused:
        get_profile("narnia")
    assert refused.value.facts == {"fields": {"profile": ["unknown"]}}


def test_published_data_cannot_be_changed_at_run_time() -> None:
    with pytest.raises(FrozenInstanceError):
        CURRENCIES["USD"].stake_minor_max = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        CURRENCIES["USD"] = CURRENCIES["EUR"]  # type: ignore[index]
