"""Standing orders that come with Flagplot, to begin from."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from flagplot.core.errors import UnknownName

ENDING = ".orders"


@cache
def example_titles() -> dict[str, str]:
    """The examples there are, by name, with their first line."""
    found = sorted(each.name for each in (files("flagplot") / "data" / "orders").iterdir())
    names = [name.removesuffix(ENDING) for name in found if name.endswith(ENDING)]
    return {name: example_orders(name).partition("\n")[0].lstrip("# ") for name in names}


@cache
def example_orders(name: str) -> str:
    """The text of an example."""
    try:
        return (files("flagplot") / "data" / "orders" / f"{name}{ENDING}").read_text("utf-8")
    except (FileNotFoundError, ValueError):
        raise UnknownName(f"there are no standing orders {name!r}; there are battle, operation and war") from None
