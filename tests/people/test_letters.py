"""Letters that no request of their readers causes: in their language, and lost without harm."""

import smtplib

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.moderation import letters, sanctions
from accounts.tests.staff import moderator
from games.tests.players import make_user

pytestmark = pytest.mark.django_db


def test_the_language_last_read_is_that_of_letters(mailoutbox, monkeypatch) -> None:
    whom, client = make_user(), Client()
    client.force_login(whom)
    client.cookies["django_language"] = "fi"
    client.get("/profile/")
    whom.refresh_from_db()
    assert whom.language == "fi"
    spoken = []
    monkeypatch.setattr(letters, "send_mail", lambda *_: spoken.append(translation.get_language()))

    def rendered(*_):
        spoken.append(translation.get_language())
        return "x"

    monkeypatch.setattr(letters, "render_to_string", rendered)
    with translation.override("ru"):
        letters.factor_reset(whom)
        assert translation.get_language() == "ru"
    assert spoken[:2] == ["fi", "fi"]


def test_a_mail_server_that_is_away_undoes_nothing(
    monkeypatch, caplog, django_capture_on_commit_callbacks
) -> None:
    def away(self, messages):
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "send_messages", away)
    whom = make_user()
    with django_capture_on_commit_callbacks(execute=True):
        sanctions.lay("mute", whom, by=moderator(), why="insults", span="day")
    assert sanctions.in_force(whom.pk, "mute") is not None
    assert "a letter was not sent" in caplog.text
    assert User.objects.filter(pk=whom.pk, is_active=True).exists()
