/* Addresses, who moved, and the start. `#ranking?…` holds the filters, `#system=…` a system, `#compare=…` two. */
const boardTitle = document.title;
const CHOICES = ["form", "openness", "mark", "text"];
const rankingAddress = () => {
  const said = new URLSearchParams(KEYS.map((key) => [key, keyOf(state.table, key)]));
  for (const key of CHOICES) if (box(key).value) said.set(key, box(key).value);
  const by = sorting();
  if (by && (by.id !== "rank" || by.desc)) said.set("sort", `${by.desc ? "-" : ""}${by.id}`);
  return `#ranking?${said}`;
};
const remember = () => {
  try {
    history.replaceState(null, "", rankingAddress());
  } catch {
    /* a page within another may have no address of its own */
  }
};
/* Who comes back to the ranking finds it where it was, at the link that was followed. */
const left = { scroll: 0, link: null };
const leave = () => {
  if ($("board").hidden) return;
  Object.assign(left, { scroll: scrollY, link: $("board").contains(document.activeElement) ? document.activeElement : null });
  $("board").hidden = true;
};
const showBoard = () => {
  const wasElsewhere = $("board").hidden;
  $("one").hidden = true;
  $("board").hidden = false;
  document.title = boardTitle;
  if (wasElsewhere) {
    drawFrontier();
    measureRooms();
  }
  return wasElsewhere;
};
const applyAddress = (said) => {
  const wanted = new URLSearchParams(said);
  const [found] = KEYS.reduce((tables, key) => {
    const kept = tables.filter((each) => keyOf(each, key) === wanted.get(key));
    return kept.length ? kept : tables;
  }, board.tables);
  for (const key of CHOICES) {
    box(key).value = wanted.get(key) ?? "";
    if (box(key).selectedIndex === -1) box(key).value = "";
  }
  showTable(found);
  const sort = wanted.get("sort") ?? "", id = sort.replace(/^-/, "");
  if (columnOf(id)) {
    table.setSorting([{ id, desc: sort.startsWith("-") }]);
    drawTable();
  }
};
const follow = () => {
  const [place, said] = location.hash.replace(/^#/, "").split("?");
  const asked = new URLSearchParams(place);
  if (asked.has("system")) return showSystem(asked.get("system"));
  if (asked.has("compare")) return showTwo(asked.get("compare"), asked.get("with"), Number(asked.get("table")));
  const wasElsewhere = showBoard(), isRanking = place === "ranking" && said !== undefined;
  if (isRanking && `#ranking?${said}` !== rankingAddress()) applyAddress(said);
  if (wasElsewhere && (isRanking || !place)) {
    scrollTo({ top: left.scroll, behavior: "instant" });
    (left.link?.isConnected ? left.link : $("ranking-title")).focus({ preventScroll: true });
  } else if (!isRanking) $(place)?.scrollIntoView({ behavior: "instant" });
  return undefined;
};

const drawMoves = () => {
  const spread = ([value, best, worst]) => (isNumber(value) ? `${tidyValue(value)} (rank ${ranks(best, worst)})` : NONE);
  const tidyValue = (value) => (value >= 0 && value <= 1 ? percent(value) : value.toFixed(2));
  const rows = board.moves.map((move) => {
    const system = named(`${move.benchmark}/${move.version}/${move.system}`);
    return make("tr", null, make("th", { scope: "row" }, system ? systemLink(system) : foreign(move.system)),
      textCell(foreign(`${move.benchmark} ${move.version}, ${partName(move.part)}: ${move.metric}`)), textCell(spread(move.before)), textCell(spread(move.after)),
      textCell(foreign(move.why)), make("td", { class: "nowrap" }, move.when.slice(0, 10)));
  });
  const heads = ["System", "Table", "Before", "After", "Why", "When"];
  $("moves-room")?.append(make("table", { class: "wide" }, make("caption", { class: "unseen" }, "Who moved"),
    make("thead", null, make("tr", null, heads.map((text, at) => make("th", { scope: "col", class: at < 5 && "text" }, text)))), make("tbody", null, rows)));
};
const points = (value) => (isNumber(value) ? `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)}` : NONE);
const drawRound = (round) => {
  const when = (text) => text.slice(0, 16).replace("T", " ");
  const facts = make("dl", null,
    term("Edition", outside(`${board.hub}/datasets/${round.edition}`, foreign(round.edition)), `: ${plural(round.questions, "question")} in ${plural(round.groups, "group")}`),
    term("Times", `opened ${when(round.opened)}, commitments until ${when(round.closes)}, answers until ${when(round.revealed_until)}, by the Hub’s clock`),
    term("Commitment", make("code", null, round.commitment)),
    term("Revealed", round.answers ? foreign(round.answers) : "not yet"));
  const rows = round.teams.map(([team, name, state, reason, gain, low, high]) => {
    const system = name && named(`${round.benchmark}/${round.version}/${name}`);
    return cells(foreign(team), textCell(system ? systemLink(system) : foreign(name || NONE)), textCell(state, reason ? ": " : "", reason ? foreign(reason) : ""),
      nowrap(isNumber(gain) ? `${points(gain)} points` : NONE), nowrap(isNumber(low) ? `${points(low)} to ${points(high)}` : NONE));
  });
  const heads = [["Team"], ["System", true], ["Outcome", true], ["Memorisation gap"], ["95 %"]];
  return [make("h3", null, foreign(round.name)), facts, rows.length ? plainTable(`Teams of ${round.name}`, heads, rows, "wide") : null,
    round.late.length ? make("p", { class: "small soft" }, "Too late to count: ", foreign(round.late.join(", "))) : null].filter(Boolean);
};
const introduce = () => {
  const submitters = new Set(board.systems.map((each) => each.submitter)), names = new Set(board.tables.map((each) => `${each.benchmark} ${each.version}`));
  const [first] = names;
  $("about").textContent = `${plural(board.systems.length, "submission")} of ${plural(submitters.size, "submitter")} on ${names.size === 1 ? first : plural(names.size, "version")}${names.size === 1 ? "" : " of benchmarks"}.`;
  $("repository").href = board.address;
};

const start = () => {
  introduce();
  drawMoves();
  $("round-list")?.append(...board.rounds.flatMap(drawRound));
  const first = board.tables.find((each) => each.rows.length);
  if (first) {
    buildFilters();
    showTable(first);
    follow();
    addEventListener("hashchange", follow);
  } else {
    status.textContent = "No system is ranked yet.";
    plot.append(make("p", { class: "unavailable" }, "No system is ranked yet."));
  }
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $($("board").hidden ? "one-title" : "ranking-title").focus();
  });
  let measuring, width = innerWidth;
  addEventListener("resize", () => {
    clearTimeout(measuring);
    measuring = setTimeout(() => {
      if (innerWidth === width) return;
      width = innerWidth;
      if (first && !$("board").hidden) drawFrontier();
      measureRooms();
    }, 150);
  });
  measureRooms();
  document.documentElement.setAttribute("data-ready", String(Math.round(performance.now())));
};
start();
