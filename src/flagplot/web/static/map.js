// A chart that can be moved over: arrow keys go from hex to hex, + and - and the wheel zoom, the mouse drags.
// The page hears "hexchosen" from the frame, with the address in detail.hex, and "hexlooked" when the focus moves.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NEAREST = 8; // times larger than the whole
const SLIP = 5; // pixels a click may wander before it is a drag

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

/** Make the chart in a frame answer to keys, wheel and mouse. */
export function openChart(frame) {
  const svg = frame.querySelector("svg.map");
  const whole = svg.viewBox.baseVal;
  const full = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  const view = { ...full };
  let drag = null;

  const tell = (name, hex) => frame.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: { hex } }));
  const hexAt = (element) => element?.closest?.("[id^='hex-'][role='button']");
  const addressOf = (hex) => hex.id.slice(4);

  function show() {
    view.width = Math.min(full.width, Math.max(full.width / NEAREST, view.width));
    view.height = (view.width * full.height) / full.width;
    view.x = Math.min(full.x + full.width - view.width, Math.max(full.x, view.x));
    view.y = Math.min(full.y + full.height - view.height, Math.max(full.y, view.y));
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
    Object.assign(view, full);
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
    hex.focus();
    tell("hexlooked", addressOf(hex));
  }

  function pointAt(event) {
    const box = svg.getBoundingClientRect();
    return [
      view.x + ((event.clientX - box.left) / box.width) * view.width,
      view.y + ((event.clientY - box.top) / box.height) * view.height,
    ];
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
  });

  frame.addEventListener("wheel", (event) => {
    // Elsewhere the wheel scrolls the page: it zooms once one is at work on the chart.
    if (!event.ctrlKey && !frame.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, ...pointAt(event));
  }, { passive: false });

  svg.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    drag = { x: event.clientX, y: event.clientY, from: { ...view }, far: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    drag.far ||= Math.hypot(dx, dy) > SLIP;
    if (!drag.far) return;
    const scale = view.width / svg.getBoundingClientRect().width;
    Object.assign(view, { x: drag.from.x - dx * scale, y: drag.from.y - dy * scale });
    show();
  });
  window.addEventListener("pointerup", () => { setTimeout(() => { drag = null; }); });
  svg.addEventListener("click", (event) => {
    // A path, a marker or a name may lie over the hex: what counts is the hex under the pointer.
    const hex = document.elementsFromPoint(event.clientX, event.clientY).map(hexAt).find(Boolean);
    if (!hex || drag?.far) return;
    look(hex);
    tell("hexchosen", addressOf(hex));
  });

  return { zoom, reset, look: (address) => { const hex = document.getElementById(`hex-${address}`); if (hex) look(hex); } };
}
