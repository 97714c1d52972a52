/* Verdicts as a file of one JSON object a line, and back. */
const lineOf = (task, verdict) => {
  const choice = task.choices.find((each) => each.name === verdict.choice);
  if (!choice) return null;
  const { trace: given, ...fields } = task.line;
  const trace = { ...given, [head.work.kind === "run" ? "sample" : "release"]: head.work.name, work: head.work.hash, page: head.page, choice: choice.name };
  if (verdict.first && verdict.first !== choice.name) trace.first = verdict.first;
  if (typeof verdict.blind === "boolean") trace.is_blind = verdict.blind;
  if (verdict.rows?.length) trace.wrong_rows = verdict.rows.map((row) => row + 1);
  if (head.isFinal) trace.final = true;
  const note = verdict.note?.trim();
  if (head.work.kind === "release") {
    return { ...fields, annotator: state.name, choice: choice.value, resolved: head.isFinal, ...(note ? { note } : {}), trace };
  }
  return { ...fields, judge: { kind: "human", name: state.name }, value: choice.value, ...(note ? { reason: note } : {}), trace };
};
const allLines = () => {
  const lines = [];
  head.items.forEach((item, place) => {
    if (!state.verdicts[item.id]) return;
    for (const task of readItem(place).tasks) {
      const verdict = verdictOf(place, task.id);
      const line = verdict && lineOf(task, verdict);
      if (line) lines.push(JSON.stringify(line));
    }
  });
  return lines;
};
const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "page";
const save = () => {
  const lines = allLines();
  if (!lines.length) {
    say("There is no verdict to save yet.");
    return;
  }
  const name = head.annotator ? head.file : `${head.file}-${plain(state.name)}`;
  const address = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
  make("a", { href: address, download: `${name}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  isSaved = true;
  say(`Saved ${plural(lines.length, "verdict")} as ${name}.jsonl. You can go on, and save again.`);
};

const nameOf = (line) =>
  JSON.stringify(head.work.kind === "release" ? [line.pair_id, line.dimension] : [line.id, line.condition ?? "own", line.repeat ?? 0, line.metric, line.candidate ?? null]);
const load = (text) => {
  const tasks = new Map();
  head.items.forEach((_, place) => {
    for (const task of readItem(place).tasks) tasks.set(nameOf(task.line), [place, task]);
  });
  const found = [];
  let bad = 0, changed = 0;
  for (const written of text.split("\n").filter((each) => each.trim())) {
    let line = null;
    try {
      line = JSON.parse(written);
    } catch {
      /* counted below */
    }
    const [place, task] = (line && typeof line === "object" && tasks.get(nameOf(line))) || [];
    const trace = line?.trace ?? {};
    if (trace.work && (trace.work !== head.work.hash || trace.page !== head.page)) {
      say(`Nothing was read: this file is of the page ${String(trace.page).slice(0, 80)}, and this page is ${head.page}.`);
      return;
    }
    if (!task || !trace.work || !task.choices.some((each) => each.name === trace.choice)) bad += 1;
    else found.push([place, task, line, trace]);
  }
  for (const [place, task, line, trace] of found) {
    const before = verdictOf(place, task.id);
    if (before?.choice && before.choice !== trace.choice) changed += 1;
    const rows = Array.isArray(trace.wrong_rows) ? trace.wrong_rows.filter(Number.isInteger).map((row) => row - 1) : [];
    const note = line.reason ?? line.note ?? "";
    change(place, task.id, { choice: trace.choice, note: String(note), rows, first: trace.first ?? trace.choice, blind: trace.is_blind });
  }
  if (!state.name && found.length) state.name = String(found[0][2].judge?.name ?? found[0][2].annotator ?? "");
  keep();
  say(`Read ${plural(found.length, "verdict")}${changed ? `; ${count(changed)} were others here` : ""}${bad ? `; ${plural(bad, "line")} could not be read` : ""}.`);
};
