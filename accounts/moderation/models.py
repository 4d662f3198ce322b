"""Tables of conduct: reports, the cases they make, sanctions, filtered words, closed accounts.

Imported by accounts.models. Written by the services beside this file; nothing here is ever deleted.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL


class Reason(models.TextChoices):
    """Prohibited conduct (people.md 4); a report gives one, and so does the closing of an account."""

    RESIDENCE = "residence", _("plays from a place where that is not allowed")
    SECOND_ACCOUNT = "second_account", _("more than one account")
    SOFTWARE = "software", _("lets a program choose the moves")
    ADVICE = "advice", _("is told moves by others")
    LOSING = "losing", _("loses on purpose, to move ratings")
    MOVING_MONEY = "moving_money", _("moves money between accounts")
    ABUSE = "abuse", _("abuse of other players")
    SPAM = "spam", _("advertising and spam")
    STALLING = "stalling", _("disconnects or stalls on purpose")


class Case(models.Model):
    """Everything that speaks against one account, or its appeal, until a person has decided it."""

    class Kind(models.TextChoices):
        """What is asked."""

        CONDUCT = "conduct", _("conduct")
        LINK = "link", _("same person?")
        APPEAL = "appeal", _("appeal")

    class Status(models.TextChoices):
        """How far it is."""

        OPEN = "open", _("open")
        CONFIRMED = "confirmed", _("confirmed")
        DISMISSED = "dismissed", _("dismissed")

    suspect = models.ForeignKey(USER, on_delete=models.PROTECT, related_name="cases")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    status = models.CharField(_("status"), max_length=9, choices=Status, default=Status.OPEN)
    score = models.PositiveIntegerField(_("score"), default=0)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    fed_at = models.DateTimeField(_("last report"), auto_now_add=True)
    taken_by = models.ForeignKey(
        USER,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who works on it"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        USER, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decision = models.TextField(_("decision"), blank=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        permissions = [
            ("decide_case", _("Can decide cases")),
            ("sanction_player", _("Can warn, mute and ban from tables")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["suspect", "kind"],
                name="accounts_one_open_case",
                condition=Q(status="open"),
            ),
            models.CheckConstraint(
                name="accounts_case_decided_by_somebody",
                condition=Q(status="open", decided_by__isnull=True)
                | (~Q(status="open") & Q(decided_by__isnull=False) & ~Q(decision="")),
            ),
        ]
        indexes = [
            models.Index(
                fields=["-score", "opened_at"],
                name="accounts_case_waiting",
                condition=Q(status="open"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.kind}"


class Report(models.Model):
    """One voice in a case: a player's, or a detector's (`detector` names it, `reporter` is empty)."""

    class Place(models.TextChoices):
        """Where it was written."""

        TABLE = "table", _("table")
        CHAT = "chat", _("chat")
        PROFILE = "profile", _("profile")
        DETECTOR = "detector", _("detector")
        APPEAL = "appeal", _("appeal")

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(
        USER, on_delete=models.PROTECT, null=True, blank=True, related_name="reports_made"
    )
    detector = models.SlugField(_("detector"), max_length=30, blank=True)
    reason = models.CharField(_("reason"), max_length=14, choices=Reason, blank=True)
    place = models.CharField(_("place"), max_length=8, choices=Place)
    # What it is about: "match:<id>", "chat:<id>", "profile", "device:…"; one report of a person each.
    about = models.CharField(_("about"), max_length=100)
    match_id = models.UUIDField(_("match"), null=True, blank=True)
    quote = models.CharField(_("what was said"), max_length=400, blank=True)
    text = models.TextField(_("words"), blank=True)
    weight = models.PositiveSmallIntegerField(_("weight"), default=1)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "reporter", "reason", "about"],
                name="accounts_reported_once",
                condition=Q(reporter__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["case", "detector", "about"],
                name="accounts_detected_once",
                condition=Q(reporter__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["reporter", "-at"], name="accounts_reports_of"),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.reason}"


class Sanction(models.Model):
    """What a moderator laid on a player. In force: not lifted, and `until` is empty or to come."""

    class Kind(models.TextChoices):
        """What it does."""

        WARNING = "warning", _("warning")
        MUTE = "mute", _("mute: may not write in chats")
        TABLE_BAN = "table_ban", _("table ban: may not sit down at tables")

    user = models.ForeignKey(USER, on_delete=models.PROTECT, related_name="sanctions")
    kind = models.CharField(_("kind"), max_length=9, choices=Kind)
    why = models.TextField(_("why"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = models.ForeignKey(USER, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    case = models.ForeignKey(
        Case, on_delete=models.PROTECT, null=True, blank=True, related_name="sanctions"
    )
    seen_at = models.DateTimeField(_("read by the player"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        USER, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="accounts_sanction_has_a_reason", condition=~Q(why="")),
        ]
        indexes = [
            models.Index(
                fields=["user", "kind"],
                name="accounts_sanction_in_force",
                condition=Q(lifted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class FilteredWord(models.Model):
    """A word that is masked in chats. A * at an end stands for any letters."""

    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES)
    word = models.CharField(_("word"), max_length=40)

    class Meta:
        verbose_name = _("filtered word")
        verbose_name_plural = _("filtered words")
        ordering = ["language", "word"]
        constraints = [
            models.UniqueConstraint(fields=["language", "word"], name="accounts_word_once"),
        ]

    def __str__(self) -> str:
        return self.word


class Closure(models.Model):
    """A closed account: why, by whom, what became of its matches and its money; and its reopening."""

    class Matches(models.TextChoices):
        """What happens to matches that are running."""

        FINISH = "finish", _("go on without them: clock and absence decide")
        ADJUDICATE = "adjudicate", _("are broken off and adjudicated")
        VOID = "void", _("are void: both stakes go back")

    class Money(models.TextChoices):
        """What happens to the balance."""

        HOLD = "hold", _("is held")
        PAY_OUT = "pay_out", _("is paid out")
        REFUND = "refund", _("goes to the victims, the rest is held")

    class State(models.TextChoices):
        """Of the money."""

        DONE = "done", _("done")
        WAITS = "waits", _("waits for running matches to end")
        SECOND = "second", _("needs a second person")
        DECLINED = "declined", _("declined by the second person; held")

    OWN_WISH = "own_wish"
    OTHER = "other"
    REASONS = [*Reason.choices, (OWN_WISH, _("own wish")), (OTHER, _("another reason"))]

    user = models.ForeignKey(USER, on_delete=models.PROTECT, related_name="closures")
    reason = models.CharField(_("reason"), max_length=14, choices=REASONS)
    note = models.TextField(_("note for staff"), blank=True)
    by = models.ForeignKey(USER, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("when"), auto_now_add=True)
    matches = models.CharField(_("running matches"), max_length=10, choices=Matches)
    money = models.CharField(_("balance"), max_length=8, choices=Money)
    money_state = models.CharField(_("state of the money"), max_length=8, choices=State)
    # Empty until sessions, tables and matches are done with; what was interrupted is taken up again.
    enforced_at = models.DateTimeField(null=True, blank=True)
    # [{"user": id, "amount": cents}], as it was previewed: what the second person approves, and nothing else.
    refunds = models.JSONField(default=list, blank=True)
    second = models.ForeignKey(
        USER, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reopened_at = models.DateTimeField(_("reopened"), null=True, blank=True)
    reopened_by = models.ForeignKey(
        USER, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("closed account")
        verbose_name_plural = _("closed accounts")
        permissions = [
            ("close_account", _("Can close and reopen accounts")),
            ("second_person", _("Can be the second person for money moves of staff")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="accounts_closed_once", condition=Q(reopened_at__isnull=True)
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="accounts_closure_unfinished",
                condition=Q(enforced_at__isnull=True),
            ),
            models.Index(
                fields=["money_state"],
                name="accounts_closure_money",
                condition=Q(money_state__in=["waits", "second"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.reason}"
