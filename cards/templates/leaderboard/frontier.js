/* Quality against cost: every system a point with its interval, the frontier a line, and the frontier as a table. */
const plot = $("plot");
const frontierState = { cost: null };
const shortName = (name) => (name.length > 26 ? `${name.slice(0, 25)}…` : name);
const ticksOf = (from, to, isLog) => {
  if (isLog) {
    const found = [];
    for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += 1) {
      for (const step of Math.log10(to / from) > 2.5 ? [1] : [1, 2, 5]) {
        const tick = step * 10 ** power;
        if (tick >= from * 0.999 && tick <= to * 1.001) found.push(tick);
      }
    }
    return found;
  }
  const rough = (to - from) / 5 || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const found = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to + step / 1e6; tick += step) found.push(Number(tick.toPrecision(12)));
  return found;
};
const scalesOf = (points, width, height) => {
  const costs = points.map((each) => each.cost), positive = costs.filter((each) => each > 0);
  const isLog = positive.length === costs.length && Math.max(...costs) / Math.min(...costs) > 10;
  let [from, to] = [Math.min(...costs), Math.max(...costs)];
  if (isLog) [from, to] = [from / 1.3, to * 1.3];
  else [from, to] = [Math.max(0, from - 0.08 * (to - from || to || 1)), to + 0.08 * (to - from || to || 1)];
  const values = points.flatMap((each) => [each.row.low, each.row.high, each.row.value]).filter(isNumber);
  const spread = Math.max(...values) - Math.min(...values) || 0.1;
  let low = Math.min(...values) - 0.06 * spread, high = Math.max(...values) + 0.06 * spread;
  if (points[0].row.table.share) [low, high] = [Math.max(0, low), Math.min(1, high)];
  const edge = { left: 58, right: 16, top: 14, bottom: 44 };
  const inner = [width - edge.left - edge.right, height - edge.top - edge.bottom];
  const share = isLog ? (cost) => Math.log(cost / from) / Math.log(to / from) : (cost) => (cost - from) / (to - from || 1);
  return {
    edge, width, height, from, to, low, high, isLog,
    x: (cost) => edge.left + inner[0] * share(cost),
    y: (value) => edge.top + inner[1] * (1 - (value - low) / (high - low || 1)),
  };
};
const axes = (scale, isShare, cost) => {
  const { edge, width, height, x, y } = scale, drawn = [];
  for (const tick of ticksOf(scale.low, scale.high, false)) {
    drawn.push(draw("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(tick), y2: y(tick) }),
      draw("text", { x: edge.left - 8, y: y(tick) + 4, "text-anchor": "end" }, isShare ? percent(tick, 0) : String(tick)));
  }
  let taken = -Infinity;
  for (const tick of ticksOf(scale.from, scale.to, scale.isLog)) {
    if (x(tick) - taken < 56) continue;
    taken = x(tick);
    drawn.push(draw("line", { class: "grid", x1: x(tick), x2: x(tick), y1: edge.top, y2: height - edge.bottom }),
      draw("text", { x: x(tick), y: height - edge.bottom + 18, "text-anchor": "middle" }, COST_NAMES[cost][2](tick)));
  }
  drawn.push(draw("text", { class: "axis", x: (edge.left + width - edge.right) / 2, y: height - 6, "text-anchor": "middle" }, COST_NAMES[cost][1]));
  return drawn;
};
const stairs = (points, scale) => {
  const [first, ...others] = points;
  let path = `M${scale.x(first.cost)} ${scale.y(first.row.value)}`;
  for (const each of others) path += `H${scale.x(each.cost)}V${scale.y(each.row.value)}`;
  return draw("path", { class: "stairs", d: `${path}H${scale.width - scale.edge.right}` });
};
const labels = (points, scale) => {
  const taken = [], drawn = [];
  for (const each of points) {
    const name = shortName(each.row.system.name), long = 7.5 * name.length;
    const x = scale.x(each.cost), y = scale.y(each.row.value);
    for (const [dx, dy, anchor] of [[8, -8, "start"], [-8, -8, "end"], [8, 17, "start"], [-8, 17, "end"]]) {
      const left = anchor === "start" ? x + dx : x + dx - long, top = y + dy - 10;
      const isFree = left > scale.edge.left && left + long < scale.width && top > 0
        && !taken.some(([l, t, r, b]) => left < r && left + long > l && top < b && top + 13 > t);
      if (!isFree) continue;
      taken.push([left, top, left + long, top + 13]);
      drawn.push(draw("text", { class: "label", x: x + dx, y: y + dy, "text-anchor": anchor }, name));
      break;
    }
  }
  return drawn;
};
const drawPlot = (points, cost) => {
  const width = Math.max(300, Math.min(1080, plot.clientWidth || 720)), height = width < 500 ? 320 : 420;
  const scale = scalesOf(points, width, height), best = points.filter((each) => each.isBest);
  const svg = draw("svg", { class: "plot", role: "img", width, height, viewBox: `0 0 ${width} ${height}`,
    "aria-label": `${state.table.metric} against ${COST_NAMES[cost][1]}: ${plural(points.length, "system")}, ${best.length} on the frontier, which the table below lists` });
  svg.append(...axes(scale, state.table.share, cost));
  if (best.length) svg.append(stairs(best, scale));
  for (const each of [...points.filter((one) => !one.isBest), ...best]) {
    const { row } = each, x = scale.x(each.cost), isChosen = state.chosen.includes(row);
    const point = draw("g", { class: `point${each.isBest ? " best" : ""}${isChosen ? " chosen" : ""}`, click: () => (location.hash = systemAddress(row.system)) },
      draw("title", null, `${row.system.name}: ${amount(row.value, state.table.share)} (${interval(row.low, row.high, state.table.share)}), ${COST_NAMES[cost][2](each.cost)}`));
    if (isNumber(row.low) && isNumber(row.high)) point.append(draw("line", { x1: x, x2: x, y1: scale.y(row.low), y2: scale.y(row.high) }));
    point.append(draw("circle", { cx: x, cy: scale.y(row.value), r: each.isBest || isChosen ? 5.5 : 4 }));
    svg.append(point);
  }
  svg.append(...labels(best, scale));
  return svg;
};
const frontierTable = (best, cost) =>
  plainTable("On the frontier: no other system is at least as good for less", [["System"], [COST_NAMES[cost][0]], [state.table.metric], ["95 %"], ["Rank"]],
    best.map(({ row, cost: paid }) => cells(systemLink(row.system), ...[COST_NAMES[cost][2](paid), amount(row.value, state.table.share), interval(row.low, row.high, state.table.share), ranks(row.best, row.worst)].map((each) => make("td", { class: "nowrap" }, each)))));
const drawFrontier = () => {
  const { table: of } = state;
  const known = board.costs.filter((name, at) => of.rows.some((row) => isRanked(row) && isNumber(row.value) && isNumber(row.costs[at])));
  if (!known.length) return plot.replaceChildren(make("p", { class: "unavailable" }, "No system of this table says what an answer costs."));
  if (!known.includes(frontierState.cost)) [frontierState.cost] = known;
  const cost = frontierState.cost, at = board.costs.indexOf(cost);
  const points = of.rows.filter((row) => isRanked(row) && isNumber(row.value) && isNumber(row.costs[at]))
    .map((row) => ({ row, cost: row.costs[at], isBest: Boolean(row.frontier & (1 << at)) }))
    .sort((one, other) => one.cost - other.cost || one.row.value - other.row.value);
  const best = points.filter((each) => each.isBest);
  const missing = of.ranked - points.length;
  const choice = make("select", { change: (event) => {
    frontierState.cost = event.target.value;
    drawFrontier();
    plot.querySelector("select").focus();
  } }, known.map((name) => make("option", { value: name, selected: name === cost }, COST_NAMES[name][1])));
  return plot.replaceChildren(
    make("div", { class: "filters one" }, make("label", null, "Cost ", choice)),
    drawPlot(points, cost),
    make("p", { class: "small soft" }, `As submitters say.${missing ? ` ${plural(missing, "system")} ${missing === 1 ? "says" : "say"} nothing of it.` : ""}`),
    frontierTable(best, cost),
  );
};
