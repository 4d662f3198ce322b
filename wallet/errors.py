"""What a person may be refused by the wallet. Pure: the edge translates and shows the sentences."""

from typing import ClassVar

from accounts.errors import Refused, gettext_noop


class BadAmount(Refused):
    """Not an amount of this currency: letters, a sign, an exponent, a fraction of a cent."""

    code: ClassVar[str] = "bad_amount"
    text: ClassVar[str] = gettext_noop("Write the amount in figures, for example 5 or 2.50.")


class FractionOfUnit(BadAmount):
    """More decimals than the currency has."""

    text: ClassVar[str] = gettext_noop(
        "An amount in this currency has at most %(decimals)d digits after the point."
    )


class AmountTooSmall(BadAmount):
    """Below what this form or the ledger takes."""

    text: ClassVar[str] = gettext_noop("The smallest amount here is %(least)s.")


class AmountTooLarge(BadAmount):
    """Above what this form or the ledger takes."""

    text: ClassVar[str] = gettext_noop("The largest amount here is %(most)s.")


class BalanceOutOfRange(BadAmount):
    """The balance would leave the range that the database keeps."""

    text: ClassVar[str] = gettext_noop("This account cannot hold so much.")


class InsufficientFunds(Refused):
    """An account does not cover what it should pay. `user_ids` are the players who fall short."""

    code: ClassVar[str] = "insufficient_funds"
    text: ClassVar[str] = gettext_noop("There is not enough in your account for this.")

    def __init__(self, *, user_ids: tuple[int, ...] = (), **params: object) -> None:
        super().__init__(**params)
        self.user_ids = user_ids


class PayoutsFrozen(Refused):
    """The checker has found something: until a person has looked, no player's money leaves the site."""

    code: ClassVar[str] = "payouts_frozen"
    text: ClassVar[str] = gettext_noop(
        "Payouts are stopped while our books are being checked. Your money is safe; please try again later."
    )


class KeyReused(Refused):
    """An idempotency key came again with other content; nothing was moved."""

    code: ClassVar[str] = "key_reused"
    text: ClassVar[str] = gettext_noop(
        "This form was already sent with another amount. Open the page again to make a new payment."
    )


class ChipsNotLow(Refused):
    """A refill is given only to somebody who has run low."""

    code: ClassVar[str] = "chips_not_low"
    text: ClassVar[str] = gettext_noop(
        "Chips can be refilled when you have fewer than %(below)d. You have %(have)d."
    )


class SandboxClosed(Refused):
    """The sandbox provider pays in test money, which a site with real money never takes."""

    code: ClassVar[str] = "sandbox_closed"
    text: ClassVar[str] = gettext_noop("Test money cannot be paid in on this site.")


class FormExpired(Refused):
    """The form's token is missing, too old, or not one that this site made for this person."""

    code: ClassVar[str] = "form_expired"
    text: ClassVar[str] = gettext_noop(
        "This form is too old. Nothing was paid in. Please send it again."
    )


class EditionInThePast(Refused):
    """A tariff cannot begin before today: players have been told another one."""

    code: ClassVar[str] = "edition_in_the_past"
    text: ClassVar[str] = gettext_noop("A tariff can begin today or later, not earlier.")


class EditionTaken(Refused):
    """Two people made an edition at the same moment."""

    code: ClassVar[str] = "edition_taken"
    text: ClassVar[str] = gettext_noop(
        "Somebody else has just changed this tariff. Look at theirs first."
    )


class DepositLimitReached(Refused):
    """The player's own limit of deposits leaves less than this."""

    code: ClassVar[str] = "deposit_limit"
    text: ClassVar[str] = gettext_noop(
        "Your own limit for deposits is %(limit)s in %(days)d days; %(left)s of it is left."
    )


class LossLimitReached(Refused):
    """A player could lose more at this table than their own limit leaves."""

    code: ClassVar[str] = "loss_limit"
    text: ClassVar[str] = gettext_noop(
        "Your own limit for losses is %(limit)s in %(days)d days. You could lose %(left)s more, and this "
        "table could cost you %(needed)s."
    )


class CannotStake(Refused):
    """When the stakes were to be held, one of the two could not play for them. Which one, and why, is theirs."""

    code: ClassVar[str] = "cannot_stake"
    text: ClassVar[str] = gettext_noop("One of you cannot play for this stake now.")


class PaymentsClosed(Refused):
    """The payment provider has not been set up."""

    code: ClassVar[str] = "payments_closed"
    text: ClassVar[str] = gettext_noop("Payments are closed at the moment.")


class TooManyOpenDeposits(Refused):
    """More payments begun and not finished than anybody needs."""

    code: ClassVar[str] = "too_many_open_deposits"
    text: ClassVar[str] = gettext_noop(
        "You have begun several payments. Finish one of them, or try again in an hour."
    )


class EmailUnverified(Refused):
    """Money is paid in by people whose address is known to be theirs."""

    code: ClassVar[str] = "email_unverified"
    text: ClassVar[str] = gettext_noop("Confirm your e-mail address first.")


class IdentityUnverified(Refused):
    """Money is paid out to people whom staff have identified."""

    code: ClassVar[str] = "identity_unverified"
    text: ClassVar[str] = gettext_noop(
        "Before the first withdrawal we have to verify who you are. Please write to support."
    )


class SecondFactorMissing(Refused):
    """A stolen password alone must not move money out."""

    code: ClassVar[str] = "second_factor_missing"
    text: ClassVar[str] = gettext_noop(
        "Set up a second factor first: your profile leads there. A password alone pays nothing out."
    )


class WithdrawalsHeld(Refused):
    """One of the player's payments was refunded or is disputed; a person looks at it."""

    code: ClassVar[str] = "withdrawals_held"
    text: ClassVar[str] = gettext_noop(
        "Withdrawals are held while we look at one of your payments. Your money is safe."
    )


class WithdrawalDecided(Refused):
    """Somebody was faster: the withdrawal is not where this deed could still change it."""

    code: ClassVar[str] = "withdrawal_decided"
    text: ClassVar[str] = gettext_noop("This withdrawal has been decided already.")


class OwnWithdrawal(Refused):
    """Nobody decides about their own money."""

    code: ClassVar[str] = "own_money"
    text: ClassVar[str] = gettext_noop("You cannot decide about your own money.")


class SecondPersonNeeded(Refused):
    """The same person has agreed already; so much needs two."""

    code: ClassVar[str] = "second_person_needed"
    text: ClassVar[str] = gettext_noop("You have agreed already. So much needs a second person.")


class ReasonNeeded(Refused):
    """A deed about money is explained."""

    code: ClassVar[str] = "reason_needed"
    text: ClassVar[str] = gettext_noop("Write the reason.")


class TaskClosed(Refused):
    """The task was closed by somebody else."""

    code: ClassVar[str] = "task_closed"
    text: ClassVar[str] = gettext_noop("This task has been closed already.")


class NotEnoughPoints(Refused):
    """An exchange needs more points than the player has."""

    code: ClassVar[str] = "not_enough_points"
    text: ClassVar[str] = gettext_noop("This needs %(needed)d points. You have %(have)d.")


class NoSuchStep(Refused):
    """The ladder has no such step, or not any more."""

    code: ClassVar[str] = "no_such_step"
    text: ClassVar[str] = gettext_noop("This reward is not offered any more.")


class CampaignOver(Refused):
    """The campaign has not begun, or has ended."""

    code: ClassVar[str] = "campaign_over"
    text: ClassVar[str] = gettext_noop("This promotion is over.")


class BudgetUsedUp(Refused):
    """What the house has set aside does not cover the reward. The points stay."""

    code: ClassVar[str] = "budget_used_up"
    text: ClassVar[str] = gettext_noop(
        "The budget of this promotion is used up at the moment. Your points stay yours."
    )


class AccountsDoNotFit(Refused):
    """Two currencies, one account twice, or a kind of account that cannot pay the other for this."""

    code: ClassVar[str] = "accounts_do_not_fit"
    text: ClassVar[str] = gettext_noop("Money cannot move between these two accounts for this.")


class OwnMove(Refused):
    """Nobody of the staff moves money to or from their own account."""

    code: ClassVar[str] = "own_money"
    text: ClassVar[str] = gettext_noop("You cannot decide about your own money.")


class CorrectionDecided(Refused):
    """Somebody else has made or refused it."""

    code: ClassVar[str] = "correction_decided"
    text: ClassVar[str] = gettext_noop("This has been decided already.")
