"""An endpoint that says nothing: one request is sent again to see whether it does once more, and the others wait."""

import asyncio


class Silence:
    """Whether one endpoint answers at all at the moment. Belongs to one event loop."""

    def __init__(self) -> None:
        self.answers = 0
        """That came so far."""
        self._end: asyncio.Future[bool] | None = None
        """Says, once the request that was sent again has ended, whether the endpoint answers."""

    def answered(self) -> None:
        """An answer came, to whomever."""
        self.answers += 1
        if self._end is not None and not self._end.done():
            self._end.set_result(True)

    def begin(self) -> bool:
        """Whether the one who asks is to send its request again; else another one does, which is to be awaited."""
        if self._end is not None:
            return False
        self._end = asyncio.get_running_loop().create_future()
        return True

    def end(self, answers: bool) -> None:
        """The request that was sent again has ended."""
        if self._end is not None and not self._end.done():
            self._end.set_result(answers)
        self._end = None

    @property
    def is_on(self) -> bool:
        """Whether it is being found out if the endpoint answers."""
        return self._end is not None and not self._end.done()

    async def over(self) -> bool:
        """Waits until that is found out; whether it does."""
        if self._end is None:
            return True
        return await asyncio.shield(self._end)
