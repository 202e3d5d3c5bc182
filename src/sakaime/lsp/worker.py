"""One thread for what takes long, so that the server answers meanwhile."""

from __future__ import annotations

import asyncio
import threading
from queue import SimpleQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Answer = TypeVar("Answer")


class Worker:
    """Does one thing after the other. It does not keep the program from ending."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any], asyncio.AbstractEventLoop]]
        self._waiting = SimpleQueue()
        self._started = False

    def do(self, work: Callable[[], Answer]) -> asyncio.Future[Answer]:
        """What `work` gives or raises, as soon as it is its turn. One that is cancelled before is left out."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        if not self._started:
            self._started = True
            threading.Thread(target=self._run, name="sakaime", daemon=True).start()
        self._waiting.put((work, future, loop))
        return future

    def _run(self) -> None:
        while True:
            work, future, loop = self._waiting.get()
            if future.cancelled():
                continue
            try:
                answer, error = work(), None
            except Exception as raised:
                answer, error = None, raised
            try:
                loop.call_soon_threadsafe(_settle, future, answer, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return


def _settle(future: asyncio.Future[Any], answer: object, error: Exception | None) -> None:
    if future.cancelled():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(answer)
