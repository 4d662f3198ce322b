"""What staff, reporters and talkers may be refused."""

from accounts.errors import Refused, gettext_noop


class ReasonMissing(Refused):
    """Every deed of staff has a reason."""

    code = "reason_missing"
    text = gettext_noop("Write the reason, in at most %(most)s characters.")


class OwnAccount(Refused):
    """Nobody on the staff acts on themself."""

    code = "own_account"
    text = gettext_noop("This is about yourself; somebody else on the staff has to do it.")


class NotAllowed(Refused):
    """Somebody without the permission."""

    code = "not_allowed"
    text = gettext_noop("Your role does not allow this.")


class CaseDecided(Refused):
    """Somebody was faster."""

    code = "case_decided"
    text = gettext_noop("%(who)s has decided this case already. Nothing was changed.")


class ReportsTooFast(Refused):
    """More reports than a person writes in earnest."""

    code = "too_many_reports"
    text = gettext_noop("You have sent many reports today. Those that you sent are being read.")


class UnknownReason(Refused):
    """None of the nine."""

    code = "bad_report"
    text = gettext_noop("Choose what you report, and write at most %(most)s characters.")


class ReportYourself(Refused):
    """A report on oneself."""

    code = "own_report"
    text = gettext_noop("You cannot report yourself.")


class Muted(Refused):
    """A mute is in force."""

    code = "muted"
    text = gettext_noop("You cannot write in chats until %(until)s. The reason: %(why)s")


class LinksTooEarly(Refused):
    """A link from a new account."""

    code = "no_links"
    text = gettext_noop("New accounts cannot send links. Write it without one.")


class TableBanned(Refused):
    """A table ban is in force."""

    code = "table_banned"
    text = gettext_noop("You cannot sit down at tables until %(until)s. The reason: %(why)s")


class AlreadyClosed(Refused):
    """Somebody was faster."""

    code = "already_closed"
    text = gettext_noop("%(who)s has closed this account already. Nothing was changed.")


class NotClosed(Refused):
    """The account is open."""

    code = "not_closed"
    text = gettext_noop("This account is not closed. Nothing was changed.")


class StaffAccount(Refused):
    """Support cannot close the account of a colleague."""

    code = "staff_account"
    text = gettext_noop("This is the account of a staff member; only an administrator acts on it.")


class ClosingChanged(Refused):
    """What was previewed is not what would happen now."""

    code = "closing_changed"
    text = gettext_noop(
        "The balance or the matches have changed since the preview. Nothing was done: look at it again."
    )


class NoVictims(Refused):
    """A refund to nobody, or to somebody who lost nothing."""

    code = "no_victims"
    text = gettext_noop("Choose victims among those who have lost money to this account.")


class SecondPersonNeeded(Refused):
    """The one who proposed it cannot approve it."""

    code = "second_person"
    text = gettext_noop("Somebody else than the one who closed the account has to agree.")


class NothingWaits(Refused):
    """Somebody was faster."""

    code = "nothing_waits"
    text = gettext_noop("Nothing waits for a second person here any more. Nothing was changed.")


class MatchRunning(Refused):
    """One's own account while a match for money runs."""

    code = "match_running"
    text = gettext_noop("You are playing a match for money. Finish it first.")


class BalanceLeft(Refused):
    """One's own account while there is money on it."""

    code = "balance_left"
    text = gettext_noop(
        "There is money on your account. Withdraw it first; then close the account."
    )


class OwnDeed(Refused):
    """An appeal against what this person did."""

    code = "own_deed"
    text = gettext_noop("The appeal is against what you did; somebody else has to decide it.")


class NotHeard(Refused):
    """A block between the writer and somebody at the table; whose it is is not said."""

    code = "not_heard"
    text = gettext_noop("You cannot write at this table.")
