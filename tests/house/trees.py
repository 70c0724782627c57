"""Where the source files are, and what they import: shared by the tests that read syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "flagplot"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_files(folder: Path = SOURCE) -> list[Path]:
    """Every Python file in a folder and below; none if the folder does not exist yet."""
    return sorted(folder.rglob("*.py"))


def where(path: Path) -> str:
    """A path as a reader of a failed test wants it."""
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path) -> str:
    """`src/flagplot/core/asks.py` is `flagplot.core.asks`; a package goes by its folder's name."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def called_name(node: ast.AST) -> str | None:
    """The last word of what is called, or None if this is no call: `a.b.f(x)` gives `f`."""
    return last_word(node.func) if isinstance(node, ast.Call) else None


def last_word(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return None


def text_of(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def imports(source: str, module: str, is_package: bool = False) -> list[tuple[int, str]]:
    """Line and full dotted name of all that a module imports.

    Imports inside functions and under TYPE_CHECKING count: to know a name is to depend on it. `from a import b` gives
    `a.b`, because b may be a module.
    """
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                # One dot is the package the module lies in; a package lies in itself.
                parts = module.split(".")
                kept = len(parts) - node.level + is_package
                base = ".".join(parts[:kept] + ([base] if base else []))
            found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Call) and called_name(node) in ("import_module", "__import__") and node.args:
            name = text_of(node.args[0])
            if name:
                found.append((node.lineno, name))
    return sorted(found)
