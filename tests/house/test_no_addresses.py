"""The project names no package registry, so that it installs from whichever one a machine is set up to use."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.trees import ROOT, where

# Joined here, so that this file does not hold the names it looks for.
REGISTRIES = tuple(
    ".".join(pieces)
    for pieces in (
        ("pypi", "org"),
        ("pypi", "python", "org"),
        ("pythonhosted", "org"),
        ("anaconda", "org"),
        ("anaconda", "com"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("jsdelivr", "net"),
        ("unpkg", "com"),
        ("crates", "io"),
        ("deb", "debian", "org"),
        ("download", "pytorch", "org"),
    )
)
# The path by which every Python index is served, whatever its host.
INDEX = re.compile(r"\w+://[^\s'\"]+/simple\b")

SKIPPED = {".git", ".venv", "build", "dist", "htmlcov", "node_modules", "__pycache__", ".hypothesis"}
SKIPPED |= {".mypy_cache", ".pytest_cache", ".ruff_cache"}


def addresses(text: str) -> list[str]:
    """The registries a text names."""
    lower = text.lower()
    return [host for host in REGISTRIES if host in lower] + INDEX.findall(lower)


def text_files(root: Path) -> Iterator[tuple[Path, str]]:
    """Every file that looks as if it were tracked and holds text."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name not in SKIPPED and not name.endswith(".egg-info"))
        for name in sorted(names):
            path = Path(folder, name)
            if name.startswith(".coverage") or not path.is_file():
                continue
            content = path.read_bytes()
            if b"\0" not in content:
                yield path, content.decode("utf-8", errors="replace")


def without_hash(requirements: str) -> list[str]:
    """The lines of a requirements file that are not an exact pin with at least one hash."""
    pin = re.compile(r"[\w.-]+(\[[\w,-]+\])?==[\w.!+]+( *;[^\\]*?)?( +--hash=sha256:[0-9a-f]{64})+ *")
    whole = requirements.replace("\\\n", " ").splitlines()
    lines = (line for line in whole if line.strip() and not line.startswith("#"))
    return [line for line in lines if not pin.fullmatch(line)]


def names(requirements: str) -> set[str]:
    """The packages a requirements file names."""
    return {match.lower().replace("_", "-") for match in re.findall(r"^[A-Za-z0-9][\w.-]*", requirements, re.MULTILINE)}


def test_no_file_names_a_registry() -> None:
    wrong = [f"{where(path)}: {host}" for path, text in text_files(ROOT) for host in addresses(text)]
    assert not wrong, "\n".join(wrong)


def test_no_lock_file_with_addresses() -> None:
    assert not (ROOT / "uv.lock").exists()


def test_every_pin_has_a_hash() -> None:
    assert without_hash((ROOT / "requirements.txt").read_text("utf-8")) == []


def test_everything_asked_for_is_pinned() -> None:
    pinned = names((ROOT / "requirements.txt").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = names((ROOT / "requirements.in").read_text("utf-8"))
    wanted |= names("\n".join(project["project"]["dependencies"] + project["build-system"]["requires"]))
    assert wanted <= pinned


@pytest.mark.parametrize("host", REGISTRIES)
def test_a_registry_is_found(host: str) -> None:
    assert addresses(f"see https://files.{host.upper()}/packages") != []


def test_a_private_index_is_found() -> None:
    assert addresses("--index-url https:" + "//mirror.example/python/simple/") != []
    assert addresses("the index serves /simple pages") == []


def test_a_planted_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(REGISTRIES[0])
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "page.md").write_text(REGISTRIES[0])
    (tmp_path / "picture.png").write_bytes(b"\0" + REGISTRIES[0].encode())
    assert [path.name for path, text in text_files(tmp_path) if addresses(text)] == ["page.md"]


@pytest.mark.parametrize(
    "line",
    ["msgspec", "msgspec>=0.20", "msgspec==0.20", "msgspec==0.20 --hash=sha256:12", "--index-url somewhere", "-e ."],
)
def test_a_line_without_a_hash_is_found(line: str) -> None:
    assert without_hash(f"# a comment\n\n{line}\n") == [line]


def test_a_line_with_hashes_is_let_pass() -> None:
    one, two = "--hash=sha256:" + "a" * 64, "--hash=sha256:" + "0" * 64
    assert without_hash(f"colorama==0.4.6 ; sys_platform == 'win32' \\\n    {one} \\\n    {two}\n") == []
