/* A system's own page, and two systems side by side. */
const SLICE_NAMES = { form: "Form", kind: "Kind", hops: "Facts combined", answerability: "Answerable", subset: "Subset" };
const term = (name, ...children) => [make("dt", null, name), make("dd", null, ...children)];
const heading = (text, level = "h3") => make(level, null, text);
const back = () => make("p", { class: "buttons" }, make("a", { href: rankingAddress() }, "← Ranking"));
const outside = (address, text) => make("a", { href: address, rel: "noopener noreferrer nofollow ugc", target: "_blank" }, text);
const hostOf = (address) => {
  try {
    return new URL(address).hostname;
  } catch {
    return "link";
  }
};
const rowsOf = (system) => board.tables.flatMap((each) => each.rows.filter((row) => row.system === system));

const aboutSystem = (system) => make("dl", null,
  term("Submitted by", foreign(system.submitter), system.organisers ? " (organisers)" : "", system.submitted ? ` on ${system.submitted.slice(0, 10)}` : "", " · ",
    outside(`${board.address}/discussions/${system.number}`, `pull request ${system.number}`)),
  system.authors && term("Authors", system.authors.flatMap((each, at) => [at ? ", " : "", foreign(each)])),
  system.organisation && term("Organisation", foreign(system.organisation)),
  system.models ? term("Models", system.models.flatMap(([role, name], at) => [at ? "; " : "", foreign(role), ": ", foreign(name)])) : term("Models", "none"),
  term("Retriever", foreign(system.retriever || NONE)),
  term("Openness", foreign(system.openness || NONE), " · licence: ", foreign(system.licence || "unknown")),
  system.link && term("Link", outside(system.link, foreign(hostOf(system.link)))),
  system.builders && term("Builders", "who built the benchmark had part in this system"),
  system.round && term("Round", foreign(system.round)),
  term("Contexts", system.noContexts ? "not handed in: retrieval figures could not be computed again" : "handed in"),
);
const partsTable = (system) =>
  plainTable("What was answered", [["Part"], ["Questions"], ["Answered"], ["Abstained"], ["Errors"], ["Missing"]],
    system.parts.map(([split, ...counts]) => cells(partName(split), ...counts.map(count))));
const standingTable = (rows) =>
  plainTable("Where it stands", [["Table"], ["Rank"], ["Value"], ["95 %"], ["Drawn", "bars text"], ["Not separated from"], ["Figures", true]], rows.map((row) =>
    cells(foreign(row.table.title), nowrap(ranks(row.best, row.worst), isRanked(row) ? ` of ${row.table.ranked}` : ""), nowrap(amount(row.value, row.table.share)), nowrap(interval(row.low, row.high, row.table.share)),
      make("td", { class: "bars" }, drawnInterval(row.value, row.low, row.high, row.table.scale)), nowrap(isRanked(row) ? tiesOf(row).length ? plural(tiesOf(row).length, "system") : "none" : NONE),
      textCell(row.verified ? "verified" : "claimed", row.undecided ? `, ${count(row.undecided)} undecided` : "", row.apart ? ["; apart: ", foreign(row.apart)] : null))), "wide");
const costList = (row) => {
  const known = board.costs.flatMap((name, at) => (isNumber(row.costs[at]) ? term(COST_NAMES[name][1], COST_NAMES[name][2](row.costs[at])) : []));
  return known.length ? make("dl", null, known) : make("p", { class: "unavailable" }, "The submission says nothing of costs.");
};
const nowrap = (...children) => make("td", { class: "nowrap" }, ...children);
/* Bodies of slices, a heading for each sort. */
const bySort = (slices, columns, row) => [...new Set(slices.map(([sort]) => sort))].map((sort) => make("tbody", null,
  make("tr", null, make("th", { class: "sort-of", scope: "rowgroup", colspan: columns }, SLICE_NAMES[sort] || foreign(sort))),
  slices.filter((each) => each[0] === sort).map(row)));
const slicesTable = (details) =>
  plainTable(`Where it is weak: ${details.metric} by sort of question`, [["Questions", true], ["Count"], [details.metric], ["95 %"], ["Drawn", "bars text"]],
    bySort(details.slices, 5, ([, value, questions, mean, low, high]) => cells(foreign(value), nowrap(count(questions)), nowrap(amount(mean, details.share)), nowrap(interval(low, high, details.share)),
      make("td", { class: "bars" }, drawnInterval(mean, low, high, details.range)))));
const shareOf = ({ share }, mean) => pill(share ? percent(mean, 0) : amount(mean, share), mean > 0 ? "mixed" : "bad");
const worstList = (details) => make("div", null,
  heading("Its worst groups of questions"),
  make("p", { class: "soft" }, details.groups ? `Of ${plural(details.groups, "group")} of questions that mean the same, ${count(details.wrongGroups)} ${details.wrongGroups === 1 ? "is" : "are"} wrong throughout.` : ""),
  details.worst.map(([mean, questions, question, gold, answer]) => make("div", { class: "worst" },
    make("p", null, shareOf(details, mean), foreign(question), soft(` (${plural(questions, "question")})`)),
    make("dl", null, term("Gold", foreign(gold, "strong")), term("Answer", answer === null ? soft("none") : foreign(answer))))));
const figuresTable = (figures) => Object.entries(figures).map(([part, rows]) => {
  return plainTable(`All figures: ${partName(part)}`, [["Metric"], ["Value"], ["95 %"], ["Scored"], ["As claimed"], ["Figures", true]], rows.map((row) =>
    cells(foreign(row[0]), nowrap(amount(row[1], row[8])), nowrap(interval(row[2], row[3], row[8])), nowrap(`${count(row[4])} of ${count(row[5])}`), nowrap(amount(row[7], row[8])), textCell(row[6] ? "verified" : "claimed"))), "wide");
});

const show = (title, ...children) => {
  const one = $("one");
  one.replaceChildren(make("div", null, back(), make("h2", { id: "one-title", tabindex: "-1" }, foreign(title)), ...children));
  leave();
  one.hidden = false;
  document.title = `${title} – ${boardTitle}`;
  scrollTo({ top: 0, behavior: "instant" });
  $("one-title").focus({ preventScroll: true });
  measureRooms();
};
const showSystem = async (place) => {
  const system = named(place);
  if (!system) return show("No such system", make("p", null, "This leaderboard has no submission ", foreign(place), "."));
  const rows = rowsOf(system), more = make("div", null, make("p", { class: "soft" }, "…"));
  show(system.name,
    make("p", { class: "marks" }, rows.length ? marks(rows[0]) : []),
    system.description && make("p", null, foreign(system.description)),
    system.flags && make("div", { class: "notice", role: "note" }, system.flags.map((each) => make("p", null, foreign(each)))),
    aboutSystem(system), standingTable(rows), system.parts.length ? partsTable(system) : null, heading("What it costs"), costList(rows[0]), more);
  try {
    const details = await detailsOf(system);
    more.replaceChildren(...[
      details.slices?.length ? slicesTable(details) : null,
      details.worst?.length ? worstList(details) : null,
      ...figuresTable(details.figures),
    ].filter(Boolean));
  } catch (error) {
    more.replaceChildren(make("p", { class: "unavailable" }, `More cannot be read: ${error.message}`));
  }
  return measureRooms();
};

const both = (name, one, other) => cells(name, make("td", null, one), make("td", null, other));
const valueAndInterval = (row) => [make("span", { class: "nowrap" }, amount(row.value, row.table.share)), " ", drawnInterval(row.value, row.low, row.high, row.table.scale), " ", make("span", { class: "soft small nowrap" }, interval(row.low, row.high, row.table.share))];
const comparedSlices = (one, other, details) => {
  const [left, right] = details.map((each) => new Map((each.slices || []).map((slice) => [`${slice[0]}\n${slice[1]}`, slice])));
  const shared = [...left.keys()].filter((key) => right.has(key));
  if (!shared.length || details[0].metric !== details[1].metric) return null;
  const cell = ([, , , mean, low, high]) => make("td", null, make("span", { class: "nowrap" }, amount(mean, details[0].share)), " ", drawnInterval(mean, low, high, details[0].range));
  return plainTable(`${details[0].metric} by sort of question`, [["Questions", true], [foreign(one.name)], [foreign(other.name)], ["Difference"]], bySort(shared.map((key) => left.get(key)), 4, (a) => {
    const b = right.get(`${a[0]}\n${a[1]}`), difference = (details[0].share ? 100 : 1) * (a[3] - b[3]);
    return cells(foreign(a[1]), cell(a), cell(b), nowrap(`${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(1)}`));
  }));
};
const worstBeside = (system, details) => make("div", null, heading(foreign(system.name)), details.worst?.length
  ? details.worst.map(([mean, , question, gold, answer]) => make("div", { class: "worst" }, make("p", null, shareOf(details, mean), foreign(question)),
    make("p", { class: "small" }, soft("gold "), foreign(gold), soft(" · answer "), answer === null ? soft("none") : foreign(answer))))
  : make("p", { class: "unavailable" }, "Nothing is kept of its groups."));
const showTwo = async (place, otherPlace, at) => {
  const of = board.tables[at], systems = [named(place), named(otherPlace)];
  const rows = of && systems.map((system) => of.rows.find((row) => row.system === system));
  if (!rows || !rows[0] || !rows[1]) return show("No such pair", make("p", null, "This table does not hold both systems."));
  const [one, other] = rows, [a, b] = systems, more = make("div", null, make("p", { class: "soft" }, "…"));
  const line = (name, get) => both(name, get(one), get(other));
  const separated = isSeparated(one, other);
  show(`${a.name} and ${b.name}`,
    make("p", null, pill(separated ? "separated" : separated === null ? "not tested" : "not separated", separated ? "good" : "mixed"), `The two ${verdictOf(one, other)}.`),
    plainTable(of.title, [["What"], [systemLink(a)], [systemLink(b)]], [
      line("Rank", (row) => ranks(row.best, row.worst)), line(foreign(of.metric), valueAndInterval), line("Abstained", (row) => percent(row.abstained)),
      line("Errors", (row) => percent(row.failed)), line("Coverage", (row) => percent(row.coverage)), line("Figures", (row) => (row.verified ? "verified" : "claimed")),
      ...board.costs.flatMap((name, cost) => (isNumber(one.costs[cost]) || isNumber(other.costs[cost]) ? [line(COST_NAMES[name][1], (row) => COST_NAMES[name][2](row.costs[cost]))] : [])),
      line("Openness", (row) => foreign(row.system.openness || NONE)), line("Retriever", (row) => foreign(row.system.retriever || NONE)),
      line("Models", (row) => foreign((row.system.models || []).map((each) => each[1]).join(", ") || "none")),
    ], "pair"), more);
  try {
    const details = await Promise.all(systems.map(detailsOf));
    more.replaceChildren(...[comparedSlices(a, b, details), heading("Their worst groups"), make("div", { class: "beside of2" }, worstBeside(a, details[0]), worstBeside(b, details[1]))].filter(Boolean));
  } catch (error) {
    more.replaceChildren(make("p", { class: "unavailable" }, `More cannot be read: ${error.message}`));
  }
  return measureRooms();
};
