"""A package imports only what stands left of it."""

from __future__ import annotations

import pytest

from tests.house.trees import imports, module_name, python_files, where

# Packages in one step stand side by side and do not know each other.
ORDER: tuple[tuple[str, ...], ...] = (
    ("core",),
    ("model",),
    ("tables",),
    ("rules",),
    ("editions",),
    ("scenarios",),
    ("doctrine",),
    ("play",),
    ("bots",),
    ("odds",),
    ("api",),
    ("web", "env"),
    ("cli",),
)
STEP = {package: step for step, packages in enumerate(ORDER) for package in packages}


def package_of(module: str) -> str:
    """`flagplot.core.asks` lies in `core`; the root itself in the empty name."""
    return module.split(".")[1] if "." in module else ""


def out_of_order(source: str, module: str, is_package: bool = False) -> list[str]:
    """What this module imports against the order."""
    here = package_of(module)
    if here == "__main__":
        here = "cli"  # `python -m flagplot` is the command line under another name
    if here and here not in STEP:
        return [f"{module}: {here} has no place in the order of packages"]
    wrong = []
    for line, name in imports(source, module, is_package):
        if name.split(".")[0] != "flagplot":
            continue
        there = package_of(name)
        if not there or there.startswith("__") or there == here:
            continue  # the version, or a neighbour in the same package
        if not here:
            wrong.append(f"line {line}: the root imports {there}, and every package imports the root")
        elif there not in STEP:
            wrong.append(f"line {line}: {there} has no place in the order of packages")
        elif STEP[there] >= STEP[here]:
            wrong.append(f"line {line}: {here} may not import {there}")
    return wrong


def test_packages_import_only_what_stands_left_of_them() -> None:
    wrong = [
        f"{where(path)}: {complaint}"
        for path in python_files()
        for complaint in out_of_order(path.read_text("utf-8"), module_name(path), path.name == "__init__.py")
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("flagplot.core.asks", "import flagplot.model.ships"),
        ("flagplot.core.asks", "from flagplot.rules.damage import sink"),
        ("flagplot.core.asks", "from flagplot import play"),
        ("flagplot.core.asks", "from ..model import ships"),
        ("flagplot.core.asks", "from .. import model"),
        ("flagplot.rules.naval.battle", "from ...editions.current import CURRENT"),
        ("flagplot.rules.damage", "def late():\n    import flagplot.play"),
        ("flagplot.rules.damage", "if TYPE_CHECKING:\n    from flagplot.editions import current"),
        ("flagplot.rules.damage", "importlib.import_module('flagplot.editions.current')"),
        ("flagplot.bots.admiral", "from flagplot.odds import exact"),
        ("flagplot.play.game", "import flagplot.api"),
        ("flagplot.web.pages", "from flagplot.cli import main"),
        ("flagplot.core.asks", "import flagplot.toolbox"),
        ("flagplot.toolbox.things", ""),
        ("flagplot", "from flagplot.api import odds"),
    ],
)
def test_an_import_against_the_order_is_found(module: str, source: str) -> None:
    assert len(out_of_order(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("flagplot.core.runner", "from flagplot.core.asks import Ask\nfrom . import tape\nfrom .tape import Entry"),
        ("flagplot.rules.naval.battle", "from ..damage import sink\nfrom ...core import asks"),
        ("flagplot.model.ships", "import msgspec\nfrom flagplot.core import sides"),
        ("flagplot.api", "from flagplot.odds import exact\nfrom flagplot.bots import admiral"),
        ("flagplot.cli.main", "from flagplot import __version__, api"),
        ("flagplot.__main__", "from flagplot.cli.main import main"),
    ],
)
def test_an_import_in_order_is_let_pass(module: str, source: str) -> None:
    assert out_of_order(source, module) == []


def test_a_package_counts_its_dots_from_itself() -> None:
    assert out_of_order("from .asks import Ask", "flagplot.core", is_package=True) == []
    assert out_of_order("from ..model import ships", "flagplot.core", is_package=True) != []
