"""The in-process channel layer: the channel layer's contract, and senders in other threads."""

import asyncio
import threading

import pytest
from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull

from nardysite.local_layer import LocalLayer

pytestmark = pytest.mark.embedded

HELLO = {"type": "hello"}


async def test_what_is_sent_is_received_in_order() -> None:
    layer = LocalLayer()
    for n in range(3):
        await layer.send("box", {"type": "n", "n": n})
    assert [(await layer.receive("box"))["n"] for _ in range(3)] == [0, 1, 2]


async def test_new_channels_never_share_a_name() -> None:
    layer = LocalLayer()
    assert len({await layer.new_channel() for _ in range(100)}) == 100


async def test_a_receiver_that_waits_is_woken() -> None:
    layer = LocalLayer()
    waiting = asyncio.create_task(layer.receive("box"))
    await asyncio.sleep(0)
    await layer.send("box", HELLO)
    assert await waiting == HELLO


async def test_each_receiver_of_one_channel_gets_one_message() -> None:
    layer = LocalLayer()
    waiting = [asyncio.create_task(layer.receive("box")) for _ in range(3)]
    await asyncio.sleep(0)
    for n in range(3):
        await layer.send("box", {"type": "n", "n": n})
    assert sorted(message["n"] for message in await asyncio.gather(*waiting)) == [0, 1, 2]


async def test_a_group_reaches_its_members_and_nobody_else() -> None:
    layer = LocalLayer()
    await layer.group_add("table", "light")
    await layer.group_add("table", "dark")
    await layer.group_add("table", "left")
    await layer.group_discard("table", "left")
    await layer.group_discard("table", "never_came")
    await layer.group_send("table", HELLO)
    await layer.send("left", {"type": "alone"})
    assert await layer.receive("light") == HELLO
    assert await layer.receive("dark") == HELLO
    assert await layer.receive("left") == {"type": "alone"}


async def test_every_member_gets_its_own_copy() -> None:
    layer = LocalLayer()
    await layer.group_add("table", "light")
    await layer.group_add("table", "dark")
    await layer.group_send("table", {"type": "view", "dice": [3, 1]})
    (await layer.receive("light"))["dice"].append("scribble")
    assert (await layer.receive("dark"))["dice"] == [3, 1]


async def test_a_full_channel_refuses_and_a_group_passes_it_by() -> None:
    layer = LocalLayer(capacity=2)
    await layer.group_add("table", "slow")
    await layer.group_add("table", "quick")
    await layer.send("slow", HELLO)
    await layer.send("slow", HELLO)
    with pytest.raises(ChannelFull):
        await layer.send("slow", HELLO)
    await layer.group_send("table", HELLO)
    assert await layer.receive("quick") == HELLO


async def test_capacity_can_differ_by_name() -> None:
    layer = LocalLayer(capacity=5, channel_capacity={"narrow*": 1})
    await layer.send("narrow.one", HELLO)
    with pytest.raises(ChannelFull):
        await layer.send("narrow.one", HELLO)


async def test_an_unread_message_expires() -> None:
    layer = LocalLayer(expiry=0)
    await layer.send("box", HELLO)
    waiting = asyncio.create_task(layer.receive("box"))
    await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()


async def test_an_abandoned_channel_leaves_its_groups() -> None:
    """A socket whose handler died never says goodbye."""
    layer = LocalLayer(expiry=0)
    await layer.group_add("table", "dead")
    await layer.group_send("table", HELLO)
    await layer.new_channel()
    assert not layer._groups
    assert not layer._mailboxes


async def test_nothing_is_kept_of_channels_that_were_read_or_given_up() -> None:
    layer = LocalLayer()
    await layer.send("read", HELLO)
    await layer.receive("read")
    waiting = asyncio.create_task(layer.receive("given_up"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await layer.group_add("table", "left")
    await layer.group_discard("table", "left")
    assert not layer._mailboxes
    assert not layer._groups


async def test_a_message_is_not_lost_with_the_receiver_it_had_woken() -> None:
    layer = LocalLayer()
    first, second = (asyncio.create_task(layer.receive("box")) for _ in range(2))
    await asyncio.sleep(0)
    await layer.send("box", HELLO)
    first.cancel()
    assert await second == HELLO


async def test_flush_forgets_everything_but_those_who_wait() -> None:
    layer = LocalLayer()
    waiting = asyncio.create_task(layer.receive("patient"))
    await asyncio.sleep(0)
    await layer.group_add("table", "patient")
    await layer.send("box", HELLO)
    await layer.flush()
    await layer.group_send("table", {"type": "unheard"})
    await layer.send("patient", HELLO)
    assert await waiting == HELLO
    assert not layer._mailboxes
    await layer.close()


@pytest.mark.parametrize("name", ["", "no spaces", "ж", "x" * 100, 7])
async def test_names_are_checked(name: object) -> None:
    layer = LocalLayer()
    with pytest.raises(TypeError):
        await layer.send(name, HELLO)
    with pytest.raises(TypeError):
        await layer.group_send(name, HELLO)


async def test_a_thread_wakes_receivers_in_the_event_loop() -> None:
    """A Celery task, in a thread with an event loop of its own, tells a table's sockets."""
    layer = LocalLayer()
    names = ["light", "dark", "watcher"]
    for name in names:
        await layer.group_add("table", name)
    waiting = [asyncio.create_task(layer.receive(name)) for name in names]
    await asyncio.sleep(0)
    worker = threading.Thread(target=async_to_sync(layer.group_send), args=("table", HELLO))
    worker.start()
    assert await asyncio.wait_for(asyncio.gather(*waiting), timeout=10) == [HELLO] * 3
    worker.join()


async def test_many_threads_lose_nothing() -> None:
    layer = LocalLayer(capacity=10_000)
    senders, each = 8, 200

    def send(sender: int) -> None:
        for n in range(each):
            async_to_sync(layer.send)("box", {"type": "n", "from": sender, "n": n})

    threads = [threading.Thread(target=send, args=(sender,)) for sender in range(senders)]
    for thread in threads:
        thread.start()
    received = [await asyncio.wait_for(layer.receive("box"), 10) for _ in range(senders * each)]
    for thread in threads:
        thread.join()
    for sender in range(senders):
        theirs = [message["n"] for message in received if message["from"] == sender]
        assert theirs == list(range(each))
    assert not layer._mailboxes


async def test_a_receiver_whose_loop_is_gone_does_not_swallow_a_message() -> None:
    layer = LocalLayer()

    async def wait_and_leave() -> None:
        asyncio.create_task(layer.receive("box"))  # noqa: RUF006  left behind on purpose
        await asyncio.sleep(0)

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(wait_and_leave(),))
    thread.start()
    thread.join()
    abandoned = asyncio.all_tasks(loop)
    loop.close()
    await layer.send("box", HELLO)
    assert await asyncio.wait_for(layer.receive("box"), timeout=10) == HELLO
    for task in abandoned:
        task._log_destroy_pending = False  # type: ignore[attr-defined]
