/* The ranking: filters, a table that is sorted and filtered by the library and drawn here, and the systems that are chosen. */
const filters = document.querySelector(".filters"), status = document.querySelector(".status");
const state = { table: board.tables[0], form: -1, chosen: [] };
const last = (value) => (value === null ? undefined : value);
const formSpread = (row) => (state.form < 0 || row.table.part !== "test" || row.system.formMetric !== row.table.metric ? [] : row.system.forms?.[state.form] || []);

const COLUMNS = [
  { id: "rank", name: "Rank", get: (row) => (row.best ? row.best * 1e6 + row.worst : undefined) },
  { id: "name", name: "System", get: (row) => row.system.name.toLowerCase(), text: true },
  { id: "value", name: "Value", get: (row) => last(row.value), descends: true },
  { id: "form", name: "Of the form", get: (row) => last(formSpread(row)[0] ?? null), descends: true },
  { id: "abstained", name: "Abstained", get: (row) => row.abstained },
  { id: "failed", name: "Errors", get: (row) => row.failed },
  { id: "coverage", name: "Coverage", get: (row) => last(row.coverage), descends: true },
  { id: "undecided", name: "Undecided", about: "answers that the metric could not decide: they count as the worst value", get: (row) => row.undecided },
  ...board.costs.map((name, at) => ({ id: name, name: COST_NAMES[name][0], about: COST_NAMES[name][1], get: (row) => last(row.costs[at]) })),
  { id: "openness", name: "Openness", get: (row) => row.system.openness, text: true },
  { id: "mark", name: "Figures", get: (row) => (row.verified ? "verified" : "claimed"), text: true },
  { id: "submitted", name: "Submitted", get: (row) => row.system.submitted?.slice(0, 10), text: true, descends: true },
];
const columnOf = (id) => COLUMNS.find((each) => each.id === id);
const MARKS = {
  verified: (row) => row.verified, claimed: (row) => !row.verified,
  organisers: (row) => Boolean(row.system.organisers), others: (row) => !row.system.organisers,
};
const ascending = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const table = TableLibrary.makeTable({
  data: [],
  columns: COLUMNS.map((each) => ({
    id: each.id,
    accessorFn: each.get,
    sortDescFirst: Boolean(each.descends),
    sortUndefined: "last",
    sortFn: (one, other, id) => ascending(one.getValue(id), other.getValue(id)),
    filterFn: each.id === "mark" ? (row, id, wanted) => MARKS[wanted](row.original) : (row, id, wanted) => row.getValue(id) === wanted,
  })),
  getRowId: (row) => String(row.row),
  enableSortingRemoval: false,
  getColumnCanGlobalFilter: (column) => column.id === "name",
  globalFilterFn: (row, id, words) => words.every((word) => row.original.system.haystack.includes(word)),
  initialState: { sorting: [{ id: "rank", desc: false }] },
});

/* Filters. Those of the table name a table that is there: a choice that none has falls back to the first that fits. */
const select = (name, label, options) => {
  const box = make("select", { name }, options.map(([value, text]) => make("option", { value }, text)));
  return make("label", null, label, " ", box);
};
const KEYS = ["benchmark", "version", "part", "metric"];
const keyOf = (each, key) => (key === "metric" ? `${each.metric}${each.judge ? ` by ${each.judge}` : ""}` : each[key]);
const tablesFor = (wanted, keys) => board.tables.filter((each) => keys.every((key) => keyOf(each, key) === wanted[key]));
const valuesOf = (key) => [...new Set(tablesFor(Object.fromEntries(KEYS.map((each) => [each, keyOf(state.table, each)])), KEYS.slice(0, KEYS.indexOf(key))).map((each) => keyOf(each, key)))];
const findTable = (key, value) => {
  const wanted = Object.fromEntries(KEYS.map((each) => [each, keyOf(state.table, each)]));
  wanted[key] = value;
  for (let kept = KEYS.length; kept > KEYS.indexOf(key); kept -= 1) {
    const [found] = tablesFor(wanted, KEYS.slice(0, kept));
    if (found) return found;
  }
  return state.table;
};
const box = (name) => filters.querySelector(`[name="${name}"]`);
const fillChoices = () => {
  for (const key of KEYS) {
    const values = valuesOf(key);
    box(key).replaceChildren(...values.map((value) => make("option", { value }, key === "part" ? partName(value) : value)));
    box(key).value = keyOf(state.table, key);
    box(key).disabled = values.length < 2;
  }
};
const OPENNESS = ["open source", "open weights", "closed"];
const buildFilters = () => {
  filters.append(
    ...KEYS.map((key) => select(key, { benchmark: "Benchmark", version: "Version", part: "Part", metric: "Metric" }[key], [])),
    select("form", "Form of the questions", [["", "all forms"], ...board.forms.map((each) => [each, each])]),
    select("openness", "Openness", [["", "all"], ...OPENNESS.map((each) => [each, each])]),
    select("mark", "Figures", [["", "all"], ["verified", "verified"], ["claimed", "claimed"], ["organisers", "organisers’"], ["others", "not organisers’"]]),
    make("label", null, "Search ", make("input", { type: "search", name: "text", autocomplete: "off", spellcheck: "false" })),
    make("button", { type: "button", class: "clear", click: clear }, "Clear"),
  );
  box("form").disabled = !board.forms.length;
  for (const key of KEYS) box(key).addEventListener("change", () => showTable(findTable(key, box(key).value)) || remember());
  for (const key of ["form", "openness", "mark"]) box(key).addEventListener("change", () => applyFilters() || remember());
  let waiting;
  box("text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => applyFilters() || remember(), 60);
  });
  filters.hidden = false;
  columnChoice();
};
const clear = () => {
  for (const key of ["form", "openness", "mark", "text"]) box(key).value = "";
  state.chosen = [];
  applyFilters();
  remember();
};

const isNarrow = () => innerWidth < 704;
const columnChoice = () => {
  const boxes = COLUMNS.filter((each) => !["rank", "name", "value", "form"].includes(each.id)).map((each) =>
    make("label", { class: "tick" }, make("input", { type: "checkbox", "data-column": each.id, change: (event) => {
      table.getColumn(each.id).toggleVisibility(event.target.checked);
      drawTable();
    } }), ` ${each.name}`));
  $("table-room").before(make("details", { class: "columns-choice" }, make("summary", null, "Columns"), make("div", { class: "inside ticks" }, boxes)));
};
const chooseColumns = () => {
  const rows = state.table.rows, has = (at) => rows.some((row) => isNumber(row.costs[at]));
  const wide = !isNarrow();
  const shown = { rank: true, name: true, value: wide || state.form < 0, form: state.form >= 0 };
  Object.assign(shown, { abstained: wide, failed: wide, openness: wide, coverage: false, undecided: state.table.rows.some((row) => row.undecided), submitted: false, mark: false });
  board.costs.forEach((name, at) => (shown[name] = wide && has(at) && name !== "retrievals"));
  table.setColumnVisibility(shown);
  for (const each of document.querySelectorAll("[data-column]")) each.checked = shown[each.dataset.column];
};

/* The table. Its rows are made once for the columns that are shown; sorting and filtering put them elsewhere. */
const sorting = () => table.store.state.sorting[0];
const headOf = (column) => {
  const { name, text, about: title } = columnOf(column.id), { id } = column;
  const label = id === "value" ? state.table.metric : id === "form" ? board.forms[state.form] : name;
  const button = make("button", { type: "button", class: "sort", title, click: () => {
    const by = sorting();
    column.toggleSorting(by?.id === id ? !by.desc : column.getFirstSortDir() === "desc");
    drawTable();
    remember();
  } }, label, make("span", { class: "arrow", "aria-hidden": "true" }));
  return make("th", { scope: "col", class: text && "text", "data-id": id }, button);
};
const markSorted = () => {
  const by = sorting();
  for (const head of $("table").querySelectorAll("th[data-id]")) {
    const isBy = by?.id === head.dataset.id;
    if (isBy) head.setAttribute("aria-sort", by.desc ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
    head.querySelector(".arrow").textContent = isBy ? (by.desc ? " ▾" : " ▴") : "";
  }
};
const CELLS = {
  rank: (row) => make("td", { class: "rank nowrap" }, ranks(row.best, row.worst)),
  name: (row) => make("th", { scope: "row" }, systemLink(row.system), make("span", { class: "marks" }, soft(foreign(row.system.organisation || row.system.submitter)), marks(row), make("span", { class: "tie", hidden: true })), row.apart && make("span", { class: "by soft" }, row.apart)),
  value: (row) => make("td", { class: "value" }, make("span", { class: "nowrap" }, amount(row.value, row.table.share)),
    drawnInterval(row.value, row.low, row.high, row.table.scale), make("span", { class: "soft small nowrap" }, interval(row.low, row.high, row.table.share))),
  form: (row) => {
    const [value, low, high] = formSpread(row);
    return make("td", { class: "value" }, make("span", { class: "nowrap" }, amount(value, row.table.share)), drawnInterval(value, low, high, row.table.scale, "quiet"), make("span", { class: "soft small nowrap" }, interval(low, high, row.table.share)));
  },
  abstained: (row) => make("td", { class: "nowrap" }, percent(row.abstained)),
  failed: (row) => make("td", { class: "nowrap" }, percent(row.failed)),
  coverage: (row) => make("td", { class: "nowrap" }, percent(row.coverage)),
  undecided: (row) => make("td", { class: "nowrap" }, count(row.undecided)),
  openness: (row) => make("td", { class: "text nowrap" }, foreign(row.system.openness)),
  mark: (row) => make("td", { class: "text" }, row.verified ? "verified" : "claimed"),
  submitted: (row) => make("td", { class: "text nowrap" }, row.system.submitted?.slice(0, 10) || NONE),
};
board.costs.forEach((name, at) => (CELLS[name] = (row) => make("td", { class: "nowrap" }, COST_NAMES[name][2](row.costs[at]))));

const rowOf = (row, columns) => {
  const tick = make("input", { type: "checkbox", "aria-label": `Choose ${row.system.name}`, change: () => choose(row) });
  return make("tr", { "data-row": row.row }, make("td", { class: "tick" }, tick), columns.map((column) => CELLS[column.id](row)));
};
const drawn = { columns: "", rows: new Map(), bodies: [] };
const frame = (columns) => {
  const wanted = `${state.table.at} ${state.form} ${columns.map((each) => each.id)}`;
  if (drawn.columns === wanted) return;
  const title = make("tr", null, make("th", { class: "apart", scope: "rowgroup", colspan: columns.length + 1 }, "Ranked apart"));
  Object.assign(drawn, { columns: wanted, rows: new Map(state.table.rows.map((row) => [row, rowOf(row, columns)])), bodies: [make("tbody"), make("tbody")], title });
  const head = make("thead", null, make("tr", null, make("td", null, make("span", { class: "unseen" }, "Choose")), columns.map(headOf)));
  $("table").replaceChildren(make("caption", null, make("span", null, foreign(state.table.title))), head, ...drawn.bodies);
};
const drawTable = () => {
  frame(table.getAllLeafColumns().filter((each) => each.getIsVisible()));
  const rows = table.getRowModel().rows.map((each) => each.original);
  const [ranked, apart] = [rows.filter(isRanked), rows.filter((row) => !isRanked(row))];
  drawn.bodies[0].replaceChildren(...ranked.map((row) => drawn.rows.get(row)));
  drawn.bodies[1].replaceChildren(...(apart.length ? [drawn.title, ...apart.map((row) => drawn.rows.get(row))] : []));
  markSorted();
  const all = state.table.rows.length;
  status.textContent = rows.length === all ? plural(all, "system") : `${count(rows.length)} of ${plural(all, "system")}`;
  markChosen();
  measureRooms();
};
const applyFilters = () => {
  const form = board.forms.indexOf(box("form").value), hasChanged = form !== state.form;
  state.form = form;
  for (const key of ["openness", "mark"]) table.getColumn(key).setFilterValue(box(key).value || undefined);
  const words = box("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  table.setGlobalFilter(words.length ? words : undefined);
  if (hasChanged) {
    table.getColumn("form").toggleVisibility(form >= 0);
    table.getColumn("value").toggleVisibility(form < 0 || !isNarrow());
    table.setSorting([form >= 0 ? { id: "form", desc: state.table.higher } : { id: "rank", desc: false }]);
    table.setOptions((before) => ({ ...before, data: [...state.table.rows] }));
  }
  drawTable();
};
const about = (of) => {
  const said = [`${plural(of.questions, "question")} in ${plural(of.groups, "group")}; intervals of 95 %, drawn from ${amount(of.scale[0], of.share)} to ${amount(of.scale[1], of.share)}.`];
  if (!of.higher) said.push("Less is better.");
  if (of.note) said.push(foreign(of.note));
  return said.flatMap((each) => [each, " "]);
};
const showTable = (wanted) => {
  state.table = wanted;
  state.chosen = [];
  fillChoices();
  $("table-note").replaceChildren(...about(wanted));
  table.setOptions((before) => ({ ...before, data: wanted.rows }));
  chooseColumns();
  applyFilters();
  drawFrontier();
};

/* Chosen systems: one marks all that are not separated from it, two stand side by side. */
const choose = (row) => {
  const at = state.chosen.indexOf(row);
  if (at >= 0) state.chosen.splice(at, 1);
  else state.chosen = [...state.chosen, row].slice(-2);
  markChosen();
  drawFrontier();
};
const markChosen = () => {
  const [one, other] = state.chosen;
  const isTied = (row) => state.chosen.length === 1 && row !== one && isSeparated(one, row) === false;
  for (const [row, line] of drawn.rows) {
    const isChosen = state.chosen.includes(row);
    line.querySelector("input").checked = isChosen;
    line.classList.toggle("chosen", isChosen);
    line.classList.toggle("tied", isTied(row));
    const tie = line.querySelector(".tie");
    tie.hidden = !isTied(row);
    tie.textContent = isTied(row) ? "not separated" : "";
  }
  $("choice").hidden = !one;
  $("choice").replaceChildren(...(one ? [make("p", null, ...saidOf(one, other))] : []));
  const said = $("choice").textContent;
  if ($("said").textContent !== said) $("said").textContent = said;
};
/* What the tests say of the chosen ones. */
const saidOf = (one, other) => {
  if (other) {
    const link = make("a", { class: "go", href: compareAddress(state.table, one.system, other.system) }, "Side by side");
    return [systemLink(one.system), " and ", systemLink(other.system), ` ${verdictOf(one, other)}. `, link];
  }
  const tied = tiesOf(one).length, more = ". Choose a second one to see both side by side.";
  if (!isRanked(one)) return ["Ranked apart, and not tested against the others: ", systemLink(one.system), more];
  return [`${plural(tied, "system")} ${tied === 1 ? "is" : "are"} not separated from `, systemLink(one.system), more];
};
const verdictOf = (one, other) => {
  const separated = isSeparated(one, other);
  return separated === null ? "are not tested against each other" : separated ? "are separated by the tests" : "are not separated: the difference may be chance";
};
