"""Webhooks: what happened, told to those who asked to be told, signed, until they have heard it.

`endpoints` are who is told, `outbox` makes deliveries of the log's entries, `deliveries` sends
them, `replays` tells again, and `wire` is the HTTP of it.
"""

from audit.webhooks.deliveries import deliver
from audit.webhooks.endpoints import (
    enable,
    endpoints,
    find,
    pause,
    register,
    remove,
    rotate,
    show,
    show_delivery,
)
from audit.webhooks.outbox import fill, forget
from audit.webhooks.replays import deliveries_of, replay
from audit.webhooks.told import TYPES

__all__ = [
    "TYPES",
    "deliver",
    "deliveries_of",
    "enable",
    "endpoints",
    "fill",
    "find",
    "forget",
    "pause",
    "register",
    "remove",
    "replay",
    "rotate",
    "show",
    "show_delivery",
]
