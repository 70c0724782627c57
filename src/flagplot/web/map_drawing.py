"""A map drawn as SVG: any map or a window of it, and over it paths, ranges, the chosen hex, forces and odds.

The laws of the drawing:

1. `draw` is a pure function. It judges nothing: what it is given it shows, where it is told to.
2. Looks are classes; colours stand in static/base.css and static/map.css, light and dark. There is no style attribute.
3. Nothing is told by colour alone: own lines are solid, the enemy's dashed, a port that is not operational is hollow, a
   hidden force has a dashed edge, and everything has words, in a title or beside it.
4. Each hex is an element of its own, its id "hex-" and its address, so that a page can find it, focus it and label it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from flagplot.model import maps
from flagplot.model.maps import Box, Crossing, Map, Place, Terrain
from flagplot.web.map_labels import Labels, overlap, text_width
from flagplot.web.map_signs import (
    CORNERS,
    PITCH,
    RADIUS,
    ROW,
    Corner,
    arrow,
    between,
    decimal,
    line_through,
    loops,
    marker_width,
    sign,
    written,
)
from flagplot.web.map_spots import free_spot, marker_box
from flagplot.web.map_view import Arrivals, Marker, View

EDGE = 30.0  # for the letters of the rows
SIDE_BOX = 92.0
END_BOX = 46.0
CAPTION, CAPTION_ASHORE, WIDE_LETTER = 15.0, 12.0, 0.85  # sizes of type, and the width of a spaced letter
NEARER = 1.5  # how much larger a window is shown than the whole
PANEL_STEPS = 16  # as many places across and down are tried for a panel
LEGEND = 24.0
CLOSE = 26  # a window of at most so many columns has all its addresses written


def draw(chart: Map, view: View | None = None, style: str = "") -> str:
    """The map as SVG. `style` goes into it where no page brings the style sheets: see `standalone_style`."""
    return _Drawing(chart, view or View()).svg(style)


def standalone_style() -> str:
    """The colours of base.css and the looks of map.css, for an SVG file that stands alone."""
    folder = files("flagplot.web").joinpath("static")
    base = folder.joinpath("base.css").read_text(encoding="utf-8")
    palette = re.match(r"(?s)/\*.*?\*/\s*(:root \{.*?\n\}\n@media \(prefers-color-scheme: dark\) \{.*?\n\}\n)", base)
    assert palette, "base.css begins with its colours, light and dark"
    return palette[1] + folder.joinpath("map.css").read_text(encoding="utf-8")


def _some(words: Sequence[str], most: int = 8) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


class _Drawing:
    """One drawing in the making."""

    def __init__(self, chart: Map, view: View) -> None:
        self.chart = chart
        self.view = view
        self.first_x, self.last_x, self.first_y, self.last_y = self._window()
        self.whole = not view.around
        edges = {box.edge for box in chart.boxes} if self.whole else set()
        self.left = EDGE + SIDE_BOX * ("west" in edges)
        self.top = 10 + END_BOX * ("north" in edges)
        self.map_width = (self.last_x - self.first_x + 1.5) * PITCH
        self.map_height = (self.last_y - self.first_y) * ROW + 2 * RADIUS
        self.width = self.left + self.map_width + EDGE + SIDE_BOX * ("east" in edges)
        self.height = self.top + self.map_height + 10 + END_BOX * ("south" in edges) + LEGEND
        self.labels = Labels(self.left, self.top, self.left + self.map_width, self.top + self.map_height)
        self.panels: dict[Arrivals, tuple[float, float, float, float]] = {}
        self.spots: dict[Marker, tuple[float, float]] = {}
        self.shown = [address for address in chart.addresses if address and self._inside(address)]
        self.places = [place for place in chart.places if self._inside(place.hex)]

    # -- places on the paper --------------------------------------------------------------------

    def _window(self) -> tuple[int, int, int, int]:
        """The columns and rows shown, both ends included."""
        chart, margin = self.chart, self.view.margin
        if not self.view.around:
            return 0, chart.width - 1, 0, chart.height - 1
        found = [divmod(maps.at(chart, address), chart.width) for address in self.view.around]
        rows, columns = [y for y, _ in found], [x for _, x in found]
        return (
            max(0, min(columns) - margin),
            min(chart.width - 1, max(columns) + margin),
            max(0, min(rows) - margin),
            min(chart.height - 1, max(rows) + margin),
        )

    def _inside(self, address: str) -> bool:
        y, x = divmod(maps.at(self.chart, address), self.chart.width)
        return self.first_x <= x <= self.last_x and self.first_y <= y <= self.last_y

    def _plot(self, x: float, y: float) -> tuple[float, float]:
        """A point in hex widths from the middle of the first hex of the map, on the paper."""
        left = self.left + PITCH / 2 - self.first_x * PITCH
        top = self.top + RADIUS - self.first_y * ROW
        return left + x * PITCH, top + y * PITCH

    def _centre(self, address: str) -> tuple[float, float]:
        return self._plot(*maps.centre(self.chart, maps.at(self.chart, address)))

    def _between(self, crossing: Crossing) -> tuple[float, float]:
        """The middle of a strait."""
        one, two = (self._centre(each) for each in crossing.hexes)
        return between(one, two, 0.5)

    def _side(self, one: str, two: str) -> list[tuple[float, float]]:
        """The two ends of the side between two hexes."""
        (x1, y1), (x2, y2) = self._centre(one), self._centre(two)
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        across = (y2 - y1) / PITCH * RADIUS / 2, (x1 - x2) / PITCH * RADIUS / 2
        return [(middle[0] - across[0], middle[1] - across[1]), (middle[0] + across[0], middle[1] + across[1])]

    # -- the whole -----------------------------------------------------------------------------

    def svg(self, style: str) -> str:
        """Everything, from the bottom up. Room for names is given out in the order of what must be read."""
        self._reserve()
        places = self._places()
        lower = [*self._ground(), *self._hexes(), *self._closed(), *self._captions(), *self._crossings()]
        over = [*self._reaches(), *self._courses(), *self._chosen(), *places, *self._markers(), *self._arrivals()]
        look = " whole" if self.whole else f' window" width="{round(self.width * NEARER)}'
        size = f"{decimal(self.width)} {decimal(self.height)}"
        role = "group" if self.view.interactive else "img"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map{look}" viewBox="0 0 {size}" role="{role}" '
            'aria-labelledby="map-title map-desc">',
            f'<title id="map-title">{escape(self.view.title or self.chart.title)}</title>',
            f'<desc id="map-desc">{escape(self._described())}</desc>',
            f"<style>{style}</style>" if style else "",
            f'<defs><path id="map-hex" d="{line_through(CORNERS)}"/>'
            f'<clipPath id="map-clip"><rect {self._extent()}/></clipPath></defs>',
            '<g clip-path="url(#map-clip)">',
            *lower,
            "</g>",
            *self._frame(),
            *self._boxes(),
            *self._legend(),
            '<g clip-path="url(#map-clip)">',
            *over,
            "</g>",
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def _extent(self) -> str:
        """The rectangle of the map itself."""
        at = f'x="{decimal(self.left)}" y="{decimal(self.top)}"'
        return f'{at} width="{decimal(self.map_width)}" height="{decimal(self.map_height)}"'

    def _described(self) -> str:
        """What the drawing shows, for those who cannot see it."""
        view, chart = self.view, self.chart
        ports = [place.name for place in self.places if place.is_port]
        words = [f"Hexes {self.shown[0]} to {self.shown[-1]}."] if self.shown else []
        words += [f"Ports: {_some(ports)}."] if ports else []
        for course in view.courses:
            whose = "Own" if course.side == "own" else "Enemy"
            name = f" of {course.name}" if course.name else ""
            words.append(f"{whose} path{name}: {' '.join(course.path)}, {maps.length(course.path)} hexes.")
        for reach in view.reaches:
            whose = "Own" if reach.side == "own" else "Enemy"
            words.append(f"{whose} aircraft reach {reach.hexes} hexes from {reach.hex}.")
        words += [f"{self._words(marker)}." for marker in view.markers]
        words += [f"Chosen: {maps.described(chart, view.chosen)}."] if view.chosen else []
        for each in view.arrivals:
            chances = ", ".join(f"{word} {chance:.1%}" for word, chance in each.chances)
            words.append(f"{each.name} arrives: {chances}.")
        return " ".join(words)

    # -- ground ----------------------------------------------------------------------------------

    def _ground(self) -> list[str]:
        """Water, land, and the paler water along its shores."""
        shores = []
        for outline in self.chart.outlines:
            numbers = [float(word) for word in outline.split()]
            points = [self._plot(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            if self._near(points):
                shores.append(line_through(points))
        islets = [
            "M{} {}m-5 0a5 4.4 0 1 0 10 0a5 4.4 0 1 0 -10 0Z".format(*map(decimal, self._centre(place.hex)))
            for place in self.places
            if place.island
        ]
        land = "".join(shores + islets)
        water = f'<rect class="water" {self._extent()}/>'
        return [water, f'<path class="shoal" d="{land}"/>', f'<path class="shore" d="{land}"/>'] if land else [water]

    def _near(self, points: Sequence[tuple[float, float]]) -> bool:
        """Whether any of an outline can be seen in the window."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        across = max(xs) >= self.left and min(xs) <= self.left + self.map_width
        return across and max(ys) >= self.top and min(ys) <= self.top + self.map_height

    def _hexes(self) -> list[str]:
        """Every hex, one element each; its address written if there is room."""
        view = self.view
        close = self.last_x - self.first_x < CLOSE
        first = view.chosen if view.chosen in self.shown else self.shown[0] if self.shown else ""
        found = ['<g class="hexes">' if self.chart.outlines else '<g class="hexes plain">']
        for address in self.shown:
            x, y = self._centre(address)
            kind = maps.terrain(self.chart, address).word
            extra = ""
            if view.interactive:
                reached = 0 if address == first else -1
                words = escape(maps.described(self.chart, address), quote=True)
                extra = f' role="button" tabindex="{reached}" aria-label="{words}"'
            place = f'x="{decimal(x)}" y="{decimal(y)}"'
            found.append(f'<use id="hex-{address}" class="hex {kind}" href="#map-hex" {place}{extra}/>')
        found += [f'<use class="off" href="#map-hex" x="{decimal(x)}" y="{decimal(y)}"/>' for x, y in self._off()]
        found.append("</g>")
        for address in self.shown:
            if close or maps.parts(address)[1] % 5 == 0:
                x, y = self._centre(address)
                found.append(written("address", x, y + RADIUS - 6.8, address))
        return found

    def _off(self) -> list[tuple[float, float]]:
        """The middles of what would be hexes, were they on the map."""
        width = self.chart.width
        within = [
            row * width + column
            for row in range(self.first_y, self.last_y + 1)
            for column in range(self.first_x, self.last_x + 1)
        ]
        return [self._plot(*maps.centre(self.chart, at)) for at in within if not self.chart.addresses[at]]

    def _closed(self) -> list[str]:
        """The sides that land closes."""
        sides = [self._side(one, two) for one, two in self.chart.closed if self._inside(one) and self._inside(two)]
        return [f'<path class="closed" d="{"".join(line_through(side, False) for side in sides)}"/>'] if sides else []

    def _captions(self) -> list[str]:
        """Names of seas and lands: near where they belong, on water or ashore as they do, and out of the way."""
        found = []
        for caption in self.chart.captions:
            if not self._inside(caption.hex):
                continue
            ashore = maps.terrain(self.chart, caption.hex) is Terrain.LAND
            size = CAPTION_ASHORE if ashore else CAPTION
            wide = len(caption.name) * size * WIDE_LETTER
            best: tuple[float, int, float, float] | None = None
            for order, address in enumerate(maps.in_range(self.chart, caption.hex, 2)):
                if self._inside(address) and (maps.terrain(self.chart, address) is Terrain.LAND) == ashore:
                    x, y = self._centre(address)
                    cost = self.labels.crowd(x, y, wide, size) + 40 * maps.distance(caption.hex, address)
                    best = min(best or (cost, order, x, y), (cost, order, x, y))
            assert best
            self.labels.take(best[2], best[3], wide, size)
            found.append(written("caption ashore" if ashore else "caption", best[2], best[3] + size / 3, caption.name))
        return found

    def _crossings(self) -> list[str]:
        found = []
        for crossing in self._crossings_shown():
            one, two = (self._centre(each) for each in crossing.hexes)
            ends = [between(one, two, 0.28), between(one, two, 0.72)]
            canal = " canal" if crossing.kind == "canal" else ""
            found.append(f'<path class="crossing{canal}" d="{line_through(ends, False)}"/>')
            found += [f'<circle class="crossing-end" cx="{decimal(x)}" cy="{decimal(y)}" r="2.6"/>' for x, y in ends]
        return found

    def _crossings_shown(self) -> list[Crossing]:
        return [each for each in self.chart.crossings if all(map(self._inside, each.hexes))]

    # -- around the map ----------------------------------------------------------------------------

    def _frame(self) -> list[str]:
        """The edge of the map, and the letters of its rows."""
        found = [f'<rect class="frame" {self._extent()}/>']
        for row in range(self.first_y, self.last_y + 1):
            _, y = self._plot(0, row * maps.ROW_HEIGHT)
            for x in (self.left - EDGE / 2, self.left + self.map_width + EDGE / 2):
                found.append(written("row", x, y + 3.5, maps.row_letters(row)))
        return found

    def _legend(self) -> list[str]:
        """What the signs mean, below the map; only those signs that are on it."""
        places = self.places
        port, idle = Place(name="", hex="", ports=1), Place(name="", hex="", ports=1, operational=False)
        fort, twin = Place(name="", hex="", ports=1, fortified=True), Place(name="", hex="", ports=2)
        field = Place(name="", hex="", air_base=True)
        x, y = self.left, self.height - 11
        found = ['<g class="legend">']
        for place, words, there in (
            (port, "port", any(place.is_port and place.operational for place in places)),
            (idle, "not operational", any(not place.operational for place in places)),
            (fort, "fortified", any(place.fortified for place in places)),
            (twin, "two ports", any(place.ports > 1 for place in places)),
            (field, "air base", any(place.air_base for place in places)),
        ):
            if there:
                found += [*sign(place, x + 8, y - 3), written("key", x + 20, y, words)]
                x += 32 + text_width(words, 10)
        for kind, words, there in (
            ("closed", "land closes the side", bool(self.chart.closed)),
            ("crossing", "strait or canal", bool(self._crossings_shown())),
        ):
            if there:
                found.append(f'<path class="{kind}" d="M{decimal(x + 2)} {decimal(y - 3)}h12"/>')
                found.append(written("key", x + 20, y, words))
                x += 32 + text_width(words, 10)
        return [*found, "</g>"]

    def _boxes(self) -> list[str]:
        return [part for box in self.chart.boxes for part in self._box(box)] if self.whole else []

    def _box(self, box: Box) -> list[str]:
        """A box along its edge of the map, as long as the edge from which ships sail into it."""
        points = [self._centre(entry) for entry in box.entries]
        right, bottom = self.left + self.map_width, self.top + self.map_height
        kind = "box sw" if box.kind == "SW" else "box"
        ticks = ""
        if box.edge in ("west", "east"):
            top, end = min(y for _, y in points) - RADIUS, max(y for _, y in points) + RADIUS
            left, width, height = 4.0 if box.edge == "west" else right + EDGE, SIDE_BOX, end - top
            for _, y in points:
                edge, out = (self.left, -5) if box.edge == "west" else (right, 5)
                ticks += f"M{decimal(edge)} {decimal(y - 3)}l{out} 3l{-out} 3Z"
        else:
            start, end = min(x for x, _ in points) - PITCH / 2, max(x for x, _ in points) + PITCH / 2
            short = max(0.0, 116 - (end - start)) / 2
            start, end = start - short, end + short
            left, width, height = start - max(0.0, end - self.width + 6), end - start, END_BOX - 4
            top = 4.0 if box.edge == "north" else bottom + 10
            for x, _ in points:
                edge, out = (self.top, -5) if box.edge == "north" else (bottom, 5)
                ticks += f"M{decimal(x - 3)} {decimal(edge)}l3 {out}l3 {-out}Z"
        words = box.name.split() if text_width(box.name, 12) > width - 8 else [box.name]
        middle, y = left + width / 2, top + height / 2 - 7 * (len(words) - 1)
        names = [written("box-name", middle, y + 14 * at, word) for at, word in enumerate(words)]
        what = "SW box" if box.kind == "SW" else "box"
        note = what if box.may_intercept else f"{what}, no interceptions"
        return [
            f"<g><title>{escape(box.name)} {note}: from {box.entries[0]} to {box.entries[-1]}</title>",
            f'<rect class="{kind}" x="{decimal(left)}" y="{decimal(top)}" width="{decimal(width)}" '
            f'height="{decimal(height)}" rx="5"/>',
            f'<path class="entry" d="{ticks}"/>',
            *names,
            written("box-kind", middle, y + 14 * len(words) - 1, note if width >= 110 else what),
            "</g>",
        ]

    # -- places and names --------------------------------------------------------------------------

    def _reserve(self) -> None:
        """Room that no name may take: the places, the forces, the paths, the chosen hex and the odds."""
        for place in self.places:
            self.labels.take(*self._centre(place.hex), 13, 12)
        for marker in self._markers_shown():
            self.labels.take(*self._spot(marker), marker_width(marker) + 4, 34)
        for course in self.view.courses:
            for address in course.path:
                self.labels.discourage(*self._centre(address), 20, 12)
        for crossing in self._crossings_shown():
            self.labels.take(*self._between(crossing), 14, 12)
        for hex, _ in self._sought():
            self.labels.take(*self._centre(hex), PITCH, 2 * RADIUS)
        for each in self.view.arrivals:
            if self._inside(each.hex):
                left, top, width, height = self.panels[each] = self._panel(each)
                self.labels.take(left + width / 2, top + height / 2, width, height)

    def _places(self) -> list[str]:
        """Signs of all places, then the names: those of ports first, so that they get the better room."""
        signs, names = [], []
        for place in self.places:
            title = f"<title>{escape(maps.described(self.chart, place.hex))}</title>"
            signs += [f"<g>{title}", *sign(place, *self._centre(place.hex)), "</g>"]
        for place in sorted(self.places, key=lambda place: (not place.is_port, not place.fortified)):
            kind, size = ("place", 10.5) if place.is_port else ("place minor", 9.5)
            names.append(self._named(kind, *self._centre(place.hex), place.name, size))
        for crossing in self._crossings_shown():
            names.append(self._named("crossing-name", *self._between(crossing), crossing.name, 9.5))
        return signs + names

    def _named(self, kind: str, x: float, y: float, words: str, size: float, gap: float = 0) -> str:
        """Words beside a point, where there is room."""
        if not words:
            return ""
        spot = self.labels.place(x, y, words, size, gap)
        return written(f"{kind} halo", spot.x, spot.y, words, spot.anchor)

    # -- what lies over the map -------------------------------------------------------------------------

    def _reaches(self) -> list[str]:
        found = []
        for reach in self.view.reaches:
            covered = maps.in_range(self.chart, reach.hex, reach.hexes)
            x, _ = self._centre(reach.hex)
            points = [self._centre(address) for address in covered]
            top = min(points, key=lambda point: (point[1], abs(point[0] - x)))
            words = reach.name or f"{reach.hexes} hexes from {reach.hex}"
            found.append(f'<g class="{reach.side}"><title>{escape(words)}</title>')
            found.append(f'<path class="reach" d="{self._border(covered)}"/>')
            found += [self._named("reach-name", top[0], top[1] - RADIUS, reach.name, 9.5), "</g>"]
        return found

    def _border(self, hexes: Sequence[str]) -> str:
        """The line around a group of hexes."""
        inside = set(hexes)
        sides: dict[Corner, list[Corner]] = {}
        for address in hexes:
            x, y = self._centre(address)
            others = [other for other in maps.neighbours(self.chart, address) if other in inside]
            beside = {self._direction(address, other) for other in others}
            corners = [self._corner(x + dx, y + dy) for dx, dy in CORNERS]
            for at in range(6):
                if at not in beside:
                    sides.setdefault(corners[at], []).append(corners[(at + 1) % 6])
        lines = [[(self.left + x * PITCH / 2, self.top + y * RADIUS / 2) for x, y in line] for line in loops(sides)]
        return "".join(map(line_through, lines))

    def _corner(self, x: float, y: float) -> Corner:
        """The corner of hexes at a point."""
        return round((x - self.left) / (PITCH / 2)), round((y - self.top) / (RADIUS / 2))

    def _direction(self, one: str, two: str) -> int:
        """On which side of a hex another lies, counted with the clock from the upper right."""
        (x1, y1), (x2, y2) = self._centre(one), self._centre(two)
        if abs(y2 - y1) < 1:
            return 1 if x2 > x1 else 4
        return (0 if x2 > x1 else 5) if y2 < y1 else (2 if x2 > x1 else 3)

    def _courses(self) -> list[str]:
        found = []
        for course in self.view.courses:
            points = [self._centre(address) for address in course.path]
            if not points:
                continue
            words = f"{course.name or 'path'}: {' '.join(course.path)}, {maps.length(course.path)} hexes"
            found.append(f'<g class="{course.side}"><title>{escape(words)}</title>')
            if len(points) > 1:
                line = line_through([*points[:-1], between(points[-2], points[-1], 0.62)], False)
                kind = "" if course.kind == "announced" else f" {course.kind}"
                found.append(f'<path class="course-under" d="{line}"/><path class="course{kind}" d="{line}"/>')
                found.append(f'<path class="arrow" d="{arrow(points[-2], points[-1])}"/>')
            x, y = points[0]
            found.append(f'<circle class="start" cx="{decimal(x)}" cy="{decimal(y)}" r="5.2"/>')
            found += [self._named("course-name", *points[len(points) // 2], course.name, 10), "</g>"]
        return found

    def _sought(self) -> list[tuple[str, str]]:
        """The chosen hex and those marked alike, as far as they are shown."""
        chosen = [(self.view.chosen, self.view.chosen_name)] if self.view.chosen else []
        return [(hex, name) for hex, name in (*chosen, *self.view.sought) if self._inside(hex)]

    def _chosen(self) -> list[str]:
        found = []
        for chosen, name in self._sought():
            x, y = self._centre(chosen)
            outline = line_through([(x + 1.06 * dx, y + 1.06 * dy) for dx, dy in CORNERS])
            cross = f"M{decimal(x - 5)} {decimal(y - 5)}l10 10m0 -10l-10 10"
            found += [
                f"<g><title>{escape(name or 'chosen hex')}: {escape(maps.described(self.chart, chosen))}</title>",
                f'<path class="chosen" d="{outline}"/><path class="cross" d="{cross}"/>',
                self._named("chosen-name", x, y, name, 10.5, RADIUS - 2),
                "</g>",
            ]
        return found

    def _markers_shown(self) -> list[Marker]:
        return [marker for marker in self.view.markers if self._inside(marker.hex)]

    def _spot(self, marker: Marker) -> tuple[float, float]:
        """Where a marker stands: on its hex, or above or below it, where it covers no other and not the edge."""
        if not marker.lift:
            return self._centre(marker.hex)
        if marker not in self.spots:
            self.spots[marker] = self._free_spot(marker)
        return self.spots[marker]

    def _free_spot(self, marker: Marker) -> tuple[float, float]:
        paths = dict.fromkeys(hex for course in self.view.courses for hex in course.path)
        sought = [hex for hex, _ in self._sought()]
        seen = [  # what is to be seen: its own hex, contacts, paths, places
            (x - half, y - half, x + half, y + half)
            for hexes, half in (
                ((marker.hex, *sought), 12.0),
                (paths, 11.0),
                ([place.hex for place in self.places], 6.0),
            )
            for x, y in map(self._centre, hexes)
        ]
        taken = [marker_box(other, *spot) for other, spot in self.spots.items()]
        edge = self.left, self.top, self.left + self.map_width, self.top + self.map_height
        return free_spot(marker, self._centre(marker.hex), [*taken, *seen], edge)

    def _words(self, marker: Marker) -> str:
        return f"{marker.words or ' '.join((marker.title, marker.detail)).strip()} in {marker.hex}"

    def _markers(self) -> list[str]:
        """Forces. Several in one hex stand one above the other."""
        found = []
        stacked: dict[str, int] = {}
        for marker in self._markers_shown():
            x, y = self._spot(marker)
            y -= 38 * stacked.get(marker.hex, 0) * (not marker.lift)
            stacked[marker.hex] = stacked.get(marker.hex, 0) + 1
            half = marker_width(marker) / 2
            hidden = " hidden" if marker.hidden else ""
            found.append(f'<g class="{marker.side}{hidden} force" transform="translate({decimal(x)} {decimal(y)})">')
            found.append(f"<title>{escape(self._words(marker))}</title>")
            if marker.lift:
                there = self._centre(marker.hex)
                line = line_through([(0, 0), (there[0] - x, there[1] - y)], False)
                found.append(f'<path class="leader" d="{line}"/>')
            size = f'x="{decimal(-half)}" y="-16" width="{decimal(2 * half)}" height="32"'
            found.append(f'<rect class="marker" {size} rx="4"/>')
            found.append(written("marker-title", 0, -2 if marker.detail else 4, marker.title))
            found += [written("marker-detail", 0, 10, marker.detail)] if marker.detail else []
            if marker.count > 1:
                found.append(f'<circle class="count" cx="{decimal(half)}" cy="-15" r="7.5"/>')
                found.append(written("count-figure", half, -12, str(marker.count)))
            found.append("</g>")
        return found

    def _panel(self, each: Arrivals) -> tuple[float, float, float, float]:
        """Where the odds of a force stand: inside the map, near their hex, covering least of what is there or will be."""
        x, y = self._centre(each.hex)
        width, height = 134.0, 22.0 + 13 * len(each.chances)
        names = []
        for place in self.places:
            at = self._centre(place.hex)
            names.append((at[0] - 8, at[1] - 8, at[0] + 12 + text_width(place.name, 10.5), at[1] + 8))
        spots = []
        for across in range(PANEL_STEPS + 1):
            for down in range(PANEL_STEPS + 1):
                left = self.left + 5 + (self.map_width - width - 10) * across / PANEL_STEPS
                top = self.top + 5 + (self.map_height - height - 10) * down / PANEL_STEPS
                box = left, top, left + width, top + height
                far = max(abs(left + width / 2 - x) - width / 2, 0) + max(abs(top + height / 2 - y) - height / 2, 0)
                crowd = self.labels.crowd(left + width / 2, top + height / 2, width, height)
                spots.append((crowd + sum(overlap(box, name) for name in names) + far, left, top))
        return (*min(spots)[1:], width, height)

    def _arrivals(self) -> list[str]:
        """The odds of forces to arrive, each in a panel with a line to where the force is."""
        found = []
        for each, (left, top, width, height) in self.panels.items():
            x, y = self._centre(each.hex)
            line = line_through([(x - left, y - top), (width / 2, height / 2)], False)
            found.append(f'<g class="{each.side}" transform="translate({decimal(left)} {decimal(top)})">')
            found.append(f'<path class="leader" d="{line}"/>')
            found.append(f'<rect class="panel" width="{decimal(width)}" height="{decimal(height)}" rx="4"/>')
            found.append(written("odds-title", 7, 14, each.name))
            for at, (word, chance) in enumerate(each.chances):
                y = 27.0 + 13 * at
                bar = f'x="48" y="{decimal(y - 6)}" height="6" rx="2"'
                found.append(written("odds-line", 7, y, word))
                found.append(f'<rect class="bar-back" {bar} width="44"/>')
                found.append(f'<rect class="bar" {bar} width="{decimal(44 * min(1.0, max(0.0, chance)))}"/>')
                found.append(written("odds-figure", width - 7, y, f"{chance:.1%}".replace("%", " %")))
            found.append("</g>")
        return found
