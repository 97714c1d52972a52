/* What is read: the texts of an item, evidence marked, unless the true answer is hidden. */
const marked = (stretches, isMarked) =>
  stretches.map((each) => (Array.isArray(each) ? (isMarked ? make("mark", null, each[0]) : each[0]) : each));

/* A text that is higher than its room is scrolled, by keyboard too. */
const scrolled = (element, label) => {
  element.dataset.label = label;
  return element;
};
const measure = () => {
  for (const each of document.querySelectorAll("#item [data-label]")) {
    if (each.scrollHeight > each.clientHeight + 1) {
      each.tabIndex = 0;
      each.setAttribute("role", "region");
      each.setAttribute("aria-label", each.dataset.label);
    }
  }
};

const shown = (each, isMarked) => {
  const note = each.note && isMarked ? pill(each.note, each.tone) : null;
  const title = make("h3", null, foreign(each.title), " ", note);
  if (!each.text.length) return make("div", { class: `shown ${each.role}` }, title, isMarked || !each.note ? null : make("p", { class: "soft" }, each.note));
  const said = make("div", { class: "said", dir: "auto" }, marked(each.text, isMarked));
  return make("div", { class: `shown ${each.role}` }, title, scrolled(said, each.title));
};
const hidden = (title, reveal) =>
  make("div", { class: "shown gold" }, make("h3", null, title), make("p", { class: "soft small" }, "hidden until you have judged ", make("button", { type: "button", class: "link", click: reveal }, "show it now")));

/* Two boxes: what is judged, and what there is to hold it against. */
const drawTexts = (data, isGoldShown, reveal) => {
  const first = [], more = [], sides = [], [{ topic, meaning }] = data.tasks;
  if (topic) first.push(make("p", { class: "meaning above" }, make("b", null, topic), ": ", meaning));
  for (const each of data.texts) {
    if (each.role === "gold" && !isGoldShown) first.push(hidden(each.title, reveal));
    else if (each.role === "evidence") isGoldShown && more.push(shown(each, true));
    else if (each.role === "candidate") sides.push(shown(each, true));
    else if (each.role === "context") more.push(shown(each, isGoldShown));
    else first.push(shown(each, true));
  }
  if (sides.length) first.push(...more.splice(0), make("div", { class: "candidates" }, sides)); // sides are held against the contexts
  return [make("div", { class: "texts" }, make("h2", { class: "unseen" }, "What is judged"), first), make("div", { class: "more" }, more.length ? make("h2", { class: "unseen" }, "What there is to read") : null, more)];
};
