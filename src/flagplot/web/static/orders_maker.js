// Makes a line of standing orders from choices: a kind of question, what answers it, and under which condition.
const at = (id) => document.getElementById(id);
const text = at("text");

const how = () => document.querySelector("[name=make-how]:checked").value;

/** The words a kind of question can be answered with; none where an answer names things one by one. */
function offerWords() {
  const words = (at("make-kind").selectedOptions[0].dataset.words ?? "").split("|").filter(Boolean);
  at("make-word").replaceChildren(...words.map((word) => new Option(word, word)));
  const fixed = document.querySelector("[name=make-how][value=answer]");
  fixed.disabled = at("make-word").hidden = !words.length;
  if (fixed.checked && fixed.disabled) document.querySelector("[name=make-how][value=doctrine]").checked = true;
}

function line() {
  const fact = at("make-fact").value;
  const value = at("make-value").value.trim();
  const condition = fact && value ? ` if ${fact} ${at("make-is").value} ${value}` : "";
  return `${at("make-kind").value}: ${how() === "answer" ? at("make-word").value : how()}${condition}`;
}

function draw() {
  for (const id of ["make-is", "make-value"]) at(id).disabled = !at("make-fact").value;
  at("made-line").textContent = line();
}

if (at("maker")) {
  at("maker").addEventListener("change", (event) => {
    if (event.target.id === "make-kind") offerWords();
    if (event.target.id === "make-word") document.querySelector("[name=make-how][value=answer]").checked = true;
    draw();
  });
  at("maker").addEventListener("input", draw);
  at("add-line").addEventListener("click", () => {
    const before = text.value.replace(/\s+$/, "");
    text.value = `${before}${before ? "\n" : ""}${line()}\n`;
    text.dispatchEvent(new Event("input"));
  });
  offerWords();
  draw();
}
