/* Elements, figures and addresses. Every text becomes a text node: nothing that a submitter wrote is read as markup. */
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  return dress(element, attributes, children);
};
const draw = (tag, attributes, ...children) => dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const dress = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};
const foreign = (text, name) => make("bdi", { class: name }, text);
const soft = (...children) => make("span", { class: "soft" }, ...children);
const pill = (text, tone, title) => make("span", { class: `pill ${tone || "quiet"}`, title }, text);
const $ = (id) => document.getElementById(id);

const NONE = "–";
const isNumber = (value) => typeof value === "number";
const count = (value) => (isNumber(value) ? value.toLocaleString("en") : NONE);
const percent = (value, digits = 1) => (isNumber(value) ? `${(100 * value).toFixed(digits)} %` : NONE);
const amount = (value, isShare) => (isShare ? percent(value) : isNumber(value) ? value.toFixed(2) : NONE);
const interval = (low, high, isShare) => {
  if (!isNumber(low) || !isNumber(high)) return NONE;
  return isShare ? `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}` : `${low.toFixed(2)} to ${high.toFixed(2)}`;
};
const money = (value) => (!isNumber(value) ? NONE : value === 0 ? "$0" : value >= 1 ? `$${value.toFixed(2)}` : `$${Number(value.toPrecision(2))}`);
const seconds = (value) => (!isNumber(value) ? NONE : value >= 0.1 || value === 0 ? `${value.toFixed(2)} s` : `${Number((1000 * value).toPrecision(3))} ms`);
const tidy = (value) => (!isNumber(value) ? NONE : value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3))));
const ranks = (low, high) => (!low ? NONE : low === high ? String(low) : `${low}–${high}`);
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

/* A value and its interval on a scale. The figures beside it say the same. */
const drawnInterval = (value, low, high, [from, to], name) => {
  if (!isNumber(value) || !isNumber(low) || !isNumber(high) || to <= from) return null;
  const at = (each) => Math.max(0, Math.min(100, (100 * (each - from)) / (to - from)));
  const span = make("i"), mark = make("b");
  span.style.left = `${at(low)}%`;
  span.style.width = `${at(high) - at(low)}%`;
  mark.style.left = `${at(value)}%`;
  return make("span", { class: `iv ${name || ""}`, "aria-hidden": "true" }, span, mark);
};

/* A table that is wider than its room is scrolled, by keyboard too. */
const room = (table, label) => make("div", { class: "scroll", "data-label": label }, table);
const measureRooms = () => {
  const rooms = [...document.querySelectorAll(".scroll")].map((each) => [each, each.scrollWidth > each.clientWidth]);
  for (const [each, scrolls] of rooms) {
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", each.dataset.label]]) {
      if (scrolls) each.setAttribute(name, value);
      else each.removeAttribute(name);
    }
  }
};
const plainTable = (caption, heads, rows, name) =>
  room(
    make(
      "table",
      { class: name || "fit" },
      make("caption", null, make("span", null, caption)),
      make("thead", null, make("tr", null, heads.map(([text, name]) => make("th", { scope: "col", class: name === true ? "text" : name }, text)))),
      rows[0]?.tagName === "TBODY" ? rows : make("tbody", null, rows),
    ),
    caption,
  );
const cells = (head, ...others) => make("tr", null, make("th", { scope: "row" }, head), others.map((each) => (each instanceof Element && each.tagName === "TD" ? each : make("td", null, each))));
const textCell = (...children) => make("td", { class: "text" }, ...children);
