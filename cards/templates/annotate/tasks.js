/* What is asked: a field of choices for each task; a judge's step with its rows above them. */
const stepRows = (task, item, verdict) => {
  const { step } = task, marks = new Set(verdict?.rows ?? []);
  const toggle = (row) => {
    if (!marks.delete(row)) marks.add(row);
    change(item, task.id, { rows: [...marks].sort((one, other) => one - other) });
  };
  const rows = step.rows.map((cells, row) => {
    const [of, ...others] = cells;
    const said = others.map((cell, column) => (cell ? make("div", { class: "soft small" }, foreign(step.columns[column + 1] ?? ""), ": ", foreign(cell)) : null));
    const box = make("input", { type: "checkbox", change: () => toggle(row) });
    box.checked = marks.has(row);
    return make(
      "li",
      null,
      make("div", { class: "of", dir: "auto" }, `${row + 1}. `, foreign(of)),
      make("label", null, box, " wrong", make("span", { class: "unseen" }, `: row ${row + 1}`)),
      make("div", null, said),
    );
  });
  if (step.moreRows) rows.push(make("li", { class: "soft" }, `${count(step.moreRows)} more are left out`));
  return rows.length ? scrolled(make("ol", null, rows), `${step.title}: rows`) : null;
};
const drawStep = (task, item, verdict) => {
  const { step } = task;
  return make(
    "div",
    { class: "judge-step" },
    make("p", { class: "about" }, "said by ", foreign(step.judge), ", for ", foreign(step.metrics.join(", "))),
    step.lines.map((line) => scrolled(make("p", { class: "line", dir: "auto" }, foreign(line)), step.title)),
    stepRows(task, item, verdict),
    step.outcomes.map((each) => make("p", { class: "line small" }, make("span", { class: "soft" }, "→ "), foreign(each))),
  );
};

const drawNote = (task, item, verdict) => {
  const box = make("div", { class: "note" }), name = `note-${task.number}`;
  const open = () => {
    const text = make("textarea", { id: name, maxlength: 4000, input: () => change(item, task.id, { note: text.value }) });
    text.value = verdictOf(item, task.id)?.note ?? "";
    box.replaceChildren(make("label", { for: name }, "Note"), text);
    return text;
  };
  if (verdict?.note) open();
  else box.append(make("button", { type: "button", class: "link", click: () => open().focus() }, "Note"));
  box.openNote = open;
  return box;
};

const drawTask = (task, item, number, isCurrent, choose) => {
  const verdict = verdictOf(item, task.id);
  task.number = number;
  const buttons = task.choices.map((each) =>
    make(
      "button",
      { type: "button", class: each.tone, "aria-pressed": String(verdict?.choice === each.name), click: () => choose(task, each) },
      make("kbd", { "aria-hidden": "true" }, each.key), " ", each.label,
    ),
  );
  return make(
    "div",
    { class: `task${isCurrent ? " current" : ""}`, role: "group", "aria-labelledby": `ask-${number}`, "data-task": number, "aria-current": isCurrent ? "true" : null },
    task.topic ? make("p", { class: "topic" }, task.topic) : null,
    make("p", { class: "ask", id: `ask-${number}` }, foreign(task.ask)),
    task.meaning ? make("p", { class: "meaning" }, task.meaning) : null,
    task.said.length ? make("ul", { class: "others", "aria-label": "What was said so far" }, task.said.map((each) => make("li", null, foreign(each)))) : null,
    task.step ? drawStep(task, item, verdict) : null,
    make("div", { class: "choices" }, buttons),
    drawNote(task, item, verdict),
  );
};
