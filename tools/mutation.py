"""Mutates the functions of modifiers and limits, one small change at a time, and names the changes that no test notices.

    python tools/mutation.py                      all of them, in about ten minutes and five more the first time
    python tools/mutation.py naval.search air     only of functions whose full names contain one of these words
    python tools/mutation.py --seconds=5          with so many seconds of tests for each change, for a first look
    python tools/mutation.py --again=FILE         only those that survived in an output that was kept
    python tools/mutation.py --list               only count them

A function is one of modifiers or limits if it reads a table, returns a number or a breakdown, or makes limits of a form;
of the last, only the statements that make limits are changed. A change is: a number one more or one less, a comparison that
takes in its edge or no longer does or is turned round, plus and minus, minimum and maximum, "and" and "or" exchanged, a
condition turned round, a line of a breakdown or a limit left out, an answer one too high.

The tests are collected once. A first run of them notes which statements each one reaches; it is kept in build/ and done
anew for what has changed. Then every change is tried in a process forked for it, on the tests that reach its statement,
those first that reach little else, until one fails. What survives must be caught by a test, or stands in tools/mutation_equivalents.json
with the reason why it cannot change a number. Exits with 1 if anything else survives.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import gc
import hashlib
import importlib
import inspect
import json
import os
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

HOME = Path(__file__).parents[1]
KEPT = HOME / "build" / "mutation-tests.json"
KILLER = HOME / "build" / "mutation-killer.txt"
EQUIVALENTS = HOME / "tools" / "mutation_equivalents.json"
TESTS = ("tests/tables", "tests/rules", "tests/core", "tests/cases", "tests/examples")
PACKAGES = ("flagplot.tables", "flagplot.rules", "flagplot.editions")
MODULES = ("flagplot.core.events",)
MOST_SECONDS = 25.0  # of tests for one change
LIMITS = {"AtMost", "AtLeast", "OneShort", "OnlyIf"}
LINES = {"plus", "at_most", "at_least"}
APART = ("flagplot.rules.amendments",)  # what players put right by agreement
AT_IMPORT = (
    "as_printed",
    "_as_printed",
    "_steps",
    "_ships",
)  # done once: tests/tables/test_every_cell.py compares them
# Answers that are numbers, lines of a breakdown, or made of breakdowns; counts of units are not among them.
NUMBER = re.compile(
    r"int|int \| None|Modifiers|Shares|SurpriseEffects|(tuple|list)\[int(, (int|\.\.\.))*\]|dict\[int, int\]"
    r"|tuple\[str, int\]|tuple\[tuple\[str, int\], \.\.\.\]|tuple\[Attempt, \.\.\.\]"
)
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
EXCHANGED = {"min": "max", "max": "min", "any": "all", "all": "any"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Site:
    """One change: where a node hangs, what takes its place, and the line of the statement it is in."""

    parent: ast.AST
    name: str
    index: int | None
    old: ast.AST
    new: ast.AST | None  # None: left out
    line: int

    @property
    def words(self) -> str:
        change = f"{_source(self.old)} -> {_source(self.new) if self.new else 'left out'}"
        small = isinstance(self.old, ast.Constant | ast.Name | ast.Attribute) and isinstance(self.parent, ast.expr)
        return f"{change} in {_source(self.parent)}" if small else change

    def apply(self) -> None:
        if self.index is None:
            setattr(self.parent, self.name, self.new)
        else:
            getattr(self.parent, self.name)[self.index] = self.new or ast.copy_location(ast.Pass(), self.old)


@dataclass
class Target:
    """A function of modifiers or limits."""

    module: Any
    qualname: str
    node: Definition
    tree: ast.Module
    sites: list[Site] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.module.__name__.removeprefix('flagplot.')}.{self.qualname}"

    @property
    def function(self) -> FunctionType:
        found: Any = self.module
        for part in self.qualname.split("."):
            found = inspect.getattr_static(found, part)
        while not isinstance(found, FunctionType):
            found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found.__wrapped__
        return found


# -- what is changed --------------------------------------------------------------------------------------------------


def targets(words: Iterable[str]) -> list[Target]:
    """The functions of modifiers and limits, with all changes to each."""
    names = list(MODULES)
    for name in PACKAGES:
        package = importlib.import_module(name)
        names += [info.name for info in pkgutil.walk_packages(package.__path__, f"{name}.")]
    chosen = list(words)
    found = []
    for name in names:
        if name in APART:
            continue
        module = importlib.import_module(name)
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for qualname, node in _definitions(tree, ""):
            target = Target(module, qualname, node, tree)
            target.sites = list(_sites_of(node, whole=name.startswith("flagplot.tables")))
            if target.sites and (not chosen or any(word in target.name for word in chosen)):
                found.append(target)
    return found


def _definitions(within: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for node in ast.iter_child_nodes(within):
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{prefix}{node.name}.")
        elif isinstance(node, Definition) and not node.name.startswith("__") and node.name not in AT_IMPORT:
            yield f"{prefix}{node.name}", node


def _sites_of(node: Definition, *, whole: bool) -> Iterator[Site]:
    """Of a function with a number for its answer everything, as of those that read a table; of others the statements that
    make limits or lines."""
    returned = ast.unparse(node.returns) if node.returns else ""
    if whole or NUMBER.fullmatch(returned):
        yield from _sites(node, None)
        if returned == "int":
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    more = ast.BinOp(copy.deepcopy(each.value), ast.Add(), ast.Constant(1))
                    yield Site(each, "value", None, each.value, more, each.lineno)
        return
    wanted = _statements_of_limits(node)
    if wanted:
        yield from _sites(node, wanted)


def _statements_of_limits(node: Definition) -> set[ast.stmt]:
    """The statements that make limits, and those that set what these use."""
    wanted: set[ast.stmt] = set()
    for statement in _simple(node):
        called = [each.func for each in ast.walk(statement) if isinstance(each, ast.Call)]
        names = {each.id for each in called if isinstance(each, ast.Name)} & LIMITS
        names |= {each.attr for each in called if isinstance(each, ast.Attribute)} & LINES
        if names:
            wanted.add(statement)
    before = -1
    while before != len(wanted):
        before = len(wanted)
        used = {each.id for statement in wanted for each in ast.walk(statement) if isinstance(each, ast.Name)}
        for statement in _simple(node):
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
                places = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                awaited = any(isinstance(each, ast.Await) for each in ast.walk(statement))
                if not awaited and used & {
                    each.id for place in places for each in ast.walk(place) if isinstance(each, ast.Name)
                }:
                    wanted.add(statement)
    return wanted


def _simple(node: ast.AST) -> Iterator[ast.stmt]:
    for each in ast.walk(node):
        if isinstance(each, ast.stmt) and not hasattr(each, "body"):
            yield each


def _sites(node: Definition, wanted: set[ast.stmt] | None) -> Iterator[Site]:
    for index, statement in enumerate(node.body):
        yield from _in_statement(node, "body", index, statement, wanted)


def _in_statement(
    parent: ast.AST, name: str, index: int, node: ast.stmt, wanted: set[ast.stmt] | None
) -> Iterator[Site]:
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.Pass):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if not hasattr(node, "body"):
        if wanted is None or node in wanted:
            call = node.value if isinstance(node, ast.Expr) else None
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr in ("append", "extend")
            ):
                yield Site(parent, name, index, node, None, node.lineno)
            for new in _instead_of(node, parent, name):
                yield Site(parent, name, index, node, new, node.lineno)
            yield from _in_expression(node, node.lineno)
        return
    inner = [
        (field_name, number, each)
        for field_name in ("body", "orelse")
        for number, each in enumerate(getattr(node, field_name, []))
        if isinstance(each, ast.stmt)
    ]
    counted = wanted is None or any(each in wanted for each in ast.walk(node) if isinstance(each, ast.stmt))
    if counted and not all(isinstance(each, ast.Raise) for _, _, each in inner):
        for heading in ("test", "iter"):
            each = getattr(node, heading, None)
            if each is not None:
                yield from _at(node, heading, None, each, node.lineno)
    for field_name, number, each in inner:
        yield from _in_statement(node, field_name, number, each, wanted)


def _in_expression(node: ast.AST, line: int) -> Iterator[Site]:
    """Changes below a node, leaving out what only makes words."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "ctx"):
            continue
        if isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, ast.AST) and not _only_words(node, name, index):
                    yield from _at(node, name, index, each, line)
        elif isinstance(value, ast.AST):
            yield from _at(node, name, None, value, line)


def _only_words(node: ast.AST, name: str, index: int) -> bool:
    """Whether an argument is the number of a rule or a reason."""
    if not isinstance(node, ast.Call) or name not in ("args",):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called == "plus" or called == "Modifier":
        return index < 2
    if called in LINES:
        return index > 0
    if called in LIMITS:
        return index > 1
    return False


def _at(parent: ast.AST, name: str, index: int | None, node: ast.AST, line: int) -> Iterator[Site]:
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.IfExp) and _is_text(node.body) and _is_text(node.orelse)
    ):
        return
    for new in _instead_of(node, parent, name):
        yield Site(parent, name, index, node, new, line)
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = copy.copy(node)
                changed.ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                yield Site(parent, name, index, node, changed, line)
    yield from _in_expression(node, line)


def _instead_of(node: ast.AST, parent: ast.AST, name: str) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            steps = (1,) if name == "slice" else (1, -1)  # the last of one is the first
            yield from (ast.Constant(node.value + step) for step in steps)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _text(node):
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in EXCHANGED:
            yield ast.Call(ast.Name(EXCHANGED[node.func.id], ast.Load()), node.args, node.keywords)
        if isinstance(node.func, ast.Attribute) and node.func.attr in LINES:
            yield node.func.value
    asked = name == "test" or (isinstance(parent, ast.comprehension) and name == "ifs")
    if asked and isinstance(node, ast.expr) and not isinstance(node, ast.Compare | ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), node)


def _text(node: ast.BinOp) -> bool:
    return _is_text(node.left) or _is_text(node.right)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _source(node: ast.AST | None) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split()) if node else ""


# -- how it is tried --------------------------------------------------------------------------------------------------


def code_of(target: Target, tree: ast.Module) -> CodeType:
    """The code of a function, of a module compiled anew."""
    filename = str(target.module.__file__)
    compiled = compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
    waiting = [compiled]
    while waiting:
        code = waiting.pop()
        if code.co_qualname == target.qualname:
            return code
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    raise LookupError(target.qualname)


class Noting(ast.NodeTransformer):
    """Puts before every statement of the targets a note that it was reached."""

    def __init__(self, module: str) -> None:
        self.module = module

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and not isinstance(node, ast.Module | ast.ClassDef):
                setattr(node, name, [each for statement in statements for each in (self.note(statement), statement)])
        return node

    def note(self, statement: ast.stmt) -> ast.stmt:
        mark = f"{self.module}:{statement.lineno}"
        return ast.copy_location(ast.parse(f"__reached__.add({mark!r})").body[0], statement)


@dataclass
class Reached:
    """What a test reaches, and how long it takes."""

    seconds: float
    marks: list[str]


def forked(work: Callable[[], int]) -> int:
    """Do something in a process of its own, whose words nobody hears: its exit status."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return status
    code = 99
    with contextlib.suppress(BaseException):
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        code = work()
    os._exit(code)


class Session:
    """A plugin of pytest that mutates where the tests would run."""

    def __init__(self, chosen: list[Target], seconds: float, again: str) -> None:
        self.seconds = seconds
        self.again = again
        self.targets = chosen
        self.failed = self.trying = False
        self.survivors: list[tuple[Target, Site, str]] = []
        self.known = json.loads(EQUIVALENTS.read_text(encoding="utf-8")) if EQUIVALENTS.exists() else {}
        self.used: set[str] = set()
        self.counts = {"caught": 0, "equivalent": 0, "survivors": 0, "unreached": 0}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """A change that is noticed is noticed: how exactly the test failed need not be written down."""
        outcome: Any = yield
        if self.trying and outcome.excinfo and not issubclass(outcome.excinfo[0], pytest.skip.Exception):
            KILLER.write_text(item.nodeid)
            os._exit(1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        reached = self.reached(items)
        by_mark: dict[str, list[str]] = {}
        for test, about in reached.items():
            for mark in about.marks:
                by_mark.setdefault(mark, []).append(test)
        gc.collect()
        gc.freeze()
        for number, target in enumerate(self.targets, start=1):
            self.try_all(target, items, reached, by_mark)
            print(f"{number:4} of {len(self.targets)}: {target.name}, {len(target.sites)} changes", flush=True)
        return True

    # -- which tests reach what

    def reached(self, items: dict[str, pytest.Item]) -> dict[str, Reached]:
        """Which statements each test reaches: kept from last time, but for tests in files that have changed since."""
        names = " ".join(target.name for target in targets([]))
        source = _hash(HOME / "src" / "flagplot") + hashlib.blake2b(names.encode(), digest_size=8).hexdigest()
        files = {item.location[0]: _hash(HOME / item.location[0]) for item in items.values()}
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        if kept.get("source") != source:
            kept = {}
        known = {
            test: Reached(*about)
            for test, about in kept.get("tests", {}).items()
            if test in items and kept["files"].get(items[test].location[0]) == files[items[test].location[0]]
        }
        missing = [item for test, item in items.items() if test not in known]
        if missing:
            print(f"{len(missing)} tests are run to see what they reach ...", flush=True)
            forked(lambda: self.note(missing, known, source, files))
            known = {test: Reached(*about) for test, about in json.loads(KEPT.read_text())["tests"].items()}
        return known

    def note(self, items: list[pytest.Item], known: dict[str, Reached], source: str, files: dict[str, str]) -> int:
        marks: set[str] = set()
        _silence(items[0])
        builtins.__reached__ = marks  # type: ignore[attr-defined]
        trees: dict[str, ast.Module] = {}
        for target in targets([]):
            name = target.module.__name__
            trees[name] = trees[name] if name in trees else Noting(name).visit(target.tree)
            target.function.__code__ = code_of(target, trees[name])
        found = {test: [about.seconds, about.marks] for test, about in known.items()}
        for item in items:
            marks.clear()
            self.failed = False
            began = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            reached = [] if self.failed else sorted(marks)  # a test that fails as things are proves nothing
            found[item.nodeid] = [round(time.monotonic() - began, 4), reached]
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({"source": source, "files": files, "tests": found}))
        return 0

    # -- the changes

    def try_all(
        self, target: Target, items: dict[str, pytest.Item], reached: dict[str, Reached], by_mark: dict[str, list[str]]
    ) -> None:
        killers: dict[str, int] = {}
        texts: dict[str, int] = {}
        for site in target.sites:
            text = f"{target.name}: {site.words}"
            texts[text] = texts.get(text, 0) + 1
            key = text if texts[text] == 1 else f"{text} ({texts[text]})"
            if self.again and f"SURVIVED {key}   line" not in self.again:
                continue
            if key in self.known:
                self.counts["equivalent"] += 1
                self.used.add(key)
                continue
            tests = sorted(
                by_mark.get(f"{target.module.__name__}:{site.line}", []),
                key=lambda test: (-killers.get(test, 0), len(reached[test].marks), reached[test].seconds),
            )
            chosen, seconds = [], 0.0
            for test in tests:
                seconds += reached[test].seconds
                chosen.append(test)
                if seconds > self.seconds:
                    break
            killer = self.killer(target, site, [items[test] for test in chosen]) if chosen else ""
            if killer:
                killers[killer] = killers.get(killer, 0) + 1
                self.counts["caught"] += 1
            else:
                self.counts["survivors" if chosen else "unreached"] += 1
                self.survivors.append((target, site, key))
                print(f"SURVIVED {key}   line {site.line}, {len(chosen)} of {len(tests)} tests", flush=True)

    def killer(self, target: Target, site: Site, items: list[pytest.Item]) -> str:
        """The test that notices a change, "time" if it never ends; nothing if none does."""
        KILLER.unlink(missing_ok=True)

        def work() -> int:
            self.trying = True
            signal.alarm(int(10 + 6 * self.seconds))
            _silence(items[0])
            site.apply()
            try:
                target.function.__code__ = code_of(target, target.tree)
            except (SyntaxError, ValueError, TypeError):
                return 3
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    KILLER.write_text(item.nodeid)
                    return 1
            return 0

        status = forked(work)
        if status == 0:
            return ""
        return KILLER.read_text() if KILLER.exists() else "time"


def _silence(item: pytest.Item) -> None:
    """Nobody needs to hear how each test goes."""
    item.config.pluginmanager.unregister(name="terminalreporter")


def _hash(path: Path) -> str:
    sums = hashlib.blake2b(digest_size=8)
    for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        sums.update(each.read_bytes())
    return sums.hexdigest()


def main() -> int:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    chosen = targets(words)
    print(f"{len(chosen)} functions, {sum(len(target.sites) for target in chosen)} changes", flush=True)
    if "--list" in sys.argv:
        for target in chosen:
            print(f"{len(target.sites):4} {target.name}")
        return 0
    seconds = [float(word.removeprefix("--seconds=")) for word in sys.argv if word.startswith("--seconds=")]
    again = [Path(word.removeprefix("--again=")).read_text() for word in sys.argv if word.startswith("--again=")]
    session = Session(chosen, *(seconds or [MOST_SECONDS]), "".join(again))
    began = time.monotonic()
    os.chdir(HOME)
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:ledger-proofs", "--no-header", *TESTS], plugins=[session])
    print(
        ", ".join(f"{number} {name}" for name, number in session.counts.items()), f"in {time.monotonic() - began:.0f} s"
    )
    names = {target.name for target in chosen}
    stale = [key for key in session.known if key.split(":")[0] in names and key not in session.used]
    for key in stale:
        print(f"no longer a change: {key}")
    return 1 if session.survivors or stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
