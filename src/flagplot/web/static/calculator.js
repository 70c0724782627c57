// The calculator of interceptions, kept up to date while one types.
import { keepUpToDate } from "./live_calculator.js";

keepUpToDate({
  rows: "forces",
  keeps: (name) => name.startsWith("hexes"),
  // Without an answer it is not known how many dice there are just now.
  leaves: (part, fresh) => fresh.getElementById("address") === null && part.id.startsWith("part-dice"),
  besides: nameForces,
});

function nameForces(form, fresh) {
  const names = [...fresh.querySelectorAll(".force")];
  form.querySelectorAll(".force").forEach((row, index) => {
    if (!names[index]) return; // the rows were taken over whole
    row.className = names[index].className;
    row.querySelector("legend").textContent = names[index].querySelector("legend").textContent;
    const named = names[index].querySelector(".small")?.getAttribute("aria-label");
    if (named) row.querySelector(".small")?.setAttribute("aria-label", named);
  });
}
