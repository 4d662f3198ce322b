"""Log lines for machines: one JSON object a line, with the request and the match they are about.

Only what is listed here is written, so a stray ``extra`` cannot carry a seed or an address outside.
"""

import json
import logging
import re
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

REQUEST_ID_HEADER = "X-Request-ID"
GOOD_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
NAMED_FIELDS = ("match", "code")

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

AsyncPage = Callable[[HttpRequest], Awaitable[HttpResponseBase]]
Page = Callable[[HttpRequest], HttpResponseBase]


class JsonLines(logging.Formatter):
    """`extra={"match": …}` is shown; everything else in `extra` is not."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
        }
        line.update({name: str(getattr(record, name, "")) for name in NAMED_FIELDS})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in line.items() if value})


@sync_and_async_middleware
def named_requests(get_response: Page | AsyncPage) -> Page | AsyncPage:
    """Gives every request an id, the proxy's if it sent a sound one, and tells it in the answer."""
    if iscoroutinefunction(get_response):

        async def answer_soon(request: HttpRequest) -> HttpResponseBase:
            with _named(request) as name:
                response: HttpResponseBase = await get_response(request)
                response[REQUEST_ID_HEADER] = name
                return response

        return answer_soon

    def answer(request: HttpRequest) -> HttpResponseBase:
        with _named(request) as name:
            response = get_response(request)
            assert isinstance(response, HttpResponseBase)
            response[REQUEST_ID_HEADER] = name
            return response

    return answer


@contextmanager
def _named(request: HttpRequest) -> Iterator[str]:
    offered = request.headers.get(REQUEST_ID_HEADER, "")
    name = offered if GOOD_ID.fullmatch(offered) else uuid.uuid4().hex
    token = request_id.set(name)
    try:
        yield name
    finally:
        request_id.reset(token)
