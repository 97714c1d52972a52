"""How asking ends: what is on its way is waited for, since it will be paid for, unless a person wants to leave."""

import logging
import math
import time
from collections.abc import Callable

KEPT_WITHIN = 5.0
"""Seconds that are enough to keep replies that have arrived."""
_LOOKED = 0.02

Tell = Callable[[int, int], None]
"""Told at once, and then about once a second, how many replies are awaited, and how many seconds at most."""

log = logging.getLogger("benchwright")


def say_in_log(count: int, seconds: int) -> None:
    """Says it where nobody looks on."""
    log.info("waiting for %s at most %s s", replies_on_their_way(count), seconds)


def replies_on_their_way(count: int) -> str:
    """So many, in words."""
    return "1 reply that is on its way" if count == 1 else f"{count:,} replies that are on their way"


def wait_for_replies(in_flight: Callable[[], int], seconds: float, tell: Tell) -> bool:
    """Waits until nothing is on its way any more.

    Args:
        in_flight: how many requests are on their way.
        seconds: how long they are waited for at most.
        tell: is told of it.

    Returns:
        Whether nothing is: False when the time is over, or after Ctrl-C.
    """
    until = time.monotonic() + seconds
    said = math.inf
    try:
        while count := in_flight():
            left = math.ceil(until - time.monotonic())
            if left <= 0:
                return False
            if left < said:
                said = left
                tell(count, left)
            time.sleep(_LOOKED)
    except KeyboardInterrupt:
        return False
    return True
