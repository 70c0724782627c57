"""The laws of rule code, and a few of the house, as far as a syntax tree can tell."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house.trees import (
    SOURCE,
    Function,
    called_name,
    functions,
    imports,
    last_word,
    module_name,
    python_files,
    text_of,
    where,
)

RULES = SOURCE / "rules"
CORE = SOURCE / "core"
CLI = SOURCE / "cli"
LONGEST = 600
FORBIDDEN_IN_RULES = {"random", "time", "datetime", "os", "pathlib", "secrets"}
EMPTY_NAMES = {"utils", "helpers", "manager", "misc", "common"}
RULE_NUMBER = re.compile(r"\d+\.\d+[A-Z]?[\w.]*\b")

# No rule asks which edition it is.

# Known before the editions are written; `edition_names` adds those found in the package.
KNOWN_EDITIONS = {"current", "e2008"}


def edition_names(sources: list[str]) -> set[str]:
    """The names given to editions where they are made: `Edition("current", ...)` or `name="current"`."""
    found = set(KNOWN_EDITIONS)
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if called_name(node) not in ("Edition", "replace"):
                continue
            assert isinstance(node, ast.Call)
            first = node.args[:1] if called_name(node) == "Edition" else []
            given = first + [keyword.value for keyword in node.keywords if keyword.arg == "name"]
            found.update(name.lower() for name in map(text_of, given) if name)
    return found


def is_edition(node: ast.AST) -> bool:
    word = (last_word(node) or "").lower()
    return word in ("edition", "ruleset") or word.endswith(("_edition", "_ruleset"))


def tells_edition(node: ast.AST) -> bool:
    """Whether an expression is an edition, or an edition's name."""
    if isinstance(node, ast.Attribute) and node.attr in ("name", "id", "year"):
        return is_edition(node.value)
    return is_edition(node)


def asks_edition(source: str, names: set[str]) -> list[str]:
    wrong = []
    tree = ast.parse(source)
    # A name such as "current" is also a word of English, so only as a whole string does it mean the edition.
    # A name with a figure in it is nothing else, and may not stand even in a comment.
    coined = {name for name in names if re.search(r"\d", name)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        for word in re.findall(r"\w+", token.string.lower()):
            if word in coined:
                wrong.append(f"line {token.start[0]}: mentions the edition {word}")
    for node in ast.walk(tree):
        name = (text_of(node) or "").lower()
        if name in names - coined:
            wrong.append(f"line {node.lineno}: mentions the edition {name}")
        compared: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
            # "is it there at all" is no question about which one it is
            if any(isinstance(operand, ast.Constant) and operand.value is None for operand in compared):
                compared = []
        elif isinstance(node, ast.Match):
            compared = [node.subject]
        elif isinstance(node, ast.Subscript):
            compared = [node.slice]
        elif called_name(node) == "isinstance" and isinstance(node, ast.Call):
            compared = list(node.args[:1])
        elif called_name(node) in ("startswith", "endswith") and isinstance(node, ast.Call):
            compared = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        if any(map(tells_edition, compared)):
            wrong.append(f"line {node.lineno}: asks which edition it is")
    return wrong


# No clock, randomness, files, or iteration over a set.


def forbidden_imports(source: str, module: str = "flagplot.rules.sample") -> list[str]:
    wrong = [
        f"line {line}: a rule may not import {name.split('.')[0]}"
        for line, name in imports(source, module)
        if name.split(".")[0] in FORBIDDEN_IN_RULES
    ]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "input"):
            wrong.append(f"line {node.lineno}: a rule may not call {node.func.id}")
    return wrong


def is_set_type(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Subscript):
        node = node.value
    return node is not None and last_word(node) in ("set", "frozenset", "AbstractSet", "Set", "FrozenSet")


def is_set(node: ast.AST, known: set[str]) -> bool:
    """Whether an expression is plainly a set: written as one, made as one, or a local name that is always one."""
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return is_set(node.left, known) or is_set(node.right, known)
    return isinstance(node, ast.Name) and node.id in known


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What lies in a module or function, but not in the functions inside it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from own_nodes(child)


def names_of_sets(scope: ast.AST, outer: set[str]) -> set[str]:
    """The local names that hold a set wherever they are given a value."""
    sets: set[str] = set()
    others: set[str] = set()
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        for argument in [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]:
            (sets if is_set_type(argument.annotation) else others).add(argument.arg)
    for node in own_nodes(scope):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            (sets if is_set_type(node.annotation) else others).add(node.target.id)
        elif isinstance(node, ast.Assign | ast.NamedExpr):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    (sets if is_set(node.value, outer | sets) else others).add(target.id)
        elif isinstance(node, ast.For | ast.comprehension):
            others.update(name.id for name in ast.walk(node.target) if isinstance(name, ast.Name))
    return (outer | sets) - others


def iterated_sets(source: str) -> list[str]:
    """Places that walk over a set. Its order differs from run to run; sort it first."""
    wrong: list[int] = []

    def look(scope: ast.AST, outer: set[str]) -> None:
        known = names_of_sets(scope, outer)
        for node in own_nodes(scope):
            walked: list[ast.expr] = []
            if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                walked = [node.iter]
            elif isinstance(node, ast.Starred):
                walked = [node.value]
            elif called_name(node) in ("list", "tuple", "enumerate", "iter", "reversed", "dict", "deque", "join"):
                walked = node.args[:1] if isinstance(node, ast.Call) else []
            elif called_name(node) in ("zip", "map", "filter", "chain", "extend"):
                walked = list(node.args) if isinstance(node, ast.Call) else []
            wrong.extend(item.lineno for item in walked if is_set(item, known))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                look(node, known)

    look(ast.parse(source), set())
    return [f"line {line}: walks over a set; sort it first" for line in sorted(wrong)]


# Rule numbers in docstrings; async only where something is asked.


def rule_numbers(function: Function) -> list[str] | None:
    """The numbers given by `@rule(...)`, None where the function does not carry it."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and called_name(decorator) == "rule":
            return [number for number in map(text_of, decorator.args) if number]
    return None


def unnumbered(source: str) -> list[str]:
    wrong = []
    for function in functions(ast.parse(source)):
        numbers = rule_numbers(function)
        if numbers is None and not isinstance(function, ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(function) or ""
        if numbers is None:
            right = RULE_NUMBER.match(text) is not None
        else:
            first = text.split(" ", 1)[0].rstrip(".:")
            right = bool(first) and any(number.startswith(first) for number in numbers)
        if not right:
            expected = " or ".join(numbers or []) or "its rule number"
            wrong.append(f"line {function.lineno}: the docstring of {function.name} does not begin with {expected}")
    return wrong


def async_for_nothing(source: str) -> list[str]:
    def asks(function: Function) -> bool:
        return any(
            isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith)
            or (isinstance(node, ast.comprehension) and node.is_async)
            for node in own_nodes(function)
        )

    return [
        f"line {function.lineno}: {function.name} is async and awaits nothing"
        for function in functions(ast.parse(source))
        if isinstance(function, ast.AsyncFunctionDef) and not asks(function)
    ]


# The house.


def foreign_imports(source: str, module: str, is_package: bool = False) -> list[str]:
    """What core imports beyond the standard library and msgspec. Which of our own is the order's business."""
    allowed = sys.stdlib_module_names | {"msgspec", "flagplot"}
    return [
        f"line {line}: core may not import {name}"
        for line, name in imports(source, module, is_package)
        if name.split(".")[0] not in allowed
    ]


def too_long(source: str) -> list[str]:
    lines = len(source.splitlines())
    return [f"{lines} lines, where {LONGEST} is the most"] if lines > LONGEST else []


def empty_name(path: Path) -> list[str]:
    """Modules and folders whose name does not say what is in them."""
    return [f"{name} says nothing" for name in (*path.parent.parts, path.stem) if name.strip("_") in EMPTY_NAMES]


def prints(source: str) -> list[str]:
    return [
        f"line {node.lineno}: prints"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]


def complaints(files: list[Path], check: Callable[[str], list[str]]) -> str:
    """What a check finds wrong in these files, one line for each."""
    return "\n".join(f"{where(path)}: {wrong}" for path in files for wrong in check(path.read_text("utf-8")))


def test_no_rule_asks_which_edition_it_is() -> None:
    names = edition_names([path.read_text("utf-8") for path in python_files(SOURCE / "editions")])
    assert not complaints(python_files(RULES), lambda source: asks_edition(source, names))


def test_rules_use_no_clock_no_randomness_and_no_files() -> None:
    assert not complaints(python_files(RULES), forbidden_imports)


def test_rules_never_walk_over_a_set() -> None:
    assert not complaints(python_files(RULES), iterated_sets)


def test_rules_begin_their_docstring_with_their_number() -> None:
    assert not complaints(python_files(RULES), unnumbered)


def test_rules_are_async_only_where_something_is_asked() -> None:
    assert not complaints(python_files(RULES), async_for_nothing)


def test_core_imports_only_the_standard_library_and_msgspec() -> None:
    for path in python_files(CORE):
        is_package = path.name == "__init__.py"
        name = module_name(path)
        assert foreign_imports(path.read_text("utf-8"), name, is_package) == [], where(path)


def test_no_file_is_too_long() -> None:
    assert not complaints(python_files(), too_long)


def test_names_of_modules_say_what_is_in_them() -> None:
    wrong = {where(path): empty_name(path.relative_to(SOURCE)) for path in python_files()}
    assert not {path: found for path, found in wrong.items() if found}


def test_only_the_command_line_prints() -> None:
    assert not complaints([path for path in python_files() if not path.is_relative_to(CLI)], prints)


# The checkers themselves: each finds what is planted, and lets the honest neighbour pass.


def test_edition_names_are_read_from_the_editions() -> None:
    sources = ['X = Edition("winter", tables)', 'Y = replace(X, name="summer")', 'Z = Option(name="blue")']
    assert edition_names(sources) == {"current", "e2008", "winter", "summer"}


@pytest.mark.parametrize(
    "source",
    [
        'if name == "current": pass',
        "x = e2008",
        "x = 1  # as in e2008",
        '"""As E2008 has it."""',
        "if table.edition.name == other: pass",
        "if table.edition is other: pass",
        "if other in (1, 2) and ruleset.name in known: pass",
        "match table.edition.name:\n    case _: pass",
        "x = choices[table.edition.name]",
        "x = table.edition.name.startswith('c')",
        "x = isinstance(table.edition, Old)",
    ],
)
def test_a_question_about_the_edition_is_found(source: str) -> None:
    assert asks_edition(source, KNOWN_EDITIONS) != []


@pytest.mark.parametrize(
    "source",
    [
        '"""22.54. The current round."""\nx = table.edition.fire(3)',
        "if table.edition.withdrawal_limit > 3: pass",
        "if table.edition is None: pass",
        "current = ship.name == other.name",
    ],
)
def test_what_an_edition_offers_may_be_used(source: str) -> None:
    assert asks_edition(source, KNOWN_EDITIONS) == []


@pytest.mark.parametrize("name", sorted(FORBIDDEN_IN_RULES))
def test_a_forbidden_import_is_found(name: str) -> None:
    assert len(forbidden_imports(f"import {name}")) == 1
    assert len(forbidden_imports(f"def f():\n    from {name} import x")) == 1


def test_a_file_opened_by_a_rule_is_found() -> None:
    assert forbidden_imports("x = open('a')") != []
    assert forbidden_imports("import dataclasses\nfrom ..core import dice\nsea.open()") == []


@pytest.mark.parametrize(
    "source",
    [
        "for x in {1, 2}: pass",
        "for x in set(ships): pass",
        "y = [x for x in frozenset(ships)]",
        "for x in {s for s in ships}: pass",
        "for x in set(a) - b: pass",
        "y = list({1, 2})",
        "y = (*set(a), 3)",
        "y = ', '.join({'a', 'b'})",
        "for i, x in enumerate(set(a)): pass",
        "for x, y in zip(a, set(b)): pass",
        "def f():\n    seen = set()\n    for x in seen: pass",
        "def f(seen: frozenset[int]):\n    return [x for x in seen]",
        "SEEN = {1, 2}\ndef f():\n    for x in SEEN: pass",
        "class A:\n    def f(self):\n        for x in {1, 2}: pass",
    ],
)
def test_a_walk_over_a_set_is_found(source: str) -> None:
    assert len(iterated_sets(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "for x in sorted({1, 2}): pass",
        "for x in (1, 2): pass",
        "y = 3 in {1, 2} and len(set(a))",
        "def f():\n    seen = set()\n    seen.add(1)\n    return 1 in seen",
        "def f():\n    seen = set()\n    seen = sorted(seen)\n    for x in seen: pass",
        "SEEN = {1}\ndef f(SEEN: list[int]):\n    for x in SEEN: pass",
        "for x in {1: 2}: pass",
    ],
)
def test_a_sorted_set_is_let_pass(source: str) -> None:
    assert iterated_sets(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "async def fight(): await x",
        "async def fight():\n    '''Fight.'''",
        "@rule('22.54')\ndef dice(): ...",
        "@rule('22.54')\ndef dice():\n    '''22.541. How many.'''",
        "@rule('22.54')\ndef dice():\n    '''22.54B. How many.'''",
        "@rule('22.54')\ndef dice():\n    '''22.54.1 How many.'''",
        "@rulebook.rule('22.54', '22.55')\nasync def dice():\n    '''22.56. How many.'''",
    ],
)
def test_a_rule_without_its_number_is_found(source: str) -> None:
    assert len(unnumbered(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "async def fight():\n    '''22.54B. Fight.'''",
        "@rule('22.54')\ndef dice():\n    '''22.54. How many.'''",
        "@rule('22.54', '22.552A')\ndef dice():\n    '''22.552A: how many.'''",
        "def plain(): ...",
    ],
)
def test_a_rule_with_its_number_is_let_pass(source: str) -> None:
    assert unnumbered(source) == []


def test_an_async_function_that_asks_nothing_is_found() -> None:
    assert len(async_for_nothing("async def f(): return 1")) == 1
    assert len(async_for_nothing("async def f():\n    async def g(): await x\n    return g")) == 1
    assert async_for_nothing("async def f():\n    for x in y:\n        z = 1 + await x") == []
    assert async_for_nothing("def f(): return 1") == []


def test_a_foreign_import_in_core_is_found() -> None:
    assert len(foreign_imports("import numpy", "flagplot.core.dice")) == 1
    assert len(foreign_imports("from rich.table import Table", "flagplot.core.dice")) == 1
    assert foreign_imports("import json, msgspec\nfrom .asks import Ask", "flagplot.core.dice") == []


def test_a_long_file_is_found() -> None:
    assert too_long("x\n" * (LONGEST + 1)) != []
    assert too_long("x\n" * LONGEST) == []


def test_an_empty_name_is_found() -> None:
    assert empty_name(Path("core/utils.py")) != []
    assert empty_name(Path("core/_helpers.py")) != []
    assert empty_name(Path("misc/ships.py")) != []
    assert empty_name(Path("core/asks.py")) == []


def test_a_print_is_found() -> None:
    assert prints("def f():\n    print('x')") != []
    assert prints("console.print('x')") == []
