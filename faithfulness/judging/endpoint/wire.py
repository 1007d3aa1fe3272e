"""HTTP transport for judge calls: checked addresses, time and size limits, minimal headers."""

import ssl
import threading
import time
import typing
from collections.abc import Callable, Iterable

import httpcore2
import httpx2

from faithfulness.judging.endpoint.addresses import CheckedAddress
from faithfulness.model.errors import JudgeFailed

BODY_LIMIT = 4_000_000  # bytes; a reply of this size is two thousand pages
_SLICE = 0.5  # seconds between looks at the clock and at the wish to stop
_CONNECT = 10.0  # seconds
# Everything else the client adds is dropped: some of it comes from the environment and is meant
# for another host.
_SENT = {b"host", b"accept", b"content-type", b"content-length", b"user-agent", b"connection"}

SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)


class EndpointCall:
    """One question on the wire: until when, whether still wanted, how much has come."""

    def __init__(self, seconds: float, is_wanted: Callable[[], bool]) -> None:
        self.until = time.monotonic() + seconds
        self.is_wanted = is_wanted
        self.received = 0
        self.sent = False

    def seconds_left(self) -> float:
        if not self.is_wanted():
            raise JudgeFailed(
                "The call was stopped. Ask again when you like.",
                kind="stopped",
                may_be_paid=self.sent,
            )
        return self.until - time.monotonic()

    def take(self, number: int) -> None:
        self.received += number
        if self.received > BODY_LIMIT:
            raise JudgeFailed(
                f"The endpoint sent more than {BODY_LIMIT // 1_000_000} MB, which is no judge's "
                "reply; the rest was not read. Check the address, or set a limit on tokens.",
                kind="too_large",
                may_be_paid=True,
            )


class _CallOfThread(threading.local):
    call: EndpointCall | None = None


_ON = _CallOfThread()


def start_call(seconds: float, is_wanted: Callable[[], bool]) -> EndpointCall:
    """Begin a call on this thread; every connection the thread uses keeps to its limits."""
    _ON.call = EndpointCall(seconds, is_wanted)
    return _ON.call


def end_call() -> None:
    _ON.call = None


def _get_current_call() -> EndpointCall:
    if _ON.call is None:
        raise RuntimeError("nothing is sent to a judge outside of a call")
    return _ON.call


class GuardedStream(httpcore2.NetworkStream):
    """A connection on which the whole call has one time limit, however slowly bytes arrive."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        call = _get_current_call()
        while (left := call.seconds_left()) > 0:
            try:
                data = self._stream.read(max_bytes, timeout=min(left, _SLICE))
            except httpcore2.ReadTimeout:
                continue
            call.take(len(data))
            return data
        raise httpcore2.ReadTimeout("the time limit of the call is over")

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        call = _get_current_call()
        if (left := call.seconds_left()) <= 0:
            raise httpcore2.WriteTimeout("the time limit of the call is over")
        call.sent = True
        self._stream.write(buffer, timeout=left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        left = min(_CONNECT, max(0.01, _get_current_call().seconds_left()))
        return GuardedStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> typing.Any:
        return self._stream.get_extra_info(info)


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to the addresses that were checked, so that a second look-up cannot differ."""

    def __init__(self, address: CheckedAddress) -> None:
        self._address = address
        self._backend = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.NetworkStream:
        if (host.strip("[]"), port) != (self._address.host, self._address.port):
            raise JudgeFailed("A judge is asked at its own address only.", kind="address")
        failure: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for each in self._address.resolve(
            seconds=min(_CONNECT, _get_current_call().seconds_left())
        ):
            left = min(_CONNECT, max(0.01, _get_current_call().seconds_left()))
            try:
                stream = self._backend.connect_tcp(
                    each, port, timeout=left, socket_options=socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return GuardedStream(stream)
        raise failure or httpcore2.ConnectError("no address")


class GuardedTransport(httpx2.HTTPTransport):
    """Sends the few headers a judge needs, and the key only here, so that no error can hold it."""

    def __init__(self, address: CheckedAddress, secret: Callable[[], str]) -> None:
        self._secret = secret
        # The parent would build a pool without a place for our connections.
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=None,
            max_keepalive_connections=100,
            keepalive_expiry=5.0,
            network_backend=GuardedBackend(address),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = [(name, value) for name, value in request.headers.raw if name.lower() in _SENT]
        headers.append((b"Accept-Encoding", b"identity"))
        if secret := self._secret():
            headers.append((b"Authorization", b"Bearer " + secret.encode("ascii")))
        response = super().handle_request(
            httpx2.Request(
                request.method,
                request.url,
                headers=headers,
                stream=request.stream,
                extensions=request.extensions,
            )
        )
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            response.close()
            raise JudgeFailed(
                "The endpoint sent a packed reply although it was asked not to; a small one can "
                "unpack to any size, so it was not read. Turn compression off at the endpoint.",
                kind="not_a_reply",
                may_be_paid=True,
            )
        return response
