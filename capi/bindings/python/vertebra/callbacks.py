"""Python functions called by the library. What one raises is kept, the functions after it are not called any more, and the library's call in
which it happened raises it when it returns: no exception is lost, and none crosses C."""
import threading
from typing import Any, Callable


class _Raised(threading.local):
    error: BaseException | None = None


raised = _Raised()


def guarded(function: Callable[..., Any], result: Callable[[Any], Any] | None, otherwise: Any) -> Callable[..., Any]:
    """function with its answer turned into the type that C expects; `otherwise` where it raised, or one before it did."""

    def call(*arguments: Any) -> Any:
        if raised.error is not None:
            return otherwise
        try:
            answer = function(*arguments)
            return result(answer) if result else None
        except BaseException as error:  # KeyboardInterrupt as well: it goes on from the call, too
            raised.error = error
            return otherwise

    return call


def raise_kept(note: str = "") -> None:
    """Raises what a callback raised, if one did."""
    error, raised.error = raised.error, None
    if error is not None:
        if note:
            error.add_note(note)
        raise error
