"""Validate judge addresses: public hosts over https, private ones only where allowed."""

import ipaddress
import os
import re
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from faithfulness.judging.endpoint.key import ADDRESS_VARIABLE
from faithfulness.model.errors import JudgeFailed

ALLOW_VARIABLE = "PLUMBLINE_JUDGE_ALLOW"

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolver = Callable[[str, int], Iterable[str]]

_LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
# Machines of cloud providers get their own credentials here; no judge lives at such an address.
_METADATA = frozenset(
    ipaddress.ip_address(each)
    for each in ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254")
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ODD = re.compile(r"[^\x21-\x7e]|[\\?#@%<>\"'`{}|^]")
_HOST = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?", re.IGNORECASE)
_NUMERIC = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+)){0,3}", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowed:
    """What the operator allows beyond public hosts: names and networks, each with a port or any."""

    names: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[Network, int | None], ...] = ()

    def has_name(self, host: str, port: int) -> bool:
        return bool(self.names & {(host, port), (host, None)})

    def has_address(self, address: IP, port: int) -> bool:
        return any(
            address.version == network.version and address in network and said in (port, None)
            for network, said in self.networks
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedAddress:
    """A judge's address whose form is sound; where its host leads is checked at every connect."""

    base_url: str
    scheme: str
    host: str
    port: int
    allowed: Allowed

    def resolve(self, resolver: Resolver | None = None, seconds: float = 10) -> tuple[str, ...]:
        """The host's addresses, all of them checked; connect to these and look nothing up again."""
        found = tuple(dict.fromkeys((resolver or _look_up(seconds))(self.host, self.port)))
        if not found:
            raise JudgeFailed(
                f"The host {self.host} has no address. Check its spelling.",
                kind="connection",
                may_retry=True,
            )
        for each in found:
            self.check(_unwrap_ipv4(ipaddress.ip_address(each.partition("%")[0])))
        return found

    def check(self, address: IP) -> None:
        """Refuse an address that the host must not lead to."""
        where = self.host if str(address) == self.host else f"{self.host} ({address})"
        if _is_never_allowed(address):
            raise JudgeFailed(
                f"{where} is an address of the network itself or of a cloud machine's own "
                "credentials, never of a judge. Use the judge's own address.",
                kind="address",
            )
        named = self.allowed.has_name(self.host, self.port)
        is_allowed = named or self.allowed.has_address(address, self.port)
        if not address.is_global and not is_allowed:
            raise JudgeFailed(
                f"{where} lies on this machine or in a private network. If a judge runs there, "
                f"start Plumbline with {ALLOW_VARIABLE}={self.host}:{self.port}.",
                kind="address",
            )
        if self.scheme == "http" and not is_allowed:
            raise JudgeFailed(
                f"To {where} texts and key would travel readable for everybody in between. "
                "Write https:// instead of http://.",
                kind="address",
            )


def check_address(base_url: str, allowed: Allowed | None = None) -> CheckedAddress:
    """The address, known to be of a sound form; raises JudgeFailed in plain words."""
    base_url = base_url.strip()
    if _ODD.search(base_url):
        raise _make_address_error(
            "has a user name, a question mark or other characters that do not belong"
        )
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError:
        raise _make_address_error("cannot be read") from None
    if parts.scheme not in ("http", "https"):
        raise _make_address_error(
            "does not begin with https:// (or http:// for a judge on this machine)"
        )
    if port == 0:
        raise _make_address_error("has the port 0")
    host = _normalize_host(parts.hostname or "")
    port = port or (443 if parts.scheme == "https" else 80)
    shown = f"[{host}]" if ":" in host else host
    default = port == (443 if parts.scheme == "https" else 80)
    path = parts.path.rstrip("/")
    if {".", ".."} & set(path.split("/")):
        raise _make_address_error("has a folder named . or .. in its path")
    checked = CheckedAddress(
        base_url=f"{parts.scheme}://{shown}{'' if default else f':{port}'}{path}",
        scheme=parts.scheme,
        host=host,
        port=port,
        allowed=allowed if allowed is not None else load_allowed_addresses(),
    )
    if (address := _parse_literal_ip(host)) is not None:
        checked.check(_unwrap_ipv4(address))
    return checked


def load_allowed_addresses(environment: Mapping[str, str] = os.environ) -> Allowed:
    """What PLUMBLINE_JUDGE_ALLOW lists (host, host:port, network), and the operator's own judge."""
    names: set[tuple[str, int | None]] = set()
    networks: list[tuple[Network, int | None]] = []
    said = environment.get(ALLOW_VARIABLE, "").split(",")
    own = urlsplit(environment.get(ADDRESS_VARIABLE, "").strip())
    if own.hostname:
        host = f"[{own.hostname}]" if ":" in own.hostname else own.hostname
        said.append(f"{host}:{own.port or (443 if own.scheme == 'https' else 80)}")
    for entry in filter(None, (each.strip() for each in said)):
        host, port = _parse_entry(entry)
        if (network := _parse_network(host)) is None:
            names.add((host.lower(), port))
        elif network.is_loopback:
            networks += [(each, port) for each in _LOOPBACK]
            names.add(("localhost", port))
        else:
            networks.append((network, port))
    return Allowed(names=frozenset(names), networks=tuple(networks))


def _make_address_error(reason: str) -> JudgeFailed:
    # The address itself is not repeated: what does not belong in it may be a password.
    return JudgeFailed(
        f"The judge's address {reason}. Write it like https://host.example/v1, the key goes into "
        "its own field.",
        kind="address",
    )


def _normalize_host(said: str) -> str:
    """The host in its one spelling: numbers such as 2130706433 or 0x7f.1 are addresses too."""
    host = said.lower().rstrip(".")
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError:
            raise _make_address_error("has a host that is no address") from None
    if _NUMERIC.fullmatch(host):
        try:
            return socket.inet_ntoa(socket.inet_aton(host))
        except OSError:
            raise _make_address_error("has a host that is no address") from None
    if not _HOST.fullmatch(host) or ".." in host:
        raise _make_address_error("has no host, or one that no machine can have")
    return host


def _parse_literal_ip(host: str) -> IP | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _unwrap_ipv4(address: IP) -> IP:
    """The IPv4 address inside an IPv6 one, which is where the connection ends."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _is_never_allowed(address: IP) -> bool:
    return (
        address in _METADATA
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or (address.version == 4 and (address.is_reserved or int(address) >> 24 == 0))
    )


def _parse_entry(entry: str) -> tuple[str, int | None]:
    if entry.startswith("["):
        host, _, rest = entry[1:].partition("]")
        port = rest.removeprefix(":")
    elif entry.count(":") > 1:
        host, port = entry, ""
    else:
        host, _, port = entry.partition(":")
    if port and not port.isdecimal():
        raise JudgeFailed(
            f"{ALLOW_VARIABLE} has an entry {entry!r}. Entries are hosts, host:port or networks "
            "such as 10.0.0.0/8, with commas between them.",
            kind="address",
        )
    return host, int(port) if port else None


def _parse_network(host: str) -> Network | None:
    if host.lower() == "localhost":
        return _LOOPBACK[0]
    try:
        return ipaddress.ip_network(host, strict=False)
    except ValueError:
        return None


def _look_up(seconds: float) -> Resolver:
    """The system's resolver with a time limit of our own; it has none that we could set."""

    def resolver(host: str, port: int) -> Iterable[str]:
        if _parse_literal_ip(host) is not None:
            return [host]
        found: list[str] = []

        def ask() -> None:
            try:
                told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError):
                return
            found.extend(str(address[0]) for *_, address in told)

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        thread.join(seconds)
        return list(found)

    return resolver
