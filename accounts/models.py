"""The account of a person: how they sign in, who they are and where they live."""

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    """Makes accounts; the e-mail is the login."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        """A player. `fields` are model fields; screen_name is required."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        """An administrator for the command line."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """One person. Other players see the screen name only."""

    email = models.EmailField(_("e-mail"), unique=True)
    screen_name = models.CharField(_("screen name"), max_length=20)
    birth_date = models.DateField(_("date of birth"), null=True, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    us_state = models.CharField(_("US state"), max_length=2, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    date_joined = models.DateTimeField(_("joined"), auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["screen_name"]

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(Lower("screen_name"), name="accounts_screen_name_unique"),
            models.UniqueConstraint(Lower("email"), name="accounts_email_unique"),
        ]

    def __str__(self) -> str:
        return self.screen_name
