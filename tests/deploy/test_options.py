"""The knobs of `make run`: defaults, numbers that are none, and what is embedded."""

import pytest

from deploy.local.errors import StartError
from deploy.local.options import read_options
from deploy.local.programs import programs


def test_without_a_word_everything_is_embedded_and_seeded() -> None:
    options = read_options({})
    assert (options.host, options.port) == ("127.0.0.1", 8000)
    assert (options.database_url, options.owner_url, options.broker_url) == ("", "", "")
    assert options.is_demo


def test_a_database_from_outside_is_not_seeded_unless_asked_for() -> None:
    outside = {"DATABASE_URL": "postgres://db/pontoon"}
    assert not read_options(outside).is_demo
    assert read_options({**outside, "DEMO": "1"}).is_demo


def test_without_an_owner_the_application_migrates() -> None:
    assert read_options({"DATABASE_URL": "postgres://db/pontoon"}).owner_url == (
        "postgres://db/pontoon"
    )


def test_the_address_is_one_for_a_browser_here() -> None:
    assert read_options({"HOST": "0.0.0.0", "PORT": "81"}).address == "http://127.0.0.1:81"  # noqa: S104


@pytest.mark.parametrize(
    ("name", "text"), [("PORT", "http"), ("PORT", "0"), ("PORT", "65536"), ("WEB_WORKERS", "-1")]
)
def test_a_number_that_is_none_is_told(name: str, text: str) -> None:
    with pytest.raises(StartError, match=f"{name} is a number from 1 to"):
        read_options({name: text})


def test_an_idle_service_has_nothing_to_say() -> None:
    for program in programs(read_options({}), {}):
        assert "warning" in [word.lower() for word in program.command], program.name
