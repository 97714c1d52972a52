/* What the page is drawn from, as cards/leaderboard/page_data.py writes it. */
const board = JSON.parse($("data").textContent);
const COST_NAMES = {
  cost: ["Dollars", "US dollars for an answer", money],
  tokens: ["Tokens", "tokens read and written for an answer", tidy],
  latency: ["Time", "seconds for an answer", seconds],
  retrievals: ["Retrievals", "retrievals for an answer", tidy],
};
const PART_NAMES = { test: "open questions", heldout: "held-out questions", fresh: "fresh names of a round", kept: "kept names of a round" };
const partName = (part) => PART_NAMES[part] || part;

/* Where drawn intervals begin and end: round figures about what there is to draw. */
const scaleOf = (drawn, isShare) => {
  if (!drawn.length) return [0, 1];
  const [from, to] = drawn.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [Infinity, -Infinity]);
  const step = isShare ? 0.05 : 10 ** Math.floor(Math.log10(to - from || 1)) / 2;
  return [step * Math.floor(from / step), step * Math.ceil(to / step + 1e-9)];
};

board.systems.forEach((system, at) => {
  system.at = at;
  system.parts ||= [];
  system.haystack = [system.name, system.submitter, system.organisation, system.retriever, system.place, ...(system.authors || []), ...(system.models || []).map((each) => each[1])]
    .join("\n").toLowerCase();
});
board.tables.forEach((table, at) => {
  table.at = at;
  table.title = `${table.benchmark} ${table.version}, ${partName(table.part)}: ${table.metric}${table.judge ? ` by ${table.judge}` : ""}`;
  table.share = table.range[0] === 0 && table.range[1] === 1;
  table.bits = Uint8Array.from(atob(table.separated), (character) => character.charCodeAt(0));
  table.rows = table.rows.map(([place, value, low, high, best, worst, coverage, verified, frontier, apart, costs, undecided], row) => {
    const system = board.systems[place];
    const part = system.parts.find((each) => each[0] === table.part) || (table.part !== "heldout" && system.parts[0]) || [];
    const share = (number) => (part[1] ? number / part[1] : undefined);
    return {
      row, system, table, value, low, high, best, worst, coverage, verified, frontier, apart, costs, undecided,
      abstained: share(part[3]), failed: share(part[4]), missing: part[5],
    };
  });
  const drawn = table.rows.flatMap((each) => [each.low, each.high, each.value]).filter(isNumber);
  table.scale = scaleOf(drawn, table.share);
});

const isRanked = (row) => row.row < row.table.ranked;
const isSeparated = (one, other) => {
  const { bits, ranked } = one.table;
  if (!isRanked(one) || !isRanked(other)) return null;
  return Boolean(bits[one.row * Math.ceil(ranked / 8) + (other.row >> 3)] & (1 << (other.row & 7)));
};
const tiesOf = (one) => one.table.rows.filter((row) => row !== one && isSeparated(one, row) === false);
const systemAddress = (system) => `#system=${encodeURIComponent(system.place)}`;
const compareAddress = (table, one, other) =>
  `#compare=${encodeURIComponent(one.place)}&with=${encodeURIComponent(other.place)}&table=${table.at}`;
const named = (place) => board.systems.find((each) => each.place === place);
const systemLink = (system) => make("a", { href: systemAddress(system) }, foreign(system.name));

/* The details of systems are packed together; a pack is unpacked when one of its systems is opened. */
const unpacked = new Map();
const detailsOf = async (system) => {
  const pack = Math.floor(system.at / board.chunk);
  if (!unpacked.has(pack)) {
    const text = document.querySelector(`script[data-pack="${pack}"]`).textContent;
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    unpacked.set(pack, new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json());
  }
  const found = (await unpacked.get(pack))[system.at % board.chunk];
  found.share = !found.range || (found.range[0] === 0 && found.range[1] === 1);
  return found;
};
const marks = (row) => {
  const { system } = row;
  return [
    row.verified ? pill("verified", "good", "computed again from the predictions") : pill("claimed", "mixed", "as the submitter says"),
    system.organisers && pill("organisers’", "quiet", "submitted by who keeps this leaderboard"),
    system.builtIn && pill("built-in", "quiet", "answered by a program of rules, for trying things out"),
    system.builders && pill("benchmark’s builders", "quiet", "who built the benchmark had part in the system"),
    system.flags && pill("note", "bad", system.flags.join("; ")),
  ];
};
