"""The site as real processes: it answers, survives a kill -9, and takes fixed dice."""

import json
import urllib.request

from tests.run.site import Site


def _ready(site: Site) -> bool:
    with urllib.request.urlopen(f"{site.url}/readyz", timeout=10) as answer:
        return bool(json.load(answer)["ready"])


def test_it_comes_back_at_the_same_address_after_a_crash(live_processes: Site) -> None:
    address = live_processes.url
    assert _ready(live_processes)
    live_processes.kill()
    assert not live_processes.web._answers()
    live_processes.restart()
    assert live_processes.url == address
    assert _ready(live_processes)


def test_its_dice_are_the_ones_that_were_set(live_processes: Site) -> None:
    live_processes.set_dice([[3, 1], [6, 5]])
    command = "from django.conf import settings; print(open(settings.DICE_SOURCE).read())"
    printed = live_processes.manage("shell", "--no-imports", "-c", command)
    assert json.loads(printed) == {"rolls": [[3, 1], [6, 5]]}
