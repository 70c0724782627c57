"""Where a module says what it offers, the list is complete and correct."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.house.trees import called_name, python_files, text_of, where


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is loaded, those inside `if` and `try` with them."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from statements(node.body + node.orelse)
        elif isinstance(node, ast.Try):
            handlers = [inner for handler in node.handlers for inner in handler.body]
            yield from statements(node.body + handlers + node.orelse + node.finalbody)


def assigned(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    else:
        return []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def listed(tree: ast.Module) -> list[str] | None:
    """The names in `__all__`, None where there is none."""
    for node in statements(tree.body):
        if "__all__" in assigned(node):
            value = getattr(node, "value", None)
            names = [text_of(item) for item in value.elts] if isinstance(value, ast.List | ast.Tuple) else [None]
            if isinstance(node, ast.AugAssign) or None in names:
                raise ValueError("__all__ is not one plain list of names, so a reader cannot check it")
            return [name for name in names if name]
    return None


def wrong_exports(source: str, is_package: bool = False) -> list[str]:
    """What is amiss with `__all__`: names twice, names that do not exist, public names left out."""
    tree = ast.parse(source)
    try:
        names = listed(tree)
    except ValueError as complaint:
        return [str(complaint)]
    if names is None:
        return []
    bound: set[str] = set()
    public: set[str] = set()
    for node in statements(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
            public.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            bound |= imported
            # A package's front door imports its own names in order to hand them on.
            if is_package and isinstance(node, ast.ImportFrom):
                if node.level or (node.module or "").split(".")[0] == "flagplot":
                    public |= imported
        else:
            bound.update(assigned(node))
            if called_name(getattr(node, "value", None) or node) not in ("TypeVar", "ParamSpec", "TypeVarTuple"):
                public.update(assigned(node))
    public = {name for name in public if not name.startswith("_")}
    wrong = [f"__all__ names {name} twice" for name in sorted({name for name in names if names.count(name) > 1})]
    wrong += [f"__all__ names {name}, which does not exist" for name in sorted(set(names) - bound)]
    wrong += [f"__all__ leaves out {name}" for name in sorted(public - set(names))]
    return wrong


def test_every_export_list_is_complete_and_correct() -> None:
    wrong = [
        f"{where(path)}: {complaint}"
        for path in python_files()
        for complaint in wrong_exports(path.read_text("utf-8"), path.name == "__init__.py")
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("__all__ = ['gone']", "gone, which does not exist"),
        ("__all__ = ['f', 'f']\ndef f(): ...", "f twice"),
        ("__all__ = []\ndef f(): ...", "leaves out f"),
        ("__all__ = []\nclass Ship: ...", "leaves out Ship"),
        ("__all__ = []\nLIMIT: int = 3", "leaves out LIMIT"),
        ("__all__ = []\nif True:\n    A = B = 1\n__all__ += ['A']", "leaves out A"),
        ("__all__ = names()", "not one plain list"),
    ],
)
def test_a_wrong_export_list_is_found(source: str, complaint: str) -> None:
    assert any(complaint in found for found in wrong_exports(source))


def test_a_package_exports_what_it_gathers() -> None:
    source = "from .asks import Roll, Decide\nimport json\n__all__ = ['Roll']"
    assert wrong_exports(source, is_package=True) == ["__all__ leaves out Decide"]
    assert wrong_exports(source) == []


def test_a_right_export_list_is_let_pass() -> None:
    source = "T = TypeVar('T')\n_hidden = 1\nimport json\ndef f(): ...\nLIMIT = 3\n__all__ = ('LIMIT', 'f')"
    assert wrong_exports(source) == []
    assert wrong_exports("def f(): ...") == []
