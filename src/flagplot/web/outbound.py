"""Calls that leave this server: to public addresses only, unless the host lists another (trust.md, out-1 to out-4).

A name is resolved once, within three seconds; every address it has must be public by our own list, after whatever IPv4
address is wrapped in it has been unwrapped; then exactly that address is connected to, under the name for TLS. Odd ways to
write an address are refused before anything is resolved: the system's resolver accepts all of them. Redirects are not
followed, little is read, and all refusals and failures to connect have one wording, so that nobody learns what stands where.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import NamedTuple
from urllib.parse import urlsplit

from flagplot.core.errors import PlayerError

CONNECTING = 3.0  # seconds
IN_ALL = 6.0
MOST_READ = 4096
HTTPS = 443
NOT_DELIVERED = "it could not be delivered: the address may be wrong, not public, or not answering"

LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)
NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)  # a last label like this is a number in some spelling

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# What is not the public network (IANA's special-purpose registries). Of IPv6 only what is handed out is public.
PRIVATE_4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
PRIVATE_6 = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
WRAPPED = tuple(map(ipaddress.IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))


class NotDelivered(PlayerError):
    """It did not arrive; its words may be shown to whoever wanted it sent."""

    def __init__(self, why: str = NOT_DELIVERED) -> None:
        super().__init__(why)


class Allowed(NamedTuple):
    """Names and ports the host lists: these may be called whatever address they have."""

    listed: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str) -> Allowed:
        """From the host's setting: name:port, with commas between."""
        return cls(frozenset(each.strip().lower() for each in text.split(",") if each.strip()))

    def __call__(self, host: str, port: int) -> bool:
        name = f"[{host}]" if ":" in host else host
        return f"{name}:{port}" in self.listed


def is_public(text: str) -> bool:
    """Whether an address as the resolver gives it lies in the public network."""
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:  # with a zone, or nothing of the kind
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in each for each in WRAPPED):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
            return not any(inner in each for each in PRIVATE_4) and address in ipaddress.IPv6Network("::ffff:0:0/96")
        return address in PUBLIC_6 and not any(address in each for each in PRIVATE_6)
    return not any(address in each for each in PRIVATE_4)


class Target(NamedTuple):
    """Where a webhook points to."""

    scheme: str
    host: str
    port: int
    path: str


def target_of(url: str, allowed: Allowed) -> Target:
    """An address for a webhook, if it is written in the plain way: https, a name or a plain IP address, no user, port 443."""
    if len(url) > 1000 or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise NotDelivered("write the address of the webhook in plain characters, at most 1000 of them")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as wrong:
        raise NotDelivered("this is not an address as we take it: https://name/path") from wrong
    host = (parts.hostname or "").lower().removesuffix(".")
    listed = allowed(host, port or {"http": 80, "https": HTTPS}.get(parts.scheme, 0))
    if not listed and (parts.scheme != "https" or port not in (None, HTTPS)):
        raise NotDelivered("a webhook begins with https:// and names no port; the host of this server may list others")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not (listed or is_plain(host)):
        raise NotDelivered()
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or (HTTPS if parts.scheme == "https" else 80), path)


def is_plain(host: str) -> bool:
    """Whether a host is a name with a dot, or a plain address: nothing that only looks like one of them."""
    try:
        return str(ipaddress.ip_address(host)) == host
    except ValueError:
        pass
    labels = host.split(".")
    whole = len(host) <= 253 and len(labels) > 1 and all(LABEL.fullmatch(each) for each in labels)
    return whole and not NUMERIC.fullmatch(labels[-1])


Resolver = Callable[[str, int], list[str]]


def resolved(host: str, port: int) -> list[str]:
    """Every address of a name, as the system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def vetted(host: str, port: int, allowed: Allowed, resolver: Resolver | None = None) -> str:
    """The one address that will be connected to: the name is resolved once, and all of its addresses must be public."""
    found: list[str] = []

    def resolve() -> None:
        try:
            found.extend((resolver or resolved)(host, port))
        except (OSError, UnicodeError):
            return

    thread = threading.Thread(target=resolve, daemon=True)
    thread.start()
    thread.join(CONNECTING)
    addresses = list(found)
    if not addresses or thread.is_alive():
        raise NotDelivered()
    if not allowed(host, port) and not all(map(is_public, addresses)):
        raise NotDelivered()
    return addresses[0]


def connect(address: str, port: int, seconds: float = CONNECTING) -> socket.socket:
    """A connection to an address that was looked at, and to no other: it is not resolved again."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.settimeout(seconds)
        made.connect((address, port))
        made.settimeout(IN_ALL)
    except OSError:
        made.close()
        raise
    return made


@contextmanager
def _cut_off(line: socket.socket, seconds: float) -> Iterator[None]:
    """After so many seconds the connection ends, however slowly the other side goes on."""

    def cut() -> None:
        with suppress(OSError):
            socket.socket.shutdown(line, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def post(url: str, body: bytes, allowed: Allowed, resolver: Resolver | None = None) -> None:
    """Post JSON to a webhook; a redirect, or any answer but "taken", is a failure."""
    target = target_of(url, allowed)
    address = vetted(target.host, target.port, allowed, resolver)
    until = time.monotonic() + IN_ALL
    try:
        line = connect(address, target.port)
        try:
            if target.scheme == "https":
                secure = ssl.create_default_context()
                line = secure.wrap_socket(line, server_hostname=target.host, do_handshake_on_connect=False)
            with _cut_off(line, IN_ALL):
                if isinstance(line, ssl.SSLSocket):
                    line.do_handshake()
                status = _exchange(line, target, body, until)
        finally:
            line.close()
    except (OSError, ValueError, http.client.HTTPException) as trouble:
        raise NotDelivered() from trouble
    if not 200 <= status < 300:
        raise NotDelivered(f"the webhook answered {status}" if status >= 400 else NOT_DELIVERED)


def _exchange(line: socket.socket, target: Target, body: bytes, until: float) -> int:
    usual = {"https": HTTPS, "http": 80}[target.scheme]
    name = f"[{target.host}]" if ":" in target.host else target.host
    head = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {name}" + ("" if target.port == usual else f":{target.port}"),
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "User-Agent: Flagplot",
        "Connection: close",
    ]
    line.sendall("\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body)
    read = b""
    while b"\r\n" not in read and len(read) < MOST_READ:
        line.settimeout(max(0.01, until - time.monotonic()))
        more = line.recv(MOST_READ - len(read))
        if not more:
            break
        read += more
    found = re.match(rb"HTTP/1\.[01] (\d{3})", read)
    if found is None:
        raise http.client.BadStatusLine("")
    return int(found[1])


# -- mail -----------------------------------------------------------------------------------------------


class Mailer(NamedTuple):
    """The host's mail server: smtp://user:password@name:port or smtps://…, and from whom mail comes."""

    url: str = ""
    sender: str = ""

    def __bool__(self) -> bool:
        return bool(self.url and self.sender)


class _Vetted(smtplib.SMTP):
    """SMTP over a connection to an address that was looked at; the name stays for TLS."""

    address = ""

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return connect(self.address, port, CONNECTING)


class _VettedOverTLS(_Vetted):
    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return ssl.create_default_context().wrap_socket(super()._get_socket(host, port, timeout), server_hostname=host)


def mail(mailer: Mailer, to: str, subject: str, text: str, allowed: Allowed, resolver: Resolver | None = None) -> None:
    """Send one mail to one person. No word of it, and none of its headers, comes from another user."""
    parts = urlsplit(mailer.url)
    host, port = parts.hostname or "", parts.port or {"smtps": 465}.get(parts.scheme, 587)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = mailer.sender, to, subject
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text, cte="7bit")  # an address stays whole
    address = vetted(host, port, allowed, resolver)
    kind = _VettedOverTLS if parts.scheme == "smtps" else _Vetted
    server = kind(timeout=IN_ALL)
    server.address = address
    server._host = host  # type: ignore[attr-defined]  # for the certificate
    try:
        server.connect(host, port)
        server.ehlo()
        if parts.scheme != "smtps" and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        if parts.username:
            if not isinstance(server.sock, ssl.SSLSocket) and not allowed(host, port):
                raise NotDelivered()  # no password in the clear
            server.login(parts.username, parts.password or "")
        server.send_message(message, to_addrs=[to])
    except smtplib.SMTPResponseException as refusal:
        raise NotDelivered(f"the mail server refused it ({refusal.smtp_code})") from refusal
    except smtplib.SMTPRecipientsRefused as refusal:
        raise NotDelivered("the mail server refused this address") from refusal
    except (OSError, smtplib.SMTPException, ValueError) as trouble:
        raise NotDelivered() from trouble
    finally:
        server.close()


MAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}", re.ASCII)


def is_mail_address(text: str) -> bool:
    """Whether this is one address of one person, written plainly."""
    found = MAIL_ADDRESS.fullmatch(text)
    return found is not None and is_plain(text.rpartition("@")[2].lower())


def addresses_of(listed: Sequence[str]) -> Allowed:
    """A list of names and ports as the host's setting would give it."""
    return Allowed.read(",".join(listed))
