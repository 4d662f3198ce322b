"""Two pages for machines: is the process alive, and may it be sent visitors."""

from collections.abc import Callable, Mapping
from http import HTTPStatus

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

PROBE = "readyz"


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """200 as long as the process can answer at all; asks nothing of its services."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database, its schema, the cache and the channel layer all answer, else 503."""
    findings = {name: _passes(check) for name, check in CHECKS.items()}
    is_ready = all(findings.values())
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse({"ready": is_ready, "checks": findings}, status=status)


def _passes(check: Callable[[], bool]) -> bool:
    # Whatever a driver throws, the answer to "may I be sent visitors" is no.
    try:
        return check()
    except Exception:  # noqa: BLE001
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _cache() -> bool:
    cache.set(PROBE, "ready", timeout=60)
    return bool(cache.get(PROBE) == "ready")


def _channel_layer() -> bool:
    layer = get_channel_layer()
    assert layer is not None
    # To a group that nobody joins: the layer must answer, and nothing is left behind in it.
    async_to_sync(layer.group_send)(PROBE, {"type": "probe"})
    return True


CHECKS: Mapping[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "cache": _cache,
    "channel_layer": _channel_layer,
}
