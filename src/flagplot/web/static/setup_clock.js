// How fast a game is played: its clock, and when answers reach the other side.
const at = (id) => document.getElementById(id);

const show = () => { for (const each of document.querySelectorAll("[data-clock]")) each.hidden = at("pace").value === ""; };
at("pace").addEventListener("change", show);
show(); // a browser may have kept what was chosen

/** What the server is told about time. */
export function chosenTime() {
  const number = (id) => Number(at(id).value);
  const clock = { answer_hours: number("pace"), reserve_hours: number("reserve"), grace_hours: number("grace"), vacation_days: number("vacation"), when_out: at("when-out").value };
  return { release: at("release").value, ...(at("pace").value ? { clock } : {}) };
}
