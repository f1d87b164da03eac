"""A client of a Weft's chain API, of the standard library alone. Python 3.9 or newer.

    from weft_client import Weft

    weft = Weft("http://localhost:3000")
    for path, data in weft.simulate("pitch", 12).items():
        print(path, data)
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, Optional

__all__ = ["Delta", "Weft", "WeftError"]

#: Seconds between attempts of a stream, the last one repeated.
RETRY_SECONDS = (0.2, 1, 2, 5, 10)
#: A stream sends something at least every 15 seconds.
STREAM_TIMEOUT = 45


class WeftError(Exception):
    """The server refused a request."""

    def __init__(self, status: int, message: str, code: Optional[str] = None) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        self.message = message
        #: A value of the page about error codes.
        self.code = code


@dataclass(frozen=True)
class Delta:
    """A change of the feed."""

    stream_seq: int
    event_type: str
    #: ``observed``, ``safe``, ``finalized``, or ``removed`` after a reorganisation of the chain.
    status: str
    feed_id: str
    kind: str
    name: str
    owner: str


class Weft:
    """The chain API of one site.

    :param site: the origin, like ``https://weft.example``
    :param timeout: seconds for one request
    """

    def __init__(self, site: str, timeout: float = 60) -> None:
        self.base = site.rstrip("/") + "/chain"
        self.timeout = timeout
        self.token: Optional[str] = None

    def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Sends one request and returns the parsed answer. Raises :class:`WeftError`."""
        with self._open(method, path, body, query, self.timeout) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def simulate(
        self, connector: str, count: int, dynamic_ri: Optional[Mapping[str, Mapping[str, int]]] = None
    ) -> dict[str, list[int]]:
        """Runs a connector on the server. Returns the values by path."""
        return _by_path(self.request("POST", "/simulate", _run(connector, count, dynamic_ri)))

    def execute(
        self, connector: str, count: int, dynamic_ri: Optional[Mapping[str, Mapping[str, int]]] = None
    ) -> tuple[int, dict[str, list[int]]]:
        """Runs a published connector on chain. Returns the block of the call, and the values by path."""
        answer = self.request("POST", "/execute", _run(connector, count, dynamic_ri))
        return answer["block_number"], _by_path(answer["particles"])

    def read(self, kind: str, name: str) -> dict[str, Any]:
        """Reads a ``connector``, ``transformation`` or ``condition``."""
        return self.request("GET", f"/{kind}/{urllib.parse.quote(name, safe='')}")

    def sign_in(self, address: str, sign: Callable[[str], str]) -> None:
        """Signs in for five minutes.

        :param sign: returns the EIP-191 signature (``personal_sign``) of a message, hexadecimal
        """
        message = "Login nonce: " + self.request("GET", f"/nonce/{address}")["nonce"]
        signed = {"address": address, "message": message, "signature": sign(message)}
        self.token = self.request("POST", "/auth", signed)["access_token"]

    def follow(self, since_seq: int = 0, *, patience: float = 60.0, **filters: str) -> Iterator[Delta]:
        """Yields the feed from a position on, for ever: each change once, in order, over any number of connections.

        :param since_seq: the last number already handled
        :param patience: seconds to try again while the site does not answer; then the last error is raised
        :param filters: ``kind``, ``owner``, ``format``, ``name``
        """
        position, failures, contact = since_seq, 0, time.monotonic()
        while True:
            try:
                query = {**filters, "since_seq": position}
                with self._open("GET", "/feed/stream", None, query, STREAM_TIMEOUT) as stream:
                    for event, number, data in _events(stream):
                        failures, contact = 0, time.monotonic()
                        if event == "stream_meta" and data["stale_since_seq"]:
                            raise LookupError(f"changes after {position} are not stored, or of another history: read /feed anew")
                        if number is None or number <= position:
                            continue
                        position = number
                        if event != "position":
                            yield _delta(data)
            except WeftError as error:
                if error.status not in (429, 500, 502, 503) or time.monotonic() - contact > patience:
                    raise
            except (OSError, http.client.HTTPException):
                if time.monotonic() - contact > patience:
                    raise
            time.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    def _open(self, method: str, path: str, body: Any, query: Mapping[str, Any], timeout: float) -> Any:
        url = self.base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = "Bearer " + self.token
        try:
            return urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=timeout)
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None


def _refusal(error: urllib.error.HTTPError) -> WeftError:
    try:
        message = str(json.loads(error.read())["message"])
    except (ValueError, KeyError, TypeError):
        message = str(error.reason)
    return WeftError(error.code, message, error.headers.get("X-Error-Code"))


def _run(connector: str, count: int, dynamic_ri: Optional[Mapping[str, Mapping[str, int]]]) -> dict[str, Any]:
    body: dict[str, Any] = {"connector_name": connector, "particles_count": count}
    return body if dynamic_ri is None else {**body, "dynamic_ri": dynamic_ri}


def _by_path(items: list[dict[str, Any]]) -> dict[str, list[int]]:
    return {item["path"]: item["data"] for item in items}


def _delta(data: Mapping[str, Any]) -> Delta:
    payload = data["payload"]
    own = (data[key] for key in ("stream_seq", "event_type", "status", "feed_id"))
    return Delta(*own, kind=payload["type"], name=payload["name"], owner=payload["owner"])


def _events(stream: Any) -> Iterator[tuple[str, Optional[int], Any]]:
    """The server-sent events of a response: name, number and data. An event that was cut off is none."""
    fields: dict[str, str] = {}
    for line in stream:
        text = line.decode().rstrip("\r\n")
        if text == "":
            if "data" in fields:
                number = fields.get("id")
                yield fields.get("event", "message"), None if number is None else int(number), json.loads(fields["data"])
            fields = {}
        elif not text.startswith(":"):
            name, _, value = text.partition(":")
            fields[name] = value[1:] if value.startswith(" ") else value
