"""Keys from the shell."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from casino.players.errors import NotAuthenticatedError
from casino.players.queries import active_key
from casino.players.services import hash_token


def test_a_key_is_made_shown_once_and_revoked(database: object) -> None:
    out = StringIO()
    call_command("create_api_key", "shop", "--scopes", "players:read", "money:write", stdout=out)
    told = dict(line.split() for line in out.getvalue().splitlines())
    facts = active_key(hash_token(told["token"]))
    assert str(facts.id) == told["id"]
    assert facts.scopes == {"players:read", "money:write"}
    call_command("revoke_api_key", told["id"], stdout=out)
    with pytest.raises(NotAuthenticatedError):
        active_key(hash_token(told["token"]))


def test_a_mistake_is_a_sentence(database: object) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'everything'"):
        call_command("create_api_key", "shop", "--scopes", "everything")
    with pytest.raises(CommandError, match="There is no key"):
        call_command("revoke_api_key", str(uuid4()))
