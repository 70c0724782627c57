// What the calculators share: whatever is changed is asked of the server at once, and its page is taken over piece by
// piece, so that nobody loses the field he is typing in. Without this file the form works by its buttons.

const PAUSE = 180; // milliseconds after the last key

/**
 * Keep the calculator on the page up to date. `rows` is the id of its list of rows, `keeps` whether a field is sent even
 * where it is empty, `leaves` whether a part stays as it is, `besides` takes over what only this calculator has.
 */
export function keepUpToDate({ rows: list, keeps, leaves = () => false, besides = () => {} }) {
  const form = document.getElementById("calculator");
  const answer = document.getElementById("answer");
  const headline = document.getElementById("headline");
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

  /** The answers that say something; `add` and `remove` come with the button that was pressed. */
  function query(submitter) {
    const said = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value !== "" || keeps(name)) said.append(name, value);
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
    const rows = document.getElementById(list);
    const others = fresh.getElementById(list);
    if (rows && rows.children.length !== others.children.length) {
      rows.replaceChildren(...others.children);
      const number = submitter?.name === "remove" ? Math.min(submitter.value, rows.children.length) : rows.children.length;
      (rows.children[number - 1]?.querySelector("input, select") ?? form.querySelector("[name=add]")).focus();
      form.querySelector("[name=add]").disabled = fresh.querySelector("[name=add]").disabled;
    }
    for (const part of form.querySelectorAll("[data-part]")) {
      const other = fresh.getElementById(part.id);
      if (!other || leaves(part, fresh)) continue;
      if (part.contains(document.activeElement)) part.hidden = other.hidden;
      else if (!part.isEqualNode(other) || changed(part)) part.replaceWith(other);
    }
    for (const fold of form.querySelectorAll("[data-shown]")) fold.hidden = fresh.getElementById(fold.id).hidden;
    besides(form, fresh);
    const open = answer.querySelector("details")?.open;
    answer.replaceChildren(...fresh.getElementById("answer").childNodes);
    const fold = answer.querySelector("details");
    if (fold) fold.open = Boolean(open);
    headline.textContent = fresh.getElementById("headline").textContent;
    const address = document.getElementById("address")?.getAttribute("href");
    if (address) history.replaceState(null, "", address);
  }
}

/** Whether a field no longer says what its markup says. */
function changed(part) {
  return [...part.querySelectorAll("input, option")].some((field) =>
    field.localName === "option" ? field.selected !== field.defaultSelected
      : field.checked !== field.defaultChecked || field.value !== field.defaultValue);
}
