// The chart of an operation in the replay: fetched for each step, drawn anew only where it differs.

import { make } from "./common.js";
import { openChart } from "./map.js";

const at = (id) => document.getElementById(id);

export class SeaReplay {
  constructor() {
    this.chart = null;
    this.last = "";
  }

  /** Show the sea after a step; `fetched` gives it as a page. */
  async show(name, fetched) {
    this.last = name;
    const text = await fetched(at("chart-sheet")?.dataset.mark ?? "");
    if (this.last !== name) return; // gone on meanwhile
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("sea-now");
    if (!fresh) return;
    const sheet = fresh.querySelector("#chart-sheet");
    if (!sheet) { // the strategic war has no map
      const kept = new Set([...document.querySelectorAll("#sea details[open]")].map((each) => each.id));
      at("sea").replaceChildren(fresh);
      for (const each of fresh.querySelectorAll("details")) each.open ||= kept.has(each.id);
      return;
    }
    const svg = sheet.querySelector("svg.map");
    const old = at("chart-frame");
    const opened = new Set([...document.querySelectorAll("#sea details[open]")].map((each) => each.id));
    const known = at("sea-now");
    const air = document.querySelector("[data-chart=air]")?.checked ?? true;
    if (!svg && old) sheet.querySelector("#chart-frame").append(old.querySelector("svg.map"));
    const view = this.chart?.view() ?? null;
    const moved = known && at("chart-sheet").dataset.focus !== sheet.dataset.focus;
    this.chart?.close();
    at("sea").replaceChildren(fresh);
    if (known) for (const each of fresh.querySelectorAll("details")) each.open = opened.has(each.id) || each.id === "chart-fold";
    at("chart-fold").open = true;
    const frame = at("chart-frame");
    if (!frame) return;
    document.querySelector("[data-chart=air]").checked = air;
    frame.classList.toggle("without-air", !air);
    this.chart = openChart(frame, { fill: true, focus: sheet.dataset.focus.split(" ").filter(Boolean), view: moved ? null : view });
    frame.addEventListener("hexlooked", ({ detail }) => this.tell(detail.hex));
    frame.addEventListener("hexchosen", ({ detail }) => this.tell(detail.hex));
    for (const button of document.querySelectorAll("[data-chart]")) button.addEventListener("click", () => this.tool(button));
  }

  tool(button) {
    const act = button.dataset.chart;
    if (act === "in") this.chart.zoom(1.4);
    if (act === "out") this.chart.zoom(1 / 1.4);
    if (act === "all") this.chart.reset();
    if (act === "focus") this.chart.focus();
    if (act === "air") at("chart-frame").classList.toggle("without-air", !button.checked);
  }

  tell(hex) {
    const row = at(`where-${hex.replaceAll(" ", "_")}`);
    const there = row ? [...row.querySelectorAll("td p")].map((each) => each.textContent).join("; ") : "";
    at("looked").textContent = [at(`hex-${hex}`).getAttribute("aria-label"), there].filter(Boolean).join(" · ");
  }

  /** The steps of the phase, as one looks at it. */
  track(steps) {
    at("sea-track").hidden = !steps;
    at("sea-track").replaceChildren(...(steps ?? []).map((each) => make("li", { class: each.state === "next" ? "" : each.state, "aria-current": each.state === "now" ? "step" : null }, make("span", { class: "sea-step" }, each.title, make("small", {}, each.rule)))));
  }
}
