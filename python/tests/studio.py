"""A client of the studio, which runs in its own process."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import time
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from conftest import BINARY, Workspace

TIMEOUT_SECS = 120


class Studio:
    """A studio on one corpus. Leaving the context ends it."""

    def __init__(self, workspace: Workspace, corpus: str) -> None:
        line = [BINARY, "studio", "--no-open", corpus]
        self._process = subprocess.Popen(
            line, cwd=workspace.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        link = urlsplit(self._process.stdout.readline().strip())
        self._address = link.netloc
        self._cookie = ""
        response = self._send("GET", f"/?{link.query}")
        self._cookie = response.headers["set-cookie"].split(";")[0]

    def __enter__(self) -> Studio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def get(self, path: str) -> bytes:
        """The body of a resource."""
        response = self._send("GET", path)
        body = response.read()
        assert response.status == 200, f"{path}: {response.status} {body.decode()}"
        return body

    def describe(self, path: str) -> Any:
        """A resource that is JSON."""
        return json.loads(self.get(path))

    def run(self, panel: str, request: dict[str, Any]) -> dict[str, Any]:
        """Runs a panel and returns the description of its first motion."""
        job = self._post(f"/api/panels/{panel}", request)["job"]
        deadline = time.monotonic() + TIMEOUT_SECS
        while time.monotonic() < deadline:
            state = self.describe(f"/api/jobs/{job}")
            if state["state"] != "running":
                return self._first(state)
            time.sleep(0.02)
        raise TimeoutError(panel)

    def play(self, panel: str, request: dict[str, Any]) -> dict[str, Any]:
        """Watches a live panel until it ends and returns the description of its first motion."""
        number = self._post(f"/api/panels/{panel}/play", request)["live"]
        host, port = self._address.split(":")
        with socket.create_connection((host, int(port)), TIMEOUT_SECS) as stream:
            head = {
                **self._headers(),
                "Host": self._address,
                "Connection": "upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            }
            lines = [f"GET /api/live/{number} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
            stream.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            received = stream.makefile("rb")
            assert b"101" in received.readline()
            while received.readline().strip():
                pass
            while True:
                kind, length = received.read(1)[0] & 15, received.read(1)[0] & 127
                if length > 125:
                    length = int.from_bytes(received.read(2 if length == 126 else 8), "big")
                content = received.read(length)
                assert kind != 8, "the studio closed the connection"
                # Text is the state of the session; frames are binary.
                if kind == 1 and (state := json.loads(content))["state"] != "preparing":
                    return self._first(state)

    def panels(self) -> set[str]:
        """The names of the panels."""
        return set(self.describe("/api/about")["panels"])

    def export(self, motion: dict[str, Any], name: str = "bvh") -> bytes:
        """A motion as a file, or a file that its command needs."""
        return self.get(f"/api/motions/{motion['id']}/export/{name}")

    def _first(self, state: dict[str, Any]) -> dict[str, Any]:
        assert state["state"] == "done" and state["motions"], state
        described: dict[str, Any] = self.describe(f"/api/motions/{state['motions'][0]}")
        return described

    def _post(self, path: str, request: dict[str, Any]) -> dict[str, Any]:
        response = self._send("POST", path, json.dumps(request).encode(), "application/json")
        body = response.read()
        assert response.status == 200, f"{path}: {response.status} {body.decode()}"
        parsed: dict[str, Any] = json.loads(body)
        return parsed

    def _headers(self) -> dict[str, str]:
        return {"Origin": f"http://{self._address}", "Cookie": self._cookie}

    def _send(
        self, method: str, path: str, body: bytes | None = None, kind: str = "text/plain"
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self._address, timeout=TIMEOUT_SECS)
        connection.request(method, path, body, {**self._headers(), "Content-Type": kind, "Connection": "close"})
        return connection.getresponse()
