"""The account of a person: how they sign in, who they are and where they live. And where money play is refused."""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django_countries import countries

from accounts import names, us_states
from accounts.validators import as_validation_error, validate_country, validate_screen_name


def country_choices() -> list[tuple[str, str]]:
    """Codes and names of all countries, in the reader's language."""
    return [(country.code, country.name) for country in countries]


class UserManager(BaseUserManager["User"]):
    """Makes accounts; the e-mail is the login."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        """A player. `fields` are model fields; screen_name is required. Raises ValidationError."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.full_clean(exclude=["password", "look_shown", "look_small", "look_large"])
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        """An administrator, from the command line: the address counts as confirmed."""
        user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
        user.confirm_email()
        return user

    def looking_like(self, screen_name: str) -> "models.QuerySet[User]":
        """Accounts whose name could be taken for this one."""
        looks = names.looks(screen_name)
        return self.filter(
            models.Q(look_shown=looks.shown)
            | models.Q(look_small=looks.small)
            | models.Q(look_large=looks.large)
        )

    def get_by_natural_key(self, username: str | None) -> "User":
        """By e-mail, in any case of letters."""
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """One person. Other players see the screen name only."""

    email = models.EmailField(_("e-mail"), unique=True)
    screen_name = models.CharField(
        _("screen name"), max_length=names.LONGEST, validators=[validate_screen_name]
    )
    # How the name looks, see names.looks: no two accounts share one.
    look_shown = models.CharField(max_length=names.LONGEST_KEY, unique=True, editable=False)
    look_small = models.CharField(max_length=names.LONGEST_KEY, unique=True, editable=False)
    look_large = models.CharField(max_length=names.LONGEST_KEY, unique=True, editable=False)
    full_name = models.CharField(_("full name"), max_length=120, blank=True)
    birth_date = models.DateField(_("date of birth"), null=True, blank=True)
    street = models.CharField(_("street and number"), max_length=160, blank=True)
    city = models.CharField(_("town"), max_length=80, blank=True)
    postcode = models.CharField(_("postal code"), max_length=16, blank=True)
    country = models.CharField(
        _("country"), max_length=2, blank=True, validators=[validate_country]
    )
    us_state = models.CharField(_("US state"), max_length=2, blank=True, choices=us_states.CHOICES)
    # The language in which they last read a page: that of the letters that no request of theirs causes.
    language = models.CharField(max_length=5, blank=True, editable=False)
    # Set by staff who have seen papers; a change of what they show takes it away.
    identity_verified_at = models.DateTimeField(_("identity verified"), null=True, blank=True)
    address_verified_at = models.DateTimeField(_("address verified"), null=True, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    date_joined = models.DateTimeField(_("joined"), auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["screen_name"]

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions = [
            ("verify_user", _("Can verify identity and address, and lift holds")),
            ("manage_staff", _("Can make and unmake staff, and act on their accounts")),
        ]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="accounts_email_unique"),
            models.CheckConstraint(
                name="accounts_state_only_in_the_us",
                condition=models.Q(us_state="") | models.Q(country="US"),
            ),
        ]

    def __str__(self) -> str:
        return self.screen_name

    def clean(self) -> None:
        """Brings e-mail and name to the form in which they are kept. Raises ValidationError for a taken name."""
        self.email = self.email.lower()
        self.look_like(self.screen_name)
        if User.objects.looking_like(self.screen_name).exclude(pk=self.pk).exists():
            raise ValidationError({"screen_name": as_validation_error(names.NameTaken())})

    def look_like(self, screen_name: str) -> None:
        """Sets the name and what keeps others from looking like it."""
        self.screen_name = screen_name
        looks = names.looks(screen_name)
        self.look_shown, self.look_small, self.look_large = looks.shown, looks.small, looks.large

    def save(
        self,
        *args: Any,
        update_fields: Iterable[str] | None = None,
        **kwargs: Any,
    ) -> None:
        """The looks always follow the name, whoever saves it."""
        if update_fields is None or "screen_name" in update_fields:
            self.email = self.email.lower()
            self.look_like(self.screen_name)
        if update_fields is not None and "screen_name" in update_fields:
            update_fields = {*update_fields, "look_shown", "look_small", "look_large"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def confirm_email(self) -> None:
        """The address is known to be theirs: no code is asked for at the next sign-in."""
        address = apps.get_model("account", "EmailAddress")
        address._default_manager.update_or_create(
            user=self, email=self.email, defaults={"verified": True, "primary": True}
        )


class Restriction(models.Model):
    """A place whose residents cannot play for money: a country, or one state of the US."""

    country = models.CharField(_("country"), max_length=2, choices=country_choices)
    us_state = models.CharField(_("US state"), max_length=2, blank=True, choices=us_states.CHOICES)
    note = models.CharField(_("note for staff"), max_length=200, blank=True)
    added_at = models.DateTimeField(_("added"), auto_now_add=True)

    class Meta:
        verbose_name = _("restricted place")
        verbose_name_plural = _("restricted places")
        ordering = ["country", "us_state"]
        constraints = [
            models.UniqueConstraint(
                fields=["country", "us_state"], name="accounts_restriction_once"
            ),
            models.CheckConstraint(
                name="accounts_restriction_state_only_in_the_us",
                condition=models.Q(us_state="") | models.Q(country="US"),
            ),
        ]

    def __str__(self) -> str:
        return "-".join(filter(None, (self.country, self.us_state)))


class SiteSwitch(models.Model):
    """Something that is stopped on the whole site for a while. No row: it is not. Written by accounts.switches."""

    class Name(models.TextChoices):
        """What can be stopped."""

        MAINTENANCE = "maintenance", _("maintenance: no new tables, running matches go on")
        PAYOUTS_FROZEN = "payouts_frozen", _("payouts frozen: no player's money leaves the site")

    name = models.CharField(_("what"), max_length=20, choices=Name, primary_key=True)
    on = models.BooleanField(_("in force"), default=False)
    why = models.TextField(_("why"))
    since = models.DateTimeField(_("since"), auto_now=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("who"),
    )

    class Meta:
        verbose_name = _("switch of the site")
        verbose_name_plural = _("switches of the site")
        constraints = [
            models.CheckConstraint(
                name="accounts_switch_has_a_reason", condition=~models.Q(why="")
            ),
        ]

    def __str__(self) -> str:
        return self.name


class StaffAction(models.Model):
    """One thing that somebody on the staff did: appended by accounts.audit, never changed or deleted."""

    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="staff_actions",
        verbose_name=_("who"),
    )
    action = models.SlugField(_("what"), max_length=40)
    whom = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="staff_actions_on",
        null=True,
        blank=True,
        verbose_name=_("whom"),
    )
    about = models.CharField(_("object"), max_length=100, blank=True)
    why = models.TextField(_("why"))
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)

    class Meta:
        verbose_name = _("staff action")
        verbose_name_plural = _("staff actions")
        ordering = ["-id"]
        indexes = [models.Index(fields=["about"], name="accounts_action_about")]
        constraints = [
            models.CheckConstraint(
                name="accounts_action_has_a_reason", condition=~models.Q(why="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.about}".strip()


# The other tables of this app; each file says what it holds.
from accounts.friendships import Block, Friendship  # noqa: E402
from accounts.limits import PlayBreak, PlayerLimit  # noqa: E402
from accounts.moderation.models import (  # noqa: E402
    Case,
    Closure,
    FilteredWord,
    Reason,
    Report,
    Sanction,
)
from accounts.traces import AccountLink, IdentityKey, MoneyHold, Whereabouts  # noqa: E402

__all__ = [
    "AccountLink",
    "Block",
    "Case",
    "Closure",
    "FilteredWord",
    "Friendship",
    "IdentityKey",
    "MoneyHold",
    "PlayBreak",
    "PlayerLimit",
    "Reason",
    "Report",
    "Restriction",
    "Sanction",
    "SiteSwitch",
    "StaffAction",
    "User",
    "UserManager",
    "Whereabouts",
    "country_choices",
]
