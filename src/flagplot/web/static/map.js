// A chart that can be moved over: arrow keys go from hex to hex, + and - and the wheel zoom, mouse and fingers drag.
// The page hears "hexchosen" from the frame, with the address in detail.hex, and "hexlooked" when the focus moves.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NEAREST = 8; // times larger than the whole
const SLIP = 5; // pixels a click may wander before it is a drag
const READABLE = 1.0; // pixels a unit of the drawing: smaller, and names cannot be read
const CLOSE_UP = 1.7; // and so near a chart opens at most
const AROUND = 75; // units around what is looked at first

/** Where a stretch begins that stays within another; in its middle, if it is the longer one. */
function within(at, size, from, room) {
  return size >= room ? from + (room - size) / 2 : Math.min(from + room - size, Math.max(from, at));
}

function rowOf(letters) {
  return LETTERS.indexOf(letters[0]) + (letters.length - 1) * LETTERS.length;
}

function lettersOf(row) {
  return LETTERS[row % LETTERS.length].repeat(row < LETTERS.length ? 1 : 2);
}

/** The address that a key leads to. Numbers slip by one every second row, so up and down keep to one column. */
export function beside(address, key) {
  const [, letters, digits] = address.match(/^([A-Z]+)(\d+)$/);
  const row = rowOf(letters);
  const number = Number(digits);
  const odd = row % 2;
  const to = {
    ArrowLeft: [row, number - 1],
    ArrowRight: [row, number + 1],
    ArrowUp: [row - 1, number + (odd ? 0 : 1)],
    ArrowDown: [row + 1, number - (odd ? 1 : 0)],
  }[key];
  return to && to[0] >= 0 && to[0] < 2 * LETTERS.length && to[1] > 0 ? lettersOf(to[0]) + to[1] : "";
}

/** Make the chart in a frame answer to keys, wheel, mouse and fingers. With `fill` it fills its frame, whatever its shape,
 *  and opens near enough to be read, at the hexes of `focus` or at an earlier `view`. */
export function openChart(frame, { fill = false, focus = [], view: earlier = null } = {}) {
  const svg = frame.querySelector("svg.map");
  const whole = svg.viewBox.baseVal;
  const drawn = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  const full = { ...drawn };
  const view = { ...full };
  const fingers = new Map();
  const ending = new AbortController();
  const { signal } = ending;
  let drag = null;
  let pinch = 0;

  const tell = (name, hex) => frame.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: { hex } }));
  const hexAt = (element) => element?.closest?.("[id^='hex-'][role='button']");
  const addressOf = (hex) => hex.id.slice(4);

  /** The whole of the drawing, in the shape of the frame. */
  function measure() {
    const box = svg.getBoundingClientRect();
    if (!fill || !box.width || !box.height) return;
    const shape = box.height / box.width;
    full.width = Math.max(drawn.width, drawn.height / shape);
    full.height = full.width * shape;
    full.x = drawn.x + (drawn.width - full.width) / 2;
    full.y = drawn.y + (drawn.height - full.height) / 2;
  }

  function show() {
    view.width = Math.min(full.width, Math.max(full.width / NEAREST, view.width));
    view.height = (view.width * full.height) / full.width;
    view.x = within(view.x, view.width, drawn.x, drawn.width);
    view.y = within(view.y, view.height, drawn.y, drawn.height);
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  /** Zoom about a point of the chart; its middle if none is given. */
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const width = Math.min(full.width, Math.max(full.width / NEAREST, view.width / factor));
    const scale = width / view.width;
    Object.assign(view, { x: x - (x - view.x) * scale, y: y - (y - view.y) * scale, width });
    show();
  }

  function reset() {
    measure();
    Object.assign(view, full);
    show();
  }

  /** Look at what matters, near enough to be read. */
  function lookAtFocus() {
    reset();
    const points = focus.map((hex) => document.getElementById(`hex-${hex}`)).filter(Boolean).map((hex) => [Number(hex.getAttribute("x")), Number(hex.getAttribute("y"))]);
    const pixels = svg.getBoundingClientRect().width;
    const first = document.getElementById(`hex-${focus[0]}`); // where the keyboard enters the chart
    if (first) {
      for (const other of svg.querySelectorAll("[role='button'][tabindex='0']")) other.setAttribute("tabindex", "-1");
      first.setAttribute("tabindex", "0");
    }
    if (!pixels) return;
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const wide = points.length ? Math.max(...xs) - Math.min(...xs) + 2 * AROUND : full.width;
    const high = points.length ? Math.max(...ys) - Math.min(...ys) + 2 * AROUND : full.height;
    const needed = Math.max(wide, (high * full.width) / full.height, pixels / CLOSE_UP);
    const width = Math.min(full.width, needed, pixels / READABLE);
    const middle = (all, from, size) => (all.length ? (Math.min(...all) + Math.max(...all)) / 2 : from + size / 2);
    const height = (width * full.height) / full.width;
    Object.assign(view, { x: middle(xs, full.x, full.width) - width / 2, y: middle(ys, full.y, full.height) - height / 2, width });
    show();
  }

  /** After the frame has changed its size: the same middle, as near as before. */
  function refit() {
    if (!fill) return;
    const [x, y, width] = [view.x + view.width / 2, view.y + view.height / 2, view.width];
    const before = full.width;
    measure();
    if (full.width === before && view.height) return;
    Object.assign(view, { width, x: x - width / 2, y: y - (width * full.height) / full.width / 2 });
    show();
  }

  /** Look at a hex: it takes the focus, and the chart moves if it is out of sight. */
  function look(hex) {
    for (const other of svg.querySelectorAll("[role='button'][tabindex='0']")) other.setAttribute("tabindex", "-1");
    hex.setAttribute("tabindex", "0");
    const x = Number(hex.getAttribute("x"));
    const y = Number(hex.getAttribute("y"));
    const edge = view.width / 12;
    if (x < view.x + edge) view.x = x - edge;
    if (x > view.x + view.width - edge) view.x = x + edge - view.width;
    if (y < view.y + edge) view.y = y - edge;
    if (y > view.y + view.height - edge) view.y = y + edge - view.height;
    show();
    hex.focus({ preventScroll: fill });
    tell("hexlooked", addressOf(hex));
  }

  function pointAt(clientX, clientY) {
    const box = svg.getBoundingClientRect();
    return [view.x + ((clientX - box.left) / box.width) * view.width, view.y + ((clientY - box.top) / box.height) * view.height];
  }

  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = hexAt(event.target);
    if (event.key === "+" || event.key === "=") zoom(1.4);
    else if (event.key === "-") zoom(1 / 1.4);
    else if (event.key === "0") reset();
    else if (here && (event.key === "Enter" || event.key === " ")) tell("hexchosen", addressOf(here));
    else if (here && event.key.startsWith("Arrow")) {
      const next = document.getElementById(`hex-${beside(addressOf(here), event.key)}`);
      if (next && svg.contains(next)) look(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }, { signal });

  frame.addEventListener("wheel", (event) => {
    // Elsewhere the wheel scrolls the page: it zooms once one is at work on the chart.
    if (!event.ctrlKey && !frame.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, ...pointAt(event.clientX, event.clientY));
  }, { passive: false, signal });

  /** How far apart two fingers are. */
  const spread = () => {
    const [one, two] = [...fingers.values()];
    return Math.hypot(one.x - two.x, one.y - two.y);
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.pointerType !== "mouse" && !fill)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) pinch = spread();
    drag = { x: event.clientX, y: event.clientY, from: { ...view }, far: fingers.size > 1 };
  }, { signal });
  window.addEventListener("pointermove", (event) => {
    if (!drag || !fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      const now = spread();
      const [one, two] = [...fingers.values()];
      if (pinch && now) zoom(now / pinch, ...pointAt((one.x + two.x) / 2, (one.y + two.y) / 2));
      pinch = now;
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    drag.far ||= Math.hypot(dx, dy) > SLIP;
    if (!drag.far) return;
    const scale = drag.from.width / svg.getBoundingClientRect().width;
    Object.assign(view, { x: drag.from.x - dx * scale, y: drag.from.y - dy * scale });
    show();
  }, { signal });
  const lift = (event) => {
    fingers.delete(event.pointerId);
    pinch = 0;
    if (fingers.size) {
      const [left] = fingers.values();
      drag = { ...left, from: { ...view }, far: true };
    } else setTimeout(() => { drag = null; });
  };
  window.addEventListener("pointerup", lift, { signal });
  window.addEventListener("pointercancel", lift, { signal });
  svg.addEventListener("click", (event) => {
    // A path, a marker or a name may lie over the hex: what counts is the hex under the pointer.
    const hex = document.elementsFromPoint(event.clientX, event.clientY).map(hexAt).find(Boolean);
    if (!hex || drag?.far) return;
    look(hex);
    tell("hexchosen", addressOf(hex));
  }, { signal });

  if (fill) {
    measure();
    if (earlier) {
      Object.assign(view, earlier);
      show();
    } else lookAtFocus();
    const watching = new ResizeObserver(() => (view.height && full.width ? refit() : lookAtFocus()));
    watching.observe(frame);
    signal.addEventListener("abort", () => watching.disconnect());
  }

  return {
    zoom,
    reset,
    refit,
    focus: lookAtFocus,
    view: () => ({ ...view }),
    close: () => ending.abort(),
    look: (address) => { const hex = document.getElementById(`hex-${address}`); if (hex) look(hex); },
  };
}
