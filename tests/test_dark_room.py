"""The Dark Room (rooms.md 1): identities never leave the server.

Every page of the site and every message of its sockets is read as the opponent, a spectator and a stranger, in every
state of a match, and searched for what could tell who somebody is. A new page without an example here fails the walk.
"""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission
from django.core.signing import Signer
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import StaffAction, User
from games import floor, house, housebots, replays, standings
from games.dbclock import read_ms
from games.engine.bots import Level
from games.match import commands
from games.match.sides import Side
from games.models import ChatLine, PlayerRating, Seat
from games.ratings import UNIT
from games.tests import abandoned, players
from games.tests.conftest import Later
from games.tests.conftest import later as later
from games.tests.decided import lose
from games.tests.players import Tab
from rooms import draws, shipped
from rooms.models import Offer, Room
from rooms.tests.people import player, room, terms
from rooms.tests.test_sockets import Page
from wallet.models import Transfer

ANN, BOB = "Quizzical", "Zephyrine"
FACTS: dict[str, dict[str, Any]] = {
    ANN: {"id": 918_273_645, "country": "KI"},
    BOB: {"id": 827_364_519, "country": "TV"},
}
RATINGS = {ANN: 2719, BOB: 2357}
COUNTRIES = {"KI": "Kiribati", "TV": "Tuvalu"}
NAMED = {"games:player", "games:leaders", "accounts:report_on_profile"}
"""Pages about a player by name: they name people, and nothing on them may change with an anonymous match."""

SKIPPED = {"games:fairness", "javascript-catalog"}
WITHOUT_EXAMPLE = re.compile(r"<[^>]+>")
LISTS_OF_COUNTRIES = re.compile(r"<option.*?</option>", re.DOTALL)


class Secrets(NamedTuple):
    """What would tell who somebody is."""

    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, user: User) -> "Secrets":
        """Name and e-mail anywhere; numbers and the country's code where they stand alone."""
        whole = [user.screen_name, user.email, COUNTRIES[user.country]]
        alone = [str(user.pk), str(RATINGS[user.screen_name])]
        return cls(
            (
                *(re.compile(re.escape(text), re.IGNORECASE) for text in whole),
                *(re.compile(rf"(?<![0-9a-f-]){text}(?![0-9a-f])") for text in alone),
                re.compile(rf"\b{user.country}\b"),
            )
        )

    def found_in(self, text: str) -> list[str]:
        """The places where something is told."""
        text = LISTS_OF_COUNTRIES.sub("", text)
        return [
            text[max(0, hit.start() - 60) : hit.end() + 20]
            for pattern in self.patterns
            for hit in pattern.finditer(text)
        ]


def known(name: str) -> User:
    user = player(cents=100_000, **FACTS[name])
    User.objects.filter(pk=user.pk).update(email=f"{name.lower()}@example.com")
    user = User.objects.get(pk=user.pk)
    user.screen_name = name
    user.save()
    PlayerRating.objects.create(
        user=user,
        game="backgammon",
        currency="USD",
        billionths=RATINGS[name] * UNIT,
        experience=400,
    )
    return user


# --- every page ---------------------------------------------------------------------------------------


def addresses(match_id: UUID) -> Iterator[tuple[str, str]]:
    """(name, path) of every page but the staff's, with this match in it. Fails for one without an example."""
    examples: dict[str, list[Any]] = {
        "match_id": [match_id],
        "room": ["dark", "main"],
        "side": ["light", "dark"],
        "key": ["x" * 24],
        "token": [Signer(salt=replays._SALT, sep=".").sign(match_id.hex)],
        "line_id": list(ChatLine.objects.values_list("pk", flat=True)) or [1],
        "name": [ANN, BOB],
        "screen_name": [ANN, BOB],
        "game": ["backgammon"],
        "pk": [1],
        "withdrawal_id": [uuid4()],
        "uidb36": ["1"],
        "provider": ["x"],
    }
    for name, route in routes(get_resolver().url_patterns):
        if route.startswith(("admin/", "accounts/")) or name in SKIPPED:
            continue
        paths = ["/" + route]
        for param in re.findall(r"<(?:\w+:)?(\w+)>", route):
            assert param in examples, f"give an example for {param} of {name}: {route}"
            spot = re.compile(rf"<(?:\w+:)?{param}>")
            paths = [spot.sub(str(value), path) for path in paths for value in examples[param]]
        for path in paths:
            assert not WITHOUT_EXAMPLE.search(path), path
            yield name, path


def routes(
    patterns: list[URLPattern | URLResolver], space: str = "", prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """(name, route) of everything that answers."""
    for each in patterns:
        route = prefix + str(each.pattern).lstrip("^")
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, each.namespace or space, route)
        else:
            yield f"{space}:{each.name}" if space else str(each.name), route


class Walk:
    """Reads everything as one person, or as a stranger, and remembers what was told of the others."""

    def __init__(self, reader: User | None, hidden: list[User]) -> None:
        self.reader = reader
        self.hidden = [Secrets.of(user) for user in hidden]
        self.told: list[str] = []
        self.pages = 0
        self._client = Client()

    def client(self) -> Client:
        """Their browser; signed in again where a page has signed them out."""
        if self.reader is not None and "_auth_user_id" not in self._client.session:
            self._client.force_login(
                self.reader, backend="allauth.account.auth_backends.AuthenticationBackend"
            )
        return self._client

    def walk(self, match_id: UUID, *, post: bool = False) -> None:
        """Every page, asked for and, if told so, posted to."""
        for name, path in addresses(match_id):
            if name in NAMED:
                continue
            self.read(path, self.client().get(path, {"format": "csv", "days": "all"}))
            if post:
                sent = {"offer": str(uuid4()), "why": "curious"}
                self.read(path, self.client().post(path, sent))

    def read(self, path: str, answer: HttpResponse) -> None:
        self.pages += 1
        body = b"".join(answer) if answer.streaming else answer.content
        text = body.decode("utf-8", "replace") + "\n" + str(dict(answer.headers))
        text += "\n" + str(answer.cookies)
        self.search(f"{path} ({answer.status_code})", text)

    def search(self, where: str, text: str) -> None:
        for secrets in self.hidden:
            self.told += [f"{where}: …{place}…" for place in secrets.found_in(text)]


# --- the walk -----------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def dark(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[User, User, User]]:
    """Two players of the Dark Room and a spectator."""
    monkeypatch.setattr(floor, "SILENT_AFTER_S", 3_600)
    await sync_to_async(shipped.lay_down)(Room)
    people = [await sync_to_async(known)(name) for name in (ANN, BOB)]
    yield people[0], people[1], await sync_to_async(player)(cents=100_000)
    await players.close_floor()


def asked(user: User) -> UUID | None:
    return draws.ask(user=user, room=room("dark"), terms=terms(500, slug="dark"), token=uuid4().hex)


def readers(ann: User, bob: User, cat: User) -> list[Walk]:
    """Each opponent looks for the other, a spectator and a stranger for both."""
    return [
        Walk(ann, [bob]),
        Walk(bob, [ann]),
        Walk(cat, [ann, bob]),
        Walk(None, [ann, bob]),
    ]


def walk_all(walks: list[Walk], match_id: UUID) -> None:
    for walk in walks:
        walk.walk(match_id)


def assert_nothing_was_told(walks: list[Walk]) -> None:
    for walk in walks:
        assert walk.told == [], walk.told[:5]


class Evening:
    """A match of the Dark Room from the open table to its end, with everybody's browsers open."""

    def __init__(self, ann: User, bob: User, cat: User) -> None:
        self.ann, self.bob = ann, bob
        self.walks = readers(ann, bob, cat)
        self.lobby = [
            Page(walk.reader, place, "en") for place in ("dark", "main") for walk in self.walks
        ]
        self.tabs: list[Tab] = []

    async def walk(self, match_id: UUID, *, post: bool = False) -> None:
        """Every page as everybody."""
        for each in self.walks:
            await sync_to_async(each.walk)(match_id, post=post)

    async def wait_and_meet(self) -> UUID:
        """One opens a table, everybody looks at the lobby, the other joins."""
        for page in self.lobby:
            await page.open()
        assert await sync_to_async(asked)(self.ann) is None
        waiting = await Offer.objects.aget()
        await self.walk(uuid4())
        await self.lobby[1].send({"cmd": "prospects", "offers": [str(waiting.pk)]})
        await self.lobby[1].until(lambda frame: frame["kind"] == "prospects")
        match_id = await sync_to_async(draws.ask_like)(user=self.bob, offer_id=waiting.pk)
        assert match_id is not None
        for each in self.walks:
            self.tabs.append(await Tab(match_id, each.reader).open())
        return match_id

    async def play(self) -> None:
        """Both begin, talk, move, and try what is refused; a spectator talks too."""
        both = self.tabs[:2]
        for act in ("accept", "reveal"):
            for tab in both:
                answer = await getattr(tab, act)()
                assert answer["kind"] == "ack", answer
                for each in both:
                    await each.settle_to(answer["version"])
        for tab in self.tabs[:3]:
            await tab.order("chat", text="good luck")
        for _ in range(6):
            await players.step(*both)
        await both[0].order("play", steps=[[1, 2]])

    async def look_back(self) -> None:
        """After the end: the table once more, and a wish to play again, which is refused."""
        for tab in self.tabs:
            await tab.hello(0)
        for tab in self.tabs[:2]:
            await tab.order("rematch", want=True)

    async def leave(self) -> None:
        """Everybody closes their browser; what they were sent is searched."""
        for each, page in zip([*self.walks, *self.walks], self.lobby, strict=True):
            each.search("lobby socket", repr(page.seen))
            await page.close()
        for each, tab in zip(self.walks, self.tabs, strict=True):
            each.search("table socket", repr(tab.frames))
            assert any(frame["kind"] == "snapshot" for frame in tab.frames)
            await tab.close()


async def test_no_page_and_no_message_tells_who_plays(dark: tuple[User, User, User]) -> None:
    evening = Evening(*dark)
    match_id = await evening.wait_and_meet()
    await evening.play()
    await evening.walk(match_id, post=True)  # while it runs
    await sync_to_async(lose)(match_id, Side.DARK)
    await evening.look_back()
    await evening.walk(match_id)  # when it is over
    await evening.leave()
    assert_nothing_was_told(evening.walks)
    assert min(walk.pages for walk in evening.walks) > 200


@pytest.mark.django_db(transaction=True)
def test_a_verdict_names_nobody(later: Later) -> None:
    """An abandoned match: the page of its verdict, the statement, the banner."""
    shipped.lay_down(Room)
    ann, bob, cat = known(ANN), known(BOB), player()
    asked(ann)
    match_id = asked(bob)
    assert match_id is not None
    abandoned.begin(match_id)
    walks = readers(ann, bob, cat)
    house.advance(match_id, commands.MarkLost(side=Side.DARK, since_ms=read_ms() - 20_000))
    later.skip(abandoned.WINDOW_MS)
    assert house.expire(match_id)
    abandoned.judged(match_id)
    walk_all(walks, match_id)
    assert_nothing_was_told(walks)
    page = walks[1].client().get(reverse("games:verdict", args=[match_id]))
    assert page.status_code == 200
    assert "Anonymous" in page.content.decode()
    statement = walks[0].client().get("/wallet/").content.decode()
    assert "against Anonymous" in statement


@pytest.mark.django_db(transaction=True)
def test_nothing_about_a_named_player_changes_with_an_anonymous_match() -> None:
    """Profile, leaderboards, count of matches left: they stand in public under a name, so they stand still."""
    shipped.lay_down(Room)
    ann, bob = known(ANN), known(BOB)
    client = Walk(player(), []).client()
    paths = [f"/players/{ANN}/", f"/players/{BOB}/", "/leaderboards/", "/leaderboards/?by=month"]

    def shown() -> list[str]:
        return [
            re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode())
            for page in map(client.get, paths)
        ]

    before = shown()
    asked(ann)
    match_id = asked(bob)
    assert match_id is not None
    during = shown()
    abandoned.begin(match_id)
    lose(match_id, Side.DARK)
    Seat.objects.filter(match_id=match_id, user=bob).update(abandoned=True)
    assert before == during == shown()
    counts = standings.unfinished_of([bob.pk]), standings.unfinished_of([bob.pk], column="dark")
    assert counts == ({bob.pk: 0}, {bob.pk: 1})


def test_every_page_has_an_example() -> None:
    """The walk knows the site: it would notice a page that is new."""
    found = {name for name, _ in routes(get_resolver().url_patterns)}
    assert {"games:table", "games:verify", "games:replay", "rooms:lobby", "wallet:home"} <= found


# --- staff --------------------------------------------------------------------------------------------


def staff(*codes: str) -> Client:
    user = player(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    return Walk(user, []).client()


@pytest.fixture
def dark_match(db: None) -> UUID:
    shipped.lay_down(Room)
    ann, bob = known(ANN), known(BOB)
    asked(ann)
    match_id = asked(bob)
    assert match_id is not None
    ChatLine.objects.create(match_id=match_id, user=ann, side="light", text="good luck")
    return match_id


READS = ("view_match", "view_chatline", "view_offer", "view_adjudication")


def test_staff_see_who_plays_for_a_reason_that_is_recorded(dark_match: UUID) -> None:
    """rooms.md 1: staff see them; people.md 3: every staff action writes one row."""
    client = staff(*READS, "see_identities")
    url = reverse("admin:games_match_identities", args=[dark_match])
    assert ANN not in client.get(url).content.decode()
    refused = client.post(url, {"why": "  "}).content.decode()
    assert ANN not in refused
    assert "Write why" in refused
    assert not StaffAction.objects.filter(action="see_identities").exists()
    told = client.post(url, {"why": "a report of collusion"}).content.decode()
    assert ANN in told
    assert BOB in told
    row = StaffAction.objects.get(action="see_identities")
    assert (row.about, row.why) == (f"match:{dark_match}", "a report of collusion")
    assert client.post(url, {"why": "again"}).status_code == 200
    assert StaffAction.objects.filter(action="see_identities").count() == 2


def test_without_the_permission_nobody_sees_them(dark_match: UUID) -> None:
    client = staff(*READS)
    url = reverse("admin:games_match_identities", args=[dark_match])
    assert client.post(url, {"why": "curious"}).status_code == 403
    assert not StaffAction.objects.filter(action="see_identities").exists()


@pytest.mark.parametrize("named", ["match", "chatline"])
def test_lists_of_the_admin_name_nobody_and_a_search_for_a_person_finds_no_anonymous_match(
    dark_match: UUID, named: str
) -> None:
    client = staff(*READS)
    url = reverse(f"admin:games_{named}_changelist")
    listed = client.get(url, {"q": str(dark_match)}).content.decode()
    shown = (
        reverse(f"admin:games_{named}_changelist").replace("/", r"\/") + r"[0-9a-f_5-]+\/change\/"
    )
    assert re.search(shown, listed)
    assert ANN not in listed
    searched = client.get(url, {"q": ANN}).content.decode()
    assert not re.search(shown, searched)
    if named == "match":
        page = client.get(reverse("admin:games_match_change", args=[dark_match])).content.decode()
        assert ANN not in page
        assert "Show, for a reason" in page


def test_open_tables_in_the_admin_name_nobody(dark_match: UUID) -> None:
    client = staff(*READS)
    for offer in Offer.objects.all():
        page = client.get(reverse("admin:rooms_offer_change", args=[offer.pk])).content.decode()
        assert ANN not in page
        assert BOB not in page
    assert ANN not in client.get(reverse("admin:rooms_offer_changelist")).content.decode()


@pytest.mark.django_db
def test_matches_with_house_bots_are_no_way_around() -> None:
    """A bot never sits in the Dark Room: it plays for chips."""
    shipped.lay_down(Room)
    with pytest.raises(Exception, match="bots_play_for_chips"):
        asked(housebots.bot(Level.EASY))
    assert not Transfer.objects.filter(currency="USD").exists()
