"""A model that misbehaves on request: a loopback server which speaks both dialects."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, dict[str, Any] | str]
Behaviour = Callable[[dict[str, Any]], Reply]


@dataclass
class FakeModel:
    """What the server was asked, and what it answers in turn; the last behaviour repeats."""

    behaviours: list[Behaviour]
    requests: list[dict[str, Any]] = field(default_factory=list)
    address: str = ""
    drips: bool = False
    """Its answers come byte by byte."""

    def behaviour(self) -> Behaviour:
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


@contextmanager
def fake_model(*behaviours: Behaviour) -> Iterator[FakeModel]:
    """Serve these behaviours on a free loopback port until the block ends."""
    model = FakeModel(list(behaviours))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.requests.append(body)
            status, answer = model.behaviour()(body)
            data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if 300 <= status < 400:
                self.send_header("Location", str(answer))
            self.end_headers()
            for place in range(len(data) if model.drips else 0):
                self.wfile.write(data[place : place + 1])
                time.sleep(0.1)
            self.wfile.write(b"" if model.drips else data)

        def log_message(self, *arguments: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    model.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


def finding(concept: str, quote: str, clause: str, **more: Any) -> dict[str, Any]:
    """One finding as a well-behaved model writes it."""
    return {
        "concept_id": concept,
        "other_text": "",
        "specifiers": {},
        "polarity": "positive",
        "certainty": "firm",
        "time": "current",
        "subject": "patient",
        "quote": quote,
        "clause_id": clause,
    } | more


def answer(*findings: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A whole answer."""
    service = {"type": "individual", "minutes": None, "quote": ""}
    return {"findings": list(findings), "service": service, "notes_for_reviewer": ""} | more


def says(content: dict[str, Any] | str, *, finish: str = "stop", refusal: str | None = None) -> Behaviour:
    """The OpenAI dialect of an answer."""
    text = content if isinstance(content, str) else json.dumps(content)

    def reply(_: dict[str, Any]) -> Reply:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        choice = {"index": 0, "finish_reason": finish, "message": message}
        return 200, {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "fake",
            "choices": [choice],
        }

    return reply


def uses_tool(content: dict[str, Any], *, stop: str = "tool_use") -> Behaviour:
    """The Anthropic dialect of an answer."""

    def reply(_: dict[str, Any]) -> Reply:
        block = {"type": "tool_use", "id": "t", "name": "answer", "input": content}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return 200, {
            "id": "x", "type": "message", "role": "assistant", "model": "fake", "content": [block],
            "stop_reason": stop, "stop_sequence": None, "usage": usage,
        }  # fmt: skip

    return reply


def fails(status: int, message: str = "no") -> Behaviour:
    """An error answer."""
    return lambda _: (status, {"error": {"message": message, "type": "error"}})


def redirects(status: int, address: str) -> Behaviour:
    """An answer that points elsewhere."""
    return lambda _: (status, address)


def dawdles(seconds: float) -> Behaviour:
    """An answer that comes too late."""

    def reply(_: dict[str, Any]) -> Reply:
        time.sleep(seconds)
        return 200, {}

    return reply


def clause_of(request: dict[str, Any], words: str) -> str:
    """The id of the clause that holds the words, as the model sees it."""
    text = next(m["content"] for m in reversed(request["messages"]) if m["role"] == "user")
    line = next(line for line in text.splitlines() if line.startswith("[c") and words in line)
    return str(line[1 : line.index("]")])
