"""`flagplot cases`: the conformance cases, run through the public API."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.progress import track
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json


def cases(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]…", help="Case files, a JSON object a line; without one, those that come with it."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run conformance cases: situations with their dice, and the answers that the rules give.

    Prints what differs, and ends with exit code 1 if anything does. docs/cases.md describes the files.

    [bold]flagplot cases[/bold]

    [bold]flagplot cases my-group.jsonl[/bold]
    """
    from flagplot.api.cases import differing, published, read_cases

    paths = files or published()
    found = read_cases(paths)
    quiet, out = wants_json(json), console()
    wrong: list[dict[str, Any]] = []
    shown = not quiet and out.is_terminal
    for place, case in track(found.items(), "Running the cases", console=out, disable=not shown, transient=True):
        if differs := differing(case):
            wrong.append({"id": case.id, "place": place, "differs": differs, "rules": case.rules, "why": case.why})
    if quiet:
        print_json({"files": [str(path) for path in paths], "cases": len(found), "wrong": wrong})
    else:
        for each in wrong:
            out.print(Text.assemble(("✕ ", "refusal"), (each["id"], "heading"), f"  {each['place']}"), soft_wrap=True)
            for words in each["differs"]:
                out.print(Padding.indent(Text(words), 4))
            out.print(Padding.indent(Text(f"{', '.join(each['rules'])}: {each['why']}", "quiet"), 4))
        out.print(_sum(len(found), len(wrong)), soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


def _sum(cases: int, wrong: int) -> Text:
    counted = f"{cases} case{'s' * (cases != 1)}"
    if not wrong:
        return Text.assemble(("✓ ", "good"), f"{counted}: all are answered as written.")
    return Text.assemble(
        ("✕ ", "refusal"),
        f"{wrong} of {counted} {'is' if wrong == 1 else 'are'} answered otherwise: either the case is wrong, or the rules "
        "are played wrongly here. The rules named under each say which.",
    )
