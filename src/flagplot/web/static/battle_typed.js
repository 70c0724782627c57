// Orders as a person types them, in the words of the terminal: item=place, several with commas; read, never judged.

const EVERYTHING = ["all", "*"];
const MOST_NAMES = 5; // in one sentence

/** A name as it is compared: small letters and figures, single spaces. */
const plain = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

const named = (all) => all.slice(0, MOST_NAMES).map((each) => each.label).join(", ") + (all.length > MOST_NAMES ? " and others" : "");

/** The one meant: its key or label, its number in the list, or an unambiguous beginning of them or of a word in them. */
function resolve(typed, all, what) {
  const wanted = plain(typed);
  const names = (each) => [plain(each.key), plain(each.label)];
  const figures = /^\d+$/.test(wanted);
  const keyed = all.some((each) => /^\d+$/.test(each.key));
  const ways = [
    (each) => names(each).includes(wanted),
    (each, index) => figures && !keyed && wanted === `${index + 1}`,
    (each) => !figures && names(each).some((name) => name.startsWith(wanted)),
    (each) => !figures && names(each).some((name) => ` ${name}`.includes(` ${wanted}`)),
  ];
  for (const fits of wanted ? ways : []) {
    const found = all.filter(fits);
    if (found.length === 1) return found[0];
    if (found.length) throw new Error(`“${typed.trim()}” may mean ${named(found)}. Type more of it.`);
  }
  throw new Error(`“${typed.trim()}” is not among the ${what}: ${named(all)}.`);
}

function fits(item, where) {
  try {
    placed(item, where);
    return true;
  } catch {
    return false;
  }
}

/** Places and amounts: `patrol` is all of it there, `2 patrol + 1 deck` so many here and there. */
function placed(item, where) {
  const cells = {};
  for (const piece of where.split("+")) {
    const several = item.amount > 1 ? /^\s*(\d{1,6})\s+(\S.*)$/.exec(piece) : null;
    const place = resolve(several ? several[2] : piece, item.places, `places for ${item.label}`);
    if (place.barred) throw new Error(`${item.label}, ${place.label}: ${place.barred.why} (${place.barred.rule})`);
    cells[place.key] = (cells[place.key] ?? 0) + (several ? Number(several[1]) : item.amount);
  }
  const total = Object.values(cells).reduce((all, amount) => all + amount, 0);
  if (total > item.amount) throw new Error(`${item.label}: there are ${item.amount}, not ${total}.`);
  if (total < item.amount && item.rest) cells[item.rest] = (cells[item.rest] ?? 0) + item.amount - total;
  else if (total < item.amount) throw new Error(`${item.label}: say where all ${item.amount} go.`);
  return cells;
}

/** The items meant before an equals sign: one, all that can go there, or all of a name. */
function itemsOf(form, typed, where) {
  const [first, ...rest] = typed.trim().split(/\s+/);
  if (!EVERYTHING.includes(first.toLowerCase())) return [resolve(typed, form.items, "things to be placed")];
  const wanted = plain(rest.join(" "));
  const called = form.items.filter((item) => [item.key, item.label].some((name) => ` ${plain(name)}`.includes(` ${wanted}`)));
  if (!called.length) throw new Error(`“${wanted}” is not among the things to be placed.`);
  const able = called.filter((item) => fits(item, where));
  if (!able.length) placed(called[0], where);
  return able;
}

/** The answer with what was typed put in; an Error says what was not understood. */
export function readTyped(form, typed, cells) {
  const answer = structuredClone(cells);
  const parts = typed.split(/[,;]/).filter((part) => part.trim());
  if (!parts.length) throw new Error("Type item=place, for example all=stay.");
  for (const part of parts) {
    const at = part.indexOf("=");
    if (at >= 0) {
      const where = part.slice(at + 1);
      for (const item of itemsOf(form, part.slice(0, at), where)) answer[item.key] = placed(item, where);
      continue;
    }
    const able = form.items.length === 1 ? form.items : form.items.filter((item) => fits(item, part));
    if (able.length !== 1) throw new Error("Say what goes where, as item=place.");
    answer[able[0].key] = placed(able[0], part);
  }
  return answer;
}
