"""Start the web application: `streamlit run app.py`.

Streamlit runs the script components/ui/router.py. There is no pages/ folder beside that script,
so Streamlit's automatic page discovery stays off and a direct link to a page runs the router first.
"""

import ctypes
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:  # started from another folder
    sys.path.insert(0, str(ROOT))

from data.access.shared_store import find_start_problem, open_early, shared_store  # noqa: E402
from data.api.server import Gate  # noqa: E402
from data.judging.batch_work import stop_all_batches  # noqa: E402  the path above comes first
from data.store.store import Store  # noqa: E402

# The hash is that of the one inline script in Streamlit's own page, `blob:` is how the code of
# components v2 reaches the browser; nothing else inline runs, and nothing is fetched from outside.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' blob: 'wasm-unsafe-eval' "
        "'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
# Imports that the first visitor would otherwise pay for.
WARM = (
    "duckdb",
    "pandas",
    "plotly.graph_objects",
    "pyarrow",
    "data.importing.formats",
    "data.runs.queries",
)
DOOR = Gate(store=shared_store)


def keep_memory_together() -> None:
    """Let all threads share two heaps, where this is the C library's to say, and nothing large.

    Each person's thread would get a heap of its own, and what one gives back no other could use: a
    tenth of the memory of twenty people. What is large is given back whole when it lies by itself;
    the library would soon put up to 32 MB into a heap, where it leaves a hole.
    """
    two_heaps, by_itself = (-8, 2), (-3, 1 << 20)  # M_ARENA_MAX, M_MMAP_THRESHOLD
    with suppress(OSError, AttributeError):
        for asked in (two_heaps, by_itself):
            ctypes.CDLL(None).mallopt(*asked)


@asynccontextmanager
async def warm_up(_: st.App) -> AsyncIterator[None]:
    keep_memory_together()
    for name in WARM:
        import_module(name)
    with ExitStack() as until_the_end:

        def opened(store: Store) -> None:
            until_the_end.callback(store.close)
            until_the_end.callback(stop_all_batches)  # before the store closes: last in, first out
            if not store.read_only:
                until_the_end.enter_context(DOOR.announced(store.path, own_address()))

        open_early(opened)
        gc.collect()
        # What modules hold stays for good; collections, which hold up everybody, skip it.
        gc.freeze()
        yield


def own_address() -> str:
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"http://127.0.0.1:{st.get_option('server.port')}/{base}".rstrip("/")


async def refuse(request: Request, problem: Exception) -> PlainTextResponse:
    """Answers of the outermost layer pass no middleware, so they bring the headers themselves."""
    return PlainTextResponse("Internal Server Error", status_code=500, headers=HEADERS)


class SecurityHeaders:
    """Adds the security headers to every response that passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                kept = [pair for pair in message["headers"] if pair[0].decode() not in HEADERS]
                message["headers"] = [*kept, *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class WithoutMetrics:
    """Closes Streamlit's own numbers, which it would tell without a login."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_closed = str(scope.get("path", "")).rstrip("/").endswith("/_stcore/metrics")
        app = PlainTextResponse("Not Found", status_code=404) if is_closed else self.app
        await app(scope, receive, send)


class OwnOriginOnly:
    """Refuses what a page of another origin asks for, also one on another port of this machine.

    Streamlit lets every origin on localhost open its WebSocket. A browser always sends the origin
    of the page that opens one or that writes; commands and other programs send none.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS")
        if scope["type"] == "lifespan" or reads or has_own_origin(Headers(scope=scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(code=1008)(scope, receive, send)
        else:
            await PlainTextResponse("Forbidden", status_code=403)(scope, receive, send)


def has_own_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this app, from an allowed origin, or from no page."""
    origin = headers.get("origin")
    if origin is None or origin in st.get_option("server.corsAllowedOrigins"):
        return True
    scheme, _, host = origin.partition("://")
    # A proxy that ends HTTPS says so; the same name without it is somebody else's origin.
    is_forwarded_https = headers.get("x-forwarded-proto", "").partition(",")[0].strip() == "https"
    default_port = {"http": ":80", "https": ":443"}.get(scheme)
    if default_port is None or (is_forwarded_https and scheme != "https"):
        return False
    return host.removesuffix(default_port) == headers.get("host", "").removesuffix(default_port)


if refusal := find_start_problem():
    sys.exit(refusal)
app = st.App(
    ROOT / "components" / "ui" / "router.py",
    lifespan=warm_up,
    routes=DOOR.routes(),
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(WithoutMetrics),
        Middleware(OwnOriginOnly),
    ],
    exception_handlers={Exception: refuse},
)
