"""Notices: written with the decision, sent apart from play, the same text for every cause, and never into a private network."""

from __future__ import annotations

import json
import re
import shutil
import socket
import socketserver
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from flagplot.core.sides import Side
from flagplot.web import notices, outbound
from flagplot.web.database import NOTICES, OUTBOX
from flagplot.web.desks import Desks
from flagplot.web.hall import Hall
from flagplot.web.notices import GAVE_UP, HOOK, MAIL, NoticeRefused
from flagplot.web.outbound import NOT_DELIVERED, Allowed, NotDelivered, is_mail_address, is_public, post, target_of
from flagplot.web.sealing import Sealer, Unsealable
from tests.web.databases import KINDS, ready_database
from tests.web.timing import SetClock, asked_of, begun, by_hand, hall_at
from tests.web.visitors import serving


class Canary(socketserver.ThreadingTCPServer):
    """Something on loopback that notes every connection and everything it is sent; it answers as it is told."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, answer: bytes = b"HTTP/1.1 204 No Content\r\n\r\n") -> None:
        self.answer, self.calls, self.sent = answer, 0, list[bytes]()
        super().__init__(("127.0.0.1", 0), _Noting)
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def __exit__(self, *trouble: object) -> None:
        self.shutdown()
        self.server_close()


class _Noting(socketserver.BaseRequestHandler):
    server: Canary

    def handle(self) -> None:
        self.server.calls += 1
        self.request.settimeout(3)
        got = b""
        while not got.startswith(b"\x16") and not (b"\r\n\r\n" in got and got.rstrip().endswith(b"}")):
            more = self.request.recv(4096)
            if not more:
                break
            got += more
        self.server.sent.append(got)
        self.request.sendall(self.server.answer)


class Dripping(socketserver.ThreadingTCPServer):
    """Somebody who never ends: a byte at a time, which begins like an answer to a TLS greeting."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Dripping)
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def __exit__(self, *trouble: object) -> None:
        self.shutdown()
        self.server_close()


class _Dripping(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        with suppress(OSError):
            self.request.sendall(b"\x16\x03\x03\x3f\xff")
            for _ in range(200):
                self.request.sendall(b"\x02")
                time.sleep(0.3)


class Mailbox(socketserver.ThreadingTCPServer):
    """A small mail server, which takes everything but for one name."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, secure: ssl.SSLContext | None = None) -> None:
        self.mails, self.secure, self.heard = list[str](), secure, list[str]()
        super().__init__(("127.0.0.1", 0), _Mail)
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def __exit__(self, *trouble: object) -> None:
        self.shutdown()
        self.server_close()


class _Mail(socketserver.StreamRequestHandler):
    server: Mailbox

    def handle(self) -> None:
        self.say("220 mailbox")
        covered = False
        while line := self.rfile.readline().decode().strip():
            verb = line.split()[0].upper()
            self.server.heard.append(f"{'covered' if covered else 'open'} {verb}")
            if verb == "EHLO" and self.server.secure is not None:
                self.say("250-mailbox")
                self.say("250 AUTH PLAIN" if covered else "250 STARTTLS")
                continue
            if verb == "STARTTLS":
                assert self.server.secure is not None
                self.say("220 go on")
                try:
                    line_ = self.server.secure.wrap_socket(self.request, server_side=True)
                except OSError:  # whoever called does not trust us
                    return
                self.rfile, self.wfile, covered = line_.makefile("rb"), line_.makefile("wb", 0), True
                continue
            if verb == "AUTH":
                self.say("235 welcome")
                continue
            if verb == "DATA":
                self.say("354 go on")
                text = ""
                while (part := self.rfile.readline().decode()) != ".\r\n":
                    text += part
                self.server.mails.append(text)
            if verb == "QUIT":
                self.say("221 bye")
                return
            self.say("550 nobody here" if verb == "RCPT" and "nobody" in line else "250 fine")

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary() as made:
        yield made


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as made:
        yield made


def made_hall(kind: str, folder: Path, **settings: Any) -> tuple[Hall, SetClock]:
    return hall_at(ready_database(kind, folder), key_file=str(folder / "key"), **settings)


def hook_of(canary: Canary) -> tuple[str, str]:
    """An address that the host lists, and the list."""
    return f"http://127.0.0.1:{canary.port}/hook?x=1", f"127.0.0.1:{canary.port}"


def outbox(hall: Hall) -> list[Any]:
    with hall.database.read() as connection:
        return list(connection.execute(select(OUTBOX)).mappings().all())


def kept(hall: Hall) -> Any:
    with hall.database.read() as connection:
        return connection.execute(select(NOTICES)).mappings().one()


# -- the outbox -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_notice_is_written_with_the_decision_and_sent_if_it_still_waits(
    kind: str, tmp_path: Path, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, listed = hook_of(canary)
    hall, clock = made_hall(kind, tmp_path, outbound=listed, public_url="https://plot.example.org")
    notices = hall.release.notices
    id = begun(hall, scenario="midway")
    notices.keep(id, "axis", HOOK, url)
    assert not outbox(hall)
    monkeypatch.setattr(hall, "append", lambda *told: (_ for _ in ()).throw(OSError("no disk")))
    for side in list(Side):
        with pytest.raises(Exception, match="stored"):
            by_hand(hall, id, side)
    assert not outbox(hall)  # what was not stored is not told
    monkeypatch.undo()
    for side in list(Side):
        by_hand(hall, id, side)
    assert [(row["seat"], row["kind"]) for row in outbox(hall)] == [("axis", "hook")]
    notices.step()
    assert canary.calls == 0  # whoever is at his page answers within the minute
    clock.pass_by(61)
    again = Hall(hall.database, hall.settings)  # the server died before it was sent
    again.release.clock = clock
    assert again.release.notices.step() == 1 and canary.calls == 1 and not outbox(hall)
    head, _, body = canary.sent[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /hook?x=1 HTTP/1.1\r\n")
    told = json.loads(body)
    address = f"https://plot.example.org/games/{id}"
    assert told == {
        "content": f"There is something new for you in a game of Flagplot: {address}",
        "allowed_mentions": {"parse": []},
    }
    while Side.AXIS not in asked_of(hall, id):
        by_hand(hall, id, Side.ALLIES)
    by_hand(hall, id, Side.AXIS)  # answered at once: nothing waits any longer
    clock.pass_by(61)
    waiting = asked_of(hall, id)
    notices.step()
    assert canary.calls == 1 + (Side.AXIS in waiting)
    before = canary.calls
    hall.close(id, "resigns: a secret word")
    clock.pass_by(61)
    notices.step()
    assert canary.calls == before + 1 and json.loads(canary.sent[-1].partition(b"\r\n\r\n")[2]) == told
    hall.database.close()


def test_failures_have_growing_gaps_then_an_end_and_their_owner_reads_why(tmp_path: Path) -> None:
    with Canary(b"HTTP/1.1 404 Not Found\r\n\r\n") as canary:
        url, listed = hook_of(canary)
        hall, clock = made_hall("sqlite", tmp_path, outbound=listed)
        id = begun(hall, scenario="midway")
        hall.release.notices.keep(id, "axis", HOOK, url)
        for side in Side:
            by_hand(hall, id, side)
        tried = []
        for _ in range(30):
            clock.pass_by(60.1)
            tried.append(hall.release.notices.step())
        assert canary.calls == sum(tried) == 3
        first, second, third = (number for number, one in enumerate(tried) if one)
        assert second - first < third - second
        assert kept(hall)["off"] == GAVE_UP and not outbox(hall)
        told = hall.release.notices.told(id, "axis")["hook"]
        assert told["error"] == "the webhook answered 404" and told["to"] == f"http://127.0.0.1:{canary.port}/…"
        assert hall.release.notices.told(id, "allies")["hook"] is None
        hall.release.notices.switch_on(id, "axis", HOOK)
        assert hall.release.notices.told(id, "axis")["hook"]["off"] == ""
        hall.database.close()


def test_whoever_gets_a_seat_anew_finds_no_address_and_a_stolen_database_tells_none(
    tmp_path: Path, canary: Canary
) -> None:
    url, listed = hook_of(canary)
    with serving(tmp_path, outbound=listed) as server:
        people = server.seated()
        axis, host = people["axis"], people["host"]
        assert axis.post(axis.at("/notices"), {"kind": "hook", "target": url}).status_code == 200
        assert (tmp_path / "games.db.key").stat().st_mode & 0o777 == 0o600
        assert b"/hook?x" not in b"".join(each.read_bytes() for each in tmp_path.glob("games.db*"))
        answer = host.post(host.at("/reseat"), {"name": "axis"})
        assert answer.status_code == 200, answer.text
        with server.hall.database.read() as connection:
            assert connection.execute(select(NOTICES)).first() is None
    one, two = Sealer(b"one"), Sealer(b"two")
    sealed = one.seal("name@example.org", "here")
    assert one.open(sealed, "here") == "name@example.org" and one.seal("name@example.org", "here") != sealed
    for key, about, bytes_ in (
        (two, "here", sealed),
        (one, "there", sealed),
        (one, "here", sealed[:-1]),
        (one, "", b""),
    ):
        with pytest.raises(Unsealable):
            key.open(bytes_, about)


# -- mail -------------------------------------------------------------------------------------------------


def test_mail_goes_only_to_who_has_shown_that_he_reads_it(tmp_path: Path, mailbox: Mailbox) -> None:
    listed = f"127.0.0.1:{mailbox.port}"
    settings = {"smtp_url": f"smtp://127.0.0.1:{mailbox.port}", "mail_from": "Flagplot <plot@example.org>"}
    hall, clock = made_hall("sqlite", tmp_path, outbound=listed, **settings)
    sender = hall.release.notices
    id = begun(hall, scenario="midway")
    for wrong in (
        "a@b",
        "x@example.org, y@example.org",
        "x@example.org\nbcc: z@example.org",
        "<x@example.org>",
        "x@127.1",
    ):
        with pytest.raises(NoticeRefused, match="plain mail address"):
            sender.keep(id, "axis", MAIL, wrong)
    sender.keep(id, "axis", MAIL, " name@example.org ")
    for side in Side:
        by_hand(hall, id, side)
    assert not outbox(hall)  # nothing before the code
    assert sender.test(id, "axis", MAIL) == ""
    code = re.search(r"switch notices on: ([\d ]+)", mailbox.mails[0])
    assert code and "To: name@example.org" in mailbox.mails[0] and "Auto-Submitted" in mailbox.mails[0]
    with pytest.raises(NoticeRefused, match="not the code"):
        sender.switch_on(id, "axis", MAIL, "0000 0000")
    sender.switch_on(id, "axis", MAIL, code[1])
    assert sender.told(id, "axis")["mail"]["to"] == "n…@example.org"
    while Side.AXIS in asked_of(hall, id):
        by_hand(hall, id, Side.AXIS)
    while Side.AXIS not in asked_of(hall, id):
        by_hand(hall, id, Side.ALLIES)
    clock.pass_by(61)
    assert sender.step() == 1
    assert f"/games/{id}" in mailbox.mails[1] and "join#" not in mailbox.mails[1]
    sender.keep(id, "axis", MAIL, "nobody@example.org")
    assert sender.test(id, "axis", MAIL) == "the mail server refused this address"
    sender.allowed = Allowed()
    assert sender.test(id, "axis", MAIL) == NOT_DELIVERED  # the mail server, too, must be public or listed
    sender.remove(id, "axis", MAIL)
    with pytest.raises(NoticeRefused, match="nothing is kept"):
        sender.remove(id, "axis", MAIL)
    hall.database.close()


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, Path]:
    """What a mail server shows, and what somebody must trust who believes it."""
    key, shown = folder / "key.pem", folder / "shown.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-keyout", str(key), "-out", str(shown), "-days", "2", "-subj", f"/CN={name}"]
    subprocess.run([*made, "-addext", f"subjectAltName=DNS:{name}"], check=True, capture_output=True, timeout=30)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, key)
    return context, shown


@pytest.mark.skipif(shutil.which("openssl") is None, reason="Debian's package openssl is not installed")
def test_mail_is_covered_by_starttls_and_a_password_is_never_sent_in_the_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secure, shown = certificate(tmp_path, "mail.example.org")

    def trusting(trusted: Path | None) -> None:
        honest = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if trusted is not None:
            honest.load_verify_locations(trusted)
        monkeypatch.setattr(outbound.ssl, "create_default_context", lambda: honest)

    def send(box: Mailbox, name: str = "mail.example.org", user: str = "plot:secret@", listed: bool = True) -> None:
        mailer = outbound.Mailer(f"smtp://{user}{name}:{box.port}", "plot@example.org")
        allowed = Allowed.read(f"{name}:{box.port}" if listed else "")
        outbound.mail(mailer, "name@example.org", "Hello", "A line.", allowed, lambda host, port: ["127.0.0.1"])

    with Mailbox(secure) as box:
        trusting(shown)
        send(box)
        assert len(box.mails) == 1 and "A line." in box.mails[0]
        assert box.heard[:2] == ["open EHLO", "open STARTTLS"]
        assert all(each.startswith("covered") for each in box.heard[2:]) and "covered AUTH" in box.heard
        for name, trusted in (("other.example.org", shown), ("mail.example.org", None)):  # not the one it says it is
            trusting(trusted)
            box.heard.clear()
            with pytest.raises(NotDelivered, match="could not be delivered"):
                send(box, name)
            assert box.heard == ["open EHLO", "open STARTTLS"]
        assert len(box.mails) == 1
    trusting(shown)
    monkeypatch.setattr(outbound, "is_public", lambda text: True)
    with Mailbox() as bare:  # somebody on the way has taken STARTTLS out
        with pytest.raises(NotDelivered):
            send(bare, listed=False)
        assert bare.heard == ["open EHLO"] and not bare.mails


def test_a_reminder_goes_out_as_a_notice_once(tmp_path: Path, canary: Canary) -> None:
    url, listed = hook_of(canary)
    hall, clock = made_hall("sqlite", tmp_path, outbound=listed)
    sender, desks = hall.release.notices, Desks(hall)
    id = begun(hall, scenario="midway")
    sender.keep(id, "axis", HOOK, url)
    desks.remind(id, Side.AXIS, 2)
    desks.remind(id, Side.ALLIES, 1)  # who has said nowhere where he wants to be told
    clock.pass_by(1.9 * 3600)
    assert sender.step() == 0 == canary.calls
    clock.pass_by(0.2 * 3600)
    assert sender.step() == 1 == canary.calls and not outbox(hall)
    assert b"There is something new for you" in canary.sent[0] and b"remind" not in canary.sent[0]
    assert sender.step() == 0 and desks.of(id, Side.AXIS).remind is not None  # the page shows it until it is put away
    desks.remind(id, Side.AXIS, 1)
    desks.remind(id, Side.AXIS, 0)
    clock.pass_by(2 * 3600)
    assert sender.step() == 0
    desks.remind(id, Side.AXIS, 1)
    clock.pass_by(3601)
    sender._remind(clock.time())
    for side in list(Side):
        by_hand(hall, id, side)  # a question that follows does not take the reminder's place
    assert sorted(row["question"] for row in outbox(hall))[0] == notices.REMINDED and sender.step() == 1
    hall.database.close()


def test_whoever_answers_a_byte_at_a_time_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "IN_ALL", 0.6)
    monkeypatch.setattr(outbound, "is_plain", lambda host: True)
    with Dripping() as slow:
        for scheme in ("https", "http"):
            begun_at = time.monotonic()
            with pytest.raises(NotDelivered):
                post(f"{scheme}://127.0.0.1:{slow.port}/", b"{}", Allowed.read(f"127.0.0.1:{slow.port}"))
            assert time.monotonic() - begun_at < 8  # it would drip for a minute


def test_mail_addresses_are_plain() -> None:
    assert is_mail_address("first.last+plot@mail.example.org")
    assert not any(map(is_mail_address, ("", "x", "x@y@example.org", "x@[127.0.0.1]", "x@example", "ä@example.org")))


# -- our server calls only the public network (trust.md, promise 21) -----------------------------------------

HOSTS = re.findall(
    r"\S+",
    # 127.0.0.1 as somebody might write it
    "127.0.0.1 localhost LOCALHOST localhost. localhost.localdomain ip6-localhost 127.1 127.0.1 127.1.1.1 127.255.255.254 "
    "2130706433 0x7f000001 0x7F.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.1 00000177.0.0.1 017700000001 127.0.0.1. "
    "127.000.000.001 127.0.0.01 0 0.0.0.0 00 0x0 0.0 [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] "
    "[0000::ffff:7f00:0001] [::127.0.0.1] [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [2002:7f00:1::] "
    "[::ffff:0:127.0.0.1] [fe80::1%25lo] [::1%25lo] ⑫⑦.⓪.⓪.① １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 loc%61lhost %6c%6fcalhost "
    "127.0.0.1%00.example.org xn--127-001-3ja user@127.0.0.1 example.org@127.0.0.1 example.org%40127.0.0.1 "
    "127.0.0.1\\@example.org "
    # other machines that are nobody's business
    "10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1] 224.0.0.1 "
    "255.255.255.255 198.18.0.1 [2001:db8::1] [2001::1] 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:a9fe:a9fe]",
)


def test_sixty_spellings_of_private_addresses_reach_nobody(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(HOSTS) >= 60
    monkeypatch.setattr(outbound, "HTTPS", canary.port)  # the port that is allowed is the canary's
    for host in HOSTS:
        for url in (f"https://{host}:{canary.port}/", f"http://{host}:{canary.port}/", f"https://{host}/"):
            with pytest.raises(NotDelivered):
                post(url, b"{}", Allowed())
    assert canary.calls == 0


def test_if_spelling_alone_were_looked_at_the_list_of_addresses_would_still_hold(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's resolver takes odd spellings for what they are: the second wall stands alone here."""
    monkeypatch.setattr(outbound, "is_plain", lambda host: True)
    monkeypatch.setattr(outbound, "HTTPS", canary.port)
    reached = 0
    for host in HOSTS:
        with pytest.raises(NotDelivered):
            post(f"https://{host}:{canary.port}/", b"{}", Allowed())
        try:
            reached += bool(outbound.resolved(host.strip("[]"), canary.port))
        except (OSError, UnicodeError):
            continue
    assert canary.calls == 0 and reached > 20  # it would have found somebody


def test_the_canary_notices_if_no_address_is_looked_at(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "is_plain", lambda host: True)
    monkeypatch.setattr(outbound, "is_public", lambda text: text == "127.0.0.1")  # the others are not called from here
    monkeypatch.setattr(outbound, "HTTPS", canary.port)
    for host in HOSTS:
        with pytest.raises(NotDelivered):
            post(f"https://{host}:{canary.port}/", b"{}", Allowed())
    assert canary.calls >= 12  # so many spellings lead there


def test_a_name_is_resolved_once_and_all_of_its_addresses_must_be_public(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: public when it is looked at, private when it is called."""
    monkeypatch.setattr(outbound, "HTTPS", canary.port)
    connected: list[str] = []

    def noted(address: str, port: int, seconds: float = 0.0) -> socket.socket:
        connected.append(address)
        raise OSError

    monkeypatch.setattr(outbound, "connect", noted)
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    with pytest.raises(NotDelivered):
        post("https://rebinding.example.org/", b"{}", Allowed(), lambda host, port: next(answers))
    assert connected == ["93.184.216.34"] and next(answers) == ["127.0.0.1"]  # nobody asked a second time
    for mixed in (["93.184.216.34", "127.0.0.1"], ["2606:2800:220:1::1", "::1"], [], ["nonsense"], ["fe80::1%lo"]):
        with pytest.raises(NotDelivered):
            post("https://mixed.example.org/", b"{}", Allowed(), lambda host, port, mixed=mixed: mixed)
    assert connected == ["93.184.216.34"] and canary.calls == 0


def test_redirects_are_not_followed_and_little_is_read(canary: Canary) -> None:
    there = f"http://127.0.0.1:{canary.port}/"
    for answer in (
        f"HTTP/1.1 302 Found\r\nLocation: {there}\r\n\r\n".encode(),
        b"x" * 100_000,
        b"",
        b"HTTP/2 200\r\n\r\n",
    ):
        with Canary(answer) as first:
            url, listed = hook_of(first)
            with pytest.raises(NotDelivered, match="could not be delivered"):
                post(url, b"{}", Allowed.read(listed))
            assert first.calls == 1
    assert canary.calls == 0
    post(there, b"{}", Allowed.read(f"127.0.0.1:{canary.port}"))
    assert canary.calls == 1


def test_what_is_public_and_what_is_not() -> None:
    for public in ("93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8"):
        assert is_public(public), public
    for private in (
        "64:ff9b::808:808",
        "2002:808:808::",
        "::8.8.8.8",
        "100.127.255.255",
        "172.31.0.1",
        "4000::1",
        "::",
        "x",
    ):
        assert not is_public(private), private
    assert target_of("https://hooks.example.org/a?b=c", Allowed()) == ("https", "hooks.example.org", 443, "/a?b=c")
    assert Allowed.read("[::1]:25, a.example:1")("::1", 25)
    for wrong in (
        "ftp://example.org/",
        "https://example.org:99999/",
        "https://example.org:444/",
        "https:///x",
        "x" * 1001,
    ):
        with pytest.raises(NotDelivered):
            target_of(wrong, Allowed())


def test_the_test_button_is_no_port_scanner(tmp_path: Path, canary: Canary) -> None:
    """One wording whether nobody is there, somebody private is, or nothing answers; and not often."""
    url, listed = hook_of(canary)
    with serving(tmp_path, outbound=listed) as server:
        people = server.seated()
        axis = people["axis"]
        refused = axis.post(axis.at("/notices"), {"kind": "hook", "target": "https://127.0.0.1/"})
        assert refused.status_code == 200  # a plain address may be kept; whether it is called is decided at each call
        said = axis.post(axis.at("/notices/test"), {"kind": "hook"}).json()
        assert said["error"] == NOT_DELIVERED and not said["sent"]
        assert axis.post(axis.at("/notices"), {"kind": "hook", "target": url}).json()["hook"]["off"] == ""
        assert axis.post(axis.at("/notices/test"), {"kind": "hook"}).json()["sent"] and canary.calls == 1
        codes = [axis.post(axis.at("/notices/test"), {"kind": "hook"}).status_code for _ in range(4)]
        assert codes[-1] == 429
        assert (
            axis.post(axis.at("/notices"), {"kind": "mail", "target": "a@example.org"}).json()["refused"]
            == notices.NO_MAIL
        )
        for other in (people["host"], server.visitor()):
            assert other.get(axis.at("/notices")).status_code == 404
            assert other.get(f"/games/{axis.game}/notices").status_code == 404
        assert people["allies"].get(people["allies"].at("/notices")).json()["hook"] is None
        assert axis.post(axis.at("/notices/remove"), {"kind": "hook"}).json()["hook"] is None
