// The calculators of the strategic war: whatever is changed is asked of the server at once, and its page is taken over
// piece by piece, so that nobody loses the field he is typing in. Without this file the form works by its buttons.

const form = document.getElementById("calculator");
const answer = document.getElementById("answer");
const headline = document.getElementById("headline");
const PAUSE = 180; // milliseconds after the last key
let asked = 0;
let timer;
form.classList.add("live"); // no button is needed to see the answer

form.addEventListener("input", () => {
  clearTimeout(timer);
  asked += 1; // what is on its way is out of date
  timer = setTimeout(() => renew(), PAUSE);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  renew(event.submitter);
});

/** All that is said, rows even where they are empty; `add` and `remove` come with the button that was pressed. */
function query(submitter) {
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "" || /\d$/.test(name)) said.append(name, value);
  }
  if (submitter?.name) said.append(submitter.name, submitter.value);
  if (![...said.keys()].length) said.append("none", "1"); // an address that says nothing would begin anew
  return said;
}

async function renew(submitter) {
  asked += 1;
  const mine = asked;
  form.setAttribute("aria-busy", "true");
  let fresh;
  try {
    const told = await fetch(`${form.getAttribute("action")}?${query(submitter)}`, { headers: { accept: "text/html" } });
    if (!told.ok) throw new Error(`The server answered ${told.status}.`);
    fresh = new DOMParser().parseFromString(await told.text(), "text/html");
  } catch (lost) {
    if (mine === asked) headline.textContent = `Not up to date: ${lost.message}`;
    return;
  } finally {
    if (mine === asked) form.removeAttribute("aria-busy");
  }
  if (mine === asked) take(fresh, submitter);
}

function take(fresh, submitter) {
  const rows = document.getElementById("rows");
  const others = fresh.getElementById("rows");
  if (rows && rows.children.length !== others.children.length) {
    rows.replaceChildren(...others.children);
    const number = submitter?.name === "remove" ? Math.min(submitter.value, rows.children.length) : rows.children.length;
    (rows.children[number - 1]?.querySelector("input, select") ?? form.querySelector("[name=add]")).focus();
    form.querySelector("[name=add]").disabled = fresh.querySelector("[name=add]").disabled;
  }
  for (const part of form.querySelectorAll("[data-part]")) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    if (part.contains(document.activeElement)) part.hidden = other.hidden;
    else if (!part.isEqualNode(other) || changed(part)) part.replaceWith(other);
  }
  for (const section of form.querySelectorAll("[data-shown]")) section.hidden = fresh.getElementById(section.id).hidden;
  const open = answer.querySelector("details")?.open;
  answer.replaceChildren(...fresh.getElementById("answer").childNodes);
  const fold = answer.querySelector("details");
  if (fold) fold.open = Boolean(open);
  headline.textContent = fresh.getElementById("headline").textContent;
  const address = document.getElementById("address")?.getAttribute("href");
  if (address) history.replaceState(null, "", address);
}

/** Whether a field no longer says what its markup says. */
function changed(part) {
  return [...part.querySelectorAll("input, option")].some((field) =>
    field.localName === "option" ? field.selected !== field.defaultSelected
      : field.checked !== field.defaultChecked || field.value !== field.defaultValue);
}
