"""What can be wrong with the world, and with the record of it.

HouseError                 the root of every room's errors but the engine's
├─ InvalidError            a request's shape, field by field: any room's
└─ AuditError
   ├─ StaleReadError       what was read is no longer so; read again
   ├─ ExportNotFoundError  no such export, or not built yet
   ├─ ExportConflictError  the key was used for another request
   ├─ ExportCurrencyError  nobody has an account in that
   ├─ WorkNotFoundError    no such work: it is done, or never was
   ├─ WebhookNotFoundError    no such endpoint
   ├─ WebhookConflictError    the key was used for another request
   ├─ WebhookUrlRefusedError  nothing is sent there
   ├─ ReplayTooLargeError     more than is told again at once
   ├─ StampRefusedError    the authority's answer is not one for this checkpoint
   ├─ ArchiveRefusedError  the month stays where it is
   └─ LogBrokenError       the tree is not what was signed of it; nothing more is signed
"""

from typing import Any, ClassVar


class HouseError(Exception):
    """Something of the world stands in the way.

    `code` is public and never changed; `facts` are shown to the caller and become attributes.
    """

    code: ClassVar[str]

    def __init__(self, **facts: Any) -> None:
        super().__init__(self.__doc__)
        self.facts = facts

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["facts"][name]
        except KeyError:
            raise AttributeError(name) from None


class InvalidError(HouseError):
    """A member of the request is missing, unknown or of the wrong shape."""

    code = "invalid"


class AuditError(HouseError):
    """The record refuses."""


class StaleReadError(AuditError):
    """Somebody else was faster: what this act was decided on has changed."""

    code = "unavailable"


class ExportNotFoundError(AuditError):
    """There is no such export, or nothing to download of it."""

    code = "not_found"


class ExportConflictError(AuditError):
    """The key was used for another export."""

    code = "idempotency_conflict"


class ExportCurrencyError(AuditError):
    """This currency is not offered, so there is nothing in it to export."""

    code = "unknown_currency"


class WorkNotFoundError(AuditError):
    """There is no such work waiting or dead."""

    code = "not_found"


class WebhookNotFoundError(AuditError):
    """There is no such endpoint."""

    code = "not_found"


class WebhookConflictError(AuditError):
    """The key was used for another request."""

    code = "idempotency_conflict"


class WebhookUrlRefusedError(AuditError):
    """Webhooks are sent by HTTPS to a host of the public internet."""

    code = "webhook_url_refused"


class ReplayTooLargeError(AuditError):
    """More entries are in this time than are told again at once."""

    code = "replay_too_large"


class StampRefusedError(AuditError):
    """The authority's answer is no timestamp of this checkpoint that its certificates vouch for."""

    code = "unavailable"


class ArchiveRefusedError(AuditError):
    """This month of the log stays: it is not over, not there, or not wholly sealed."""

    code = "unavailable"


class LogBrokenError(AuditError):
    """The log is not what was signed of it, so nothing more is signed until a person has looked."""

    code = "unavailable"
