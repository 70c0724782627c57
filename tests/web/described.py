"""What the application says of itself: its addresses from the OpenAPI description, with bodies that fit, and its pages."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.web.visitors import Server

SAFE = ("get", "head", "options")


class Operation(NamedTuple):
    """One address and method."""

    method: str
    path: str
    body: dict[str, Any] | None
    numbers: tuple[str, ...] = ()  # the parts of the address that are numbers

    def at(self, game: str, **others: str) -> str:
        """The address for one game; other parts of it are nonsense unless they are named."""
        filled = self.path.replace("{game}", game).replace("{name}", others.get("name", "midway"))
        while "{" in filled:
            before, _, after = filled.partition("{")
            name, _, rest = after.partition("}")
            filled = before + others.get(name, "0" if name in self.numbers else "nonsense") + rest
        return filled

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"


def operations(server: Server) -> list[Operation]:
    """Everything the description lists."""
    described = server.app.openapi()
    found = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            body = example(content["schema"], described) if content else None
            numbers = [
                each["name"] for each in operation.get("parameters", []) if each["schema"].get("type") == "integer"
            ]
            found.append(Operation(method, path, body, tuple(numbers)))
    return found


def unsafe(server: Server) -> list[Operation]:
    """Those that may change something."""
    return [each for each in operations(server) if each.method not in SAFE]


def pages(server: Server) -> list[str]:
    """The addresses of pages: what is served and not described."""
    described = set(server.app.openapi()["paths"])
    found = []
    for route in _every(server.app.routes):
        path, methods = getattr(route, "path", ""), getattr(route, "methods", None) or ()
        if path and "GET" in methods and path not in described and path != "/openapi.json":
            found.append(path)
    return found


def _every(routes: list[Any]) -> list[Any]:
    found = []
    for route in routes:
        inner = getattr(route, "original_router", None)
        found += _every(inner.routes) if inner is not None else [route]
    return found


def example(schema: dict[str, Any], described: dict[str, Any]) -> Any:
    """A small value that fits a schema."""
    if "$ref" in schema:
        found = described
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return example(found, described)
    if "default" in schema:
        return schema["default"]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return example(schema[choice][0], described)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        required = schema.get("required", [])
        return {
            name: example(part, described) for name, part in schema.get("properties", {}).items() if name in required
        }
    simple: dict[str | None, Any] = {
        "string": "x" * max(8, schema.get("minLength", 0)),
        "integer": schema.get("minimum", 0),
        "number": schema.get("minimum", 0),
        "boolean": False,
        "array": [],
        None: {},
    }
    return simple[kind]
