"""How a question reaches its function: JSON is read into the function's own parameters, or refused in a sentence.

A question is a plain function with keyword-only parameters. `rules` (the ruleset), `dice` and `decisions` are supplied
by the caller beside the question, and `chosen` by one about a scenario, which brings an edition and options of its own;
everything else comes from the JSON object. What several questions ask alike is a
parameter of a kind of `Shared`: its fields stand in the JSON object among the question's own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

import msgspec

from flagplot.api.refusals import instead
from flagplot.core.errors import GameError, PlayerError, UnknownName
from flagplot.core.forms import Wire
from flagplot.editions.current import ruleset

Question = TypeVar("Question", bound=Callable[..., dict[str, Any]])
Decision: TypeAlias = tuple[str, str, Wire]  # side, kind of decision, answer

CALLS: dict[str, Callable[..., dict[str, Any]]] = {}
_REQUESTS: dict[str, type[msgspec.Struct]] = {}
_SHARED: dict[str, dict[str, type[msgspec.Struct]]] = {}  # the parameters of a question that are shared
BESIDE = ("rules", "dice", "decisions", "chosen")


class Chosen(NamedTuple):
    """The edition and the options the caller asked for; where he asked for none, those of a scenario hold."""

    edition: str | None
    options: Mapping[str, str]

    def over(self, edition: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The edition and options of a scenario, with what the caller asked for in their place."""
        return self.edition or edition, {**options, **self.options}


class Shared(msgspec.Struct, kw_only=True):
    """What several questions ask alike."""


def _is_shared(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Shared)


def question(function: Question) -> Question:
    """Offer a function as a question of the public API, under its own name, which no other question has."""
    if function.__name__ in CALLS:
        raise ValueError(f"there are two questions called {function.__name__}")
    hints = get_type_hints(function)
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in BESIDE:
            continue
        if _is_shared(hints[name]):
            fields += [
                (each.name, each.type) if each.required else (each.name, each.type, each.default)
                for each in msgspec.structs.fields(hints[name])
            ]
            _SHARED.setdefault(function.__name__, {})[name] = hints[name]
        else:
            required = parameter.default is inspect.Parameter.empty
            fields.append((name, hints[name]) if required else (name, hints[name], parameter.default))
    CALLS[function.__name__] = function
    _REQUESTS[function.__name__] = msgspec.defstruct(
        function.__name__, fields, kw_only=True, forbid_unknown_fields=True
    )
    return function


def call(
    name: str,
    with_: Mapping[str, Any] | None = None,
    *,
    dice: Sequence[int] = (),
    decisions: Sequence[Decision] = (),
    edition: str | None = None,
    options: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Ask a question: JSON in, JSON out. By the current edition unless another is named; a question about a scenario is
    answered by the scenario's own."""
    function = CALLS.get(name)
    if function is None:
        raise UnknownName(_no_question(name))
    try:
        request = msgspec.convert(dict(with_ or {}), _REQUESTS[name])
    except msgspec.ValidationError as error:
        would_do = instead(str(error), _REQUESTS[name]) or f"; flagplot call {name} --describe says what it takes"
        raise PlayerError(f"{name}: {error}{would_do}") from None
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise PlayerError(f"{die!r} is not a die; each die is a number from 1 to 6")
    arguments: dict[str, Any] = {key: getattr(request, key) for key in request.__struct_fields__}
    for parameter, kind in _SHARED.get(name, {}).items():
        arguments[parameter] = kind(**{field: arguments.pop(field) for field in kind.__struct_fields__})
    beside = {
        "rules": ruleset(edition or "current", options),
        "dice": list(dice),
        "decisions": list(decisions),
        "chosen": Chosen(edition, options or {}),
    }
    wanted = inspect.signature(function).parameters
    arguments.update({key: value for key, value in beside.items() if key in wanted})
    try:
        answer = function(**arguments)
    except GameError:
        raise
    except (KeyError, ValueError) as error:
        raise PlayerError(f"{name}: {error}") from None
    return msgspec.json.decode(msgspec.json.encode(answer))  # type: ignore[no-any-return]


def _no_question(name: str) -> str:
    """That there is none of this name, with those that are spelled nearly so; all of them would hide the rest."""
    near = get_close_matches(name, CALLS, n=5)
    return f"there is no question {name[:40]!r}; {'like it ' + ', '.join(near) + '; ' if near else ''}flagplot call lists all"


def describe(name: str) -> dict[str, Any]:
    """A question's help, and the JSON schema of what it takes."""
    if name not in CALLS:
        raise UnknownName(_no_question(name))
    return {"name": name, "help": inspect.getdoc(CALLS[name]) or "", "with": msgspec.json.schema(_REQUESTS[name])}


def schemas(reference: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """For each question the JSON schema of what it takes, and the parts those schemas refer to, as `reference` says."""
    names = list(_REQUESTS)
    made, parts = msgspec.json.schema_components([_REQUESTS[name] for name in names], ref_template=reference)
    return dict(zip(names, made, strict=True)), parts
