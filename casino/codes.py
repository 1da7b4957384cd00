"""Every public error code: its HTTP status and its words. docs/errors.md tells the same."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Problem(NamedTuple):
    """What a code means: its HTTP status, and its words in the caller's language."""

    status: int
    title: Promise | str
    detail: Promise | str


IN_PANEL = frozenset({
    "same_person", "case_not_ready", "case_disagrees", "already_decided", "count_outdated",
    "helped_already", "role_fixed", "change_waits", "name_taken", "link_over",
})  # fmt: skip
"""Codes of what people do in the panel: no call of the API has them."""

CODES: dict[str, Problem] = {
    "malformed": Problem(
        400,
        _("Malformed request"),
        _("The body is not a JSON object that we can read."),
    ),
    "not_authenticated": Problem(
        401,
        _("Not authenticated"),
        _("A valid token is needed for this."),
    ),
    "session_expired": Problem(
        401,
        _("Session over"),
        _("The session is over. Start again from the lobby."),
    ),
    "not_allowed": Problem(
        403,
        _("Not allowed"),
        _("This token may not do this."),
    ),
    "same_person": Problem(
        403,
        _("A second person decides"),
        _("Nobody decides on what he raised himself. Another person has to."),
    ),
    "helped_already": Problem(
        403,
        _("A second person helps"),
        _("Who gave the link does not take the phone off too, nor the other way round."),
    ),
    "excluded": Problem(
        403,
        _("Excluded"),
        _("You have excluded yourself from play. Withdrawals stay open."),
    ),
    "cooling_off": Problem(
        403,
        _("Taking a break"),
        _("You are taking a break. Withdrawals stay open."),
    ),
    "not_found": Problem(
        404,
        _("Not found"),
        _("There is nothing here that you may see."),
    ),
    "method_not_allowed": Problem(
        405,
        _("Method not allowed"),
        _("This address does not take that method."),
    ),
    "too_large": Problem(
        413,
        _("Too large"),
        _("The body is larger than we read."),
    ),
    "unsupported_media_type": Problem(
        415,
        _("Unsupported media type"),
        _("Send a body as application/json."),
    ),
    "reality_check_due": Problem(
        409,
        _("A moment, please"),
        _("See how long you have been playing before the next round."),
    ),
    "hint_not_offered": Problem(
        409,
        _("No hints here"),
        _("Hints are not offered under the rules of this place."),
    ),
    "round_open": Problem(
        409,
        _("A round is open"),
        _("Finish the open round first."),
    ),
    "round_over": Problem(
        409,
        _("The round is over"),
        _("This round takes no more actions."),
    ),
    "case_not_ready": Problem(
        409,
        _("Not checked yet"),
        _("The case file of this win is not there yet. It takes some seconds."),
    ),
    "case_disagrees": Problem(
        409,
        _("The case file disagrees"),
        _("This win does not hold: its case file says why. It can be rejected."),
    ),
    "seq_conflict": Problem(
        409,
        _("Out of step"),
        _("The round has moved on. Here is where it stands."),
    ),
    "idempotency_conflict": Problem(
        409,
        _("Same id, other request"),
        _("This id was used for a request with other content."),
    ),
    "action_not_now": Problem(
        409,
        _("Not now"),
        _("This action is not open to you now."),
    ),
    "stand_below_15": Problem(
        409,
        _("Stand needs 15"),
        _("You may stand on 15 or more."),
    ),
    "split_not_equal": Problem(
        409,
        _("Not a pair"),
        _("Only two cards of equal rank can be split."),
    ),
    "split_limit": Problem(
        409,
        _("No more splits"),
        _("A round has at most three hands."),
    ),
    "double_used": Problem(
        409,
        _("Already doubled"),
        _("A hand can be doubled once."),
    ),
    "insufficient_funds": Problem(
        409,
        _("Insufficient funds"),
        _("The balance does not cover this amount."),
    ),
    "limit_reached": Problem(
        409,
        _("Limit reached"),
        _("This amount would exceed a limit of the account."),
    ),
    "already_decided": Problem(
        409,
        _("Already decided"),
        _("This is no longer open to decide. Look at it again."),
    ),
    "count_outdated": Problem(
        409,
        _("The list has changed"),
        _("The list is not the one that was shown. Have it counted again."),
    ),
    "role_fixed": Problem(
        409,
        _("The role stays"),
        _("An auditor's role is not changed from inside. Make another user."),
    ),
    "change_waits": Problem(
        409,
        _("Decide what waits first"),
        _("A change of this role waits already, or it was decided meanwhile."),
    ),
    "name_taken": Problem(
        409,
        _("Name taken"),
        _("There is a user of that name already."),
    ),
    "link_over": Problem(
        410,
        _("This link is over"),
        _("It was used, is older than a day, or a newer one was made."),
    ),
    "stake_not_whole": Problem(
        422,
        _("Not a whole amount"),
        _("A stake is a whole number of minor units."),
    ),
    "stake_below_minimum": Problem(
        422,
        _("Below the minimum"),
        _("The stake is below the minimum."),
    ),
    "stake_above_maximum": Problem(
        422,
        _("Above the maximum"),
        _("The stake is above the maximum."),
    ),
    "stake_off_step": Problem(
        422,
        _("Off the step"),
        _("The stake is not a multiple of the step."),
    ),
    "amount_not_whole": Problem(
        422,
        _("Not a whole amount"),
        _("An amount is a whole number of minor units."),
    ),
    "amount_below_minimum": Problem(
        422,
        _("Below the minimum"),
        _("The amount is below the minimum."),
    ),
    "amount_above_maximum": Problem(
        422,
        _("Above the maximum"),
        _("The amount is above the maximum."),
    ),
    "currency_mismatch": Problem(
        422,
        _("Other currency"),
        _("The account is kept in another currency."),
    ),
    "unknown_currency": Problem(
        422,
        _("Unknown currency"),
        _("This currency is not offered."),
    ),
    "unknown_game": Problem(
        422,
        _("Unknown game"),
        _("This game or rule set is not offered."),
    ),
    "webhook_url_refused": Problem(
        422,
        _("This address is refused"),
        _("Webhooks are sent by HTTPS, to a host of the public internet."),
    ),
    "replay_too_large": Problem(
        422,
        _("Too much at once"),
        _("This time has more entries than are told again at once. Ask for a shorter one."),
    ),
    "invalid": Problem(
        422,
        _("Invalid request"),
        _("Some members of the request are missing or wrong."),
    ),
    "too_many_requests": Problem(
        429,
        _("Too many requests"),
        _("Slow down, and try again after a while."),
    ),
    "too_soon": Problem(
        429,
        _("Too soon"),
        _("The next round may start in a moment."),
    ),
    "internal_error": Problem(
        500,
        _("Our fault"),
        _("Something went wrong here. Nothing was half done."),
    ),
    "suspended": Problem(
        503,
        _("Play is suspended"),
        _("Play is suspended for now. Your money is safe."),
    ),
    "unavailable": Problem(
        503,
        _("Unavailable"),
        _("We cannot answer now. Try again with the same id."),
    ),
}
