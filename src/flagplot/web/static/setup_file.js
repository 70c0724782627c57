// Opening a file: a set-up's text replaces the text; of a Warplanner file the person picks the forces that meet.
import { ask, make, say } from "/static/common.js";
import { sentence } from "/static/setup_editor.js";

const at = (id) => document.getElementById(id);
const MOST_TEXT = 200000; // characters of a set-up
const MOST_FILE = 1024 * 1024; // bytes of a Warplanner file
const TITLES = { axis: "Axis", allies: "Allies" };
const LIGHT = { cruisers: "cruisers", destroyers: "destroyers", escort_carriers: "escort carriers", transports: "transports" };

/** sides: those that may be filled from a file; read, change, replaceText: the editor's. */
export function offerFile({ sides, read, change, replaceText }) {
  at("file").addEventListener("change", async () => {
    const file = at("file").files[0];
    at("file").disabled = true;
    try {
      if (file) await open(file);
    } catch {
      say("That file could not be read, or the server did not answer.");
    } finally {
      at("file").value = "";
      at("file").disabled = false;
    }
  });

  async function open(file) {
    if (file.size > MOST_FILE) return say("That file is longer than any set-up and any Warplanner game.");
    const text = await file.text();
    if (!/^\uFEFF?\s*</.test(text)) return text.length > MOST_TEXT ? say("That file is longer than any set-up.") : replaceText(text);
    const told = await ask("POST", "/api/warplanner", { text });
    if (told.refused) return say(sentence(told.refused));
    return show(told, file.name);
  }

  function show(told, name) {
    const places = told.places.filter((place) => sides.includes(place.side));
    const box = at("warplanner");
    const facts = [told.title, [told.season, told.year].filter(Boolean).join(" "), told.version ? `Warplanner ${told.version}` : ""].filter(Boolean).join(" · ");
    const list = (side) => {
      const here = places.filter((place) => place.side === side);
      return make("fieldset", {}, make("legend", {}, `${TITLES[side]}: where it has units`),
        here.length ? make("ul", { class: "picks" }, ...here.map(drawPlace)) : make("p", { class: "quiet" }, "None that could meet an enemy."));
    };
    const replace = make("input", { type: "checkbox", id: "warplanner-replace", checked: true });
    const use = make("button", { type: "button", class: "main" }, "Put the chosen forces into the set-up");
    use.addEventListener("click", () => write(places, replace.checked));
    const shut = make("button", { type: "button" }, "Close");
    shut.addEventListener("click", () => { box.hidden = true; at("file").focus(); });
    const untold = told.unplaced.filter((each) => sides.length > 1 || told.countries.some((country) => country.name === each.country && country.coalition === sides[0]));
    box.replaceChildren(
      make("h2", { id: "h-warplanner", tabindex: "-1" }, `From ${name}`, make("span", {}, facts)),
      make("p", {}, "Choose the forces that meet in this battle. ", make("span", { class: "quiet" }, told.unknown)),
      make("div", { class: "columns picks-of" }, ...sides.map(list)),
      untold.length ? make("details", {}, make("summary", {}, `${untold.length} counter${untold.length > 1 ? "s" : ""} could not be placed`),
        make("ul", { class: "quiet" }, ...untold.map((each) => make("li", {}, `Line ${each.line}, ${each.country}, ${each.what}: ${each.why}.`)))) : null,
      sides.length > 1 ? make("p", { class: "quiet" }, leftOut(told)) : null,
      make("label", { class: "choice" }, replace, " instead of the forces, submarines and air bases that stand there now"),
      make("p", { class: "verbs" }, use, shut));
    box.hidden = false;
    at("h-warplanner").focus();
    box.scrollIntoView({ block: "start" });
  }

  function leftOut(told) {
    const elsewhere = Object.entries(told.elsewhere).map(([where, count]) => `${count} ${where}`);
    const ignored = Object.values(told.ignored).reduce((sum, count) => sum + count, 0);
    return [elsewhere.length ? `Not offered, as they meet nobody now: ${elsewhere.join(", ")}.` : "", ignored ? `${ignored} other counter${ignored > 1 ? "s have" : " has"} nothing to do with naval combat.` : ""].filter(Boolean).join(" ");
  }

  function drawPlace(place, n) {
    const id = `pick-${place.side}-${n}`;
    const what = [
      ...place.ships.map((ship) => (ship.written === ship.name ? ship.name : `${ship.name} (“${ship.written}”)`)),
      ...Object.values(place.light).flatMap((counts) => Object.entries(counts).map(([key, count]) => `${count} ${LIGHT[key]}`)),
      ...Object.entries(place.submarines).map(([nation, count]) => `${count} submarines of ${nation}`),
      ...Object.entries(place.aircraft).map(([unit, count]) => `${count} ${unit}`),
    ].join(", ");
    const pick = make("input", { type: "checkbox", id, "data-pick": `${place.side} ${place.key}` });
    const away = Object.keys(place.aircraft).length
      ? make("label", { class: "away" }, "hexes from the battle ", make("input", { type: "number", min: 0, max: 99, inputmode: "numeric", "data-away": `${place.side} ${place.key}` }))
      : null;
    return make("li", {}, make("label", { class: "choice", for: id }, pick, make("span", {}, make("b", {}, place.where), place.factors ? ` · ${place.factors} factors` : "", make("span", { class: "quiet block" }, what))), away);
  }

  /** The chosen forces as changes to the text. */
  async function write(places, instead) {
    const outline = read()?.outline;
    if (!outline) return say("The text has to be put right first.");
    const chosen = places.filter((place) => document.querySelector(`[data-pick="${CSS.escape(`${place.side} ${place.key}`)}"]`).checked);
    if (!chosen.length) return say("Choose a force first.");
    const changes = [];
    for (const side of sides) {
      const here = chosen.filter((place) => place.side === side);
      if (!here.length) continue;
      const told = outline.sides[side];
      const counts = { force: told.forces.length, air_base: told.air_bases.length };
      if (instead) {
        for (const key of ["force", "air_base"]) {
          for (let n = counts[key] - 1; n >= 0; n -= 1) changes.push({ path: [side, key, n], value: null });
          counts[key] = 0;
        }
        changes.push({ path: [side, "submarines"], value: null });
      }
      const nation = sides.length > 1 && instead ? here.map((place) => place.nation).find(Boolean) ?? told.nation : told.nation;
      if (sides.length > 1 && nation !== told.nation) changes.push({ path: [side, "nation"], value: nation }, { path: [side, "name"], value: nation });
      const boats = instead ? {} : { ...told.submarines };
      for (const place of here) {
        const force = forceOf(place, nation, freshName(place.where, told, counts.force));
        if (force) changes.push({ path: [side, "force", counts.force++], value: force });
        for (const [owner, count] of Object.entries(place.submarines)) boats[owner] = (boats[owner] ?? 0) + count;
        if (Object.keys(place.aircraft).length) {
          const away = document.querySelector(`[data-away="${CSS.escape(`${side} ${place.key}`)}"]`);
          if (away.value === "") {
            away.focus();
            return say(`The file does not say how far ${place.where} is from the battle: enter the hexes (22.442A).`);
          }
          changes.push({ path: [side, "air_base", counts.air_base++], value: { name: place.where[0].toUpperCase() + place.where.slice(1), distance: Math.trunc(Number(away.value)), aircraft: place.aircraft } });
        }
      }
      if (Object.keys(boats).length) changes.push({ path: [side, "submarines"], value: boats });
    }
    const theatre = chosen.map((place) => place.theatre).find(Boolean);
    if (theatre && sides.length > 1) changes.push({ path: ["theatre"], value: theatre });
    await change(changes);
    at("warplanner").hidden = true;
    say("The chosen forces stand in the text. What they must still keep to is said below.");
    return undefined;
  }

  function freshName(where, told, place) {
    const name = where[0].toUpperCase() + where.slice(1);
    return told.forces.some((force) => force.name === name) ? `${name} ${place + 1}` : name;
  }

  function forceOf(place, nation, name) {
    if (!place.ships.length && !Object.keys(place.light).length) return null;
    const { [nation]: own = {}, ...others } = place.light;
    return {
      name,
      ...(place.ships.length ? { ships: place.ships.map((ship) => ship.name) } : {}),
      ...own,
      ...(Object.keys(others).length ? { also: Object.entries(others).map(([other, counts]) => ({ nation: other, ...counts })) } : {}),
    };
  }
}
