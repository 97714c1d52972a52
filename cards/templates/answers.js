/* The list of answers: reads the blocks that cards/report/answer_data.py writes, searches, filters, and draws a page of
   rows. Every text becomes a text node: nothing that a release or a system wrote is ever read as markup. */
(() => {
  "use strict";
  const PAGE = 50;
  const list = document.querySelector(".answers");
  if (!list) return;
  const section = list.closest("section");
  const rows = list.querySelector(".rows"), status = list.querySelector(".status"), page = list.querySelector(".page");
  const back = list.querySelector(".back"), on = list.querySelector(".on");
  const text = list.querySelector("[name=text]"), gold = list.querySelector("[name=document]");
  const facets = [...list.querySelectorAll("select")];
  const head = document.querySelector("script[data-answers]");
  const number = (value) => value.toLocaleString("en");
  const data = { question: [], gold: [], answer: [], id: [], documents: [], repeat: [], codes: {} };
  const opened = new Map();
  let settings, haystack, matches = [], first = 0, isReady = false;

  const unpack = async (block) => {
    const packed = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };

  const load = async () => {
    if (!head) throw new Error("this page was made without its answers: score the system again");
    settings = await unpack(head);
    for (const block of document.querySelectorAll("script[data-index]")) {
      const part = await unpack(block);
      for (const name of ["question", "gold", "answer", "id"]) for (const each of part[name]) data[name].push(each);
      for (const each of part.documents) data.documents.push(each.map((place) => part.names[place]));
      for (const each of part.repeat || []) data.repeat.push(each);
      for (const [key, codes] of Object.entries(part.codes)) {
        for (const code of codes) (data.codes[key] ||= []).push(code);
      }
      block.remove();
    }
    isReady = true;
  };

  /* Elements. A child is an element or a text; a text of others stands in <bdi>. */
  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const foreign = (said, name) => make("bdi", name, said);
  const tones = { correct: "good", wrong: "bad" };
  const named = (key, row) => {
    const facet = facets.find((each) => each.name === key);
    const option = facet && data.codes[key][row] >= 0 ? facet.options[data.codes[key][row] + 1] : null;
    return option ? option.text.replace(/ \([\d,]+\)$/, "") : null;
  };
  const value = (key, row) => {
    const facet = facets.find((each) => each.name === key);
    return facet && data.codes[key][row] >= 0 ? facet.options[data.codes[key][row] + 1].value : null;
  };

  const details = (row) => {
    const block = Math.floor(row / settings.details);
    if (!opened.has(block)) {
      if (opened.size > 30) opened.delete(opened.keys().next().value);
      opened.set(block, unpack(document.querySelector(`script[data-details="${block * settings.details}"]`)));
    }
    return opened.get(block).then((part) => ({ ...part.rows[row % settings.details], texts: part.texts }));
  };
  const marked = (stretches) =>
    make("bdi", "", ...stretches.map((each) => (Array.isArray(each) ? make("mark", "", each[0]) : each)));

  const context = (texts, [name, place, held, isForeign], at) => {
    const label = [`${at + 1}. `, name === null ? null : foreign(name)];
    if (held !== null) label.push(make("span", held ? "pill good" : "pill quiet", held ? "holds evidence" : "no evidence"));
    if (isForeign) label.push(make("span", "pill quiet", "not from the corpus"));
    if (place < 0) {
      const why = settings.length ? "given by its id alone" : "left out: see predictions.jsonl";
      return make("p", "small", ...label, make("span", "soft", ` ${why}`));
    }
    const folded = make("details", "", make("summary", "", ...label), make("div", "inside", make("p", "", marked(texts[place]))));
    folded.open = Boolean(held);
    return folded;
  };
  /* A step of a judgment: what was asked, the verdicts beside what they are on, and how the score came about. */
  const step = ({ title, prompt, lines, columns, rows, more, arithmetic, error }) => {
    const item = make("li", "", make("strong", "", title), prompt ? make("span", "soft", ` prompt ${prompt}`) : null);
    for (const each of lines || []) item.append(make("p", "small", foreign(each)));
    if (rows) {
      const head = make("tr", "", ...columns.map((each) => make("th", "", foreign(each))));
      const body = rows.map((row) => make("tr", "", ...row.map((cell) => make("td", "", foreign(cell)))));
      const table = make("table", "", make("thead", "", head), make("tbody", "", ...body));
      item.append(make("div", "scroll", table));
    }
    if (more) item.append(make("p", "small soft", `${number(more)} more: see judgments.jsonl`));
    if (arithmetic) item.append(make("p", "", make("strong", "", foreign(arithmetic))));
    if (error) item.append(make("p", "small", "error: ", foreign(error)));
    return item;
  };
  const judged = ([metric, value, reason, judge, steps]) => {
    const label = [foreign(metric), ` ${value ?? "unscored"} `, make("span", "soft", "by ", foreign(judge))];
    const told = reason && !steps.some((each) => each.arithmetic === reason) ? make("p", "small soft", foreign(reason)) : null;
    return make("details", "", make("summary", "", ...label), make("div", "inside", told, make("ol", "steps", ...steps.map(step))));
  };
  const panel = (title, ...children) => make("div", "", make("p", "label", title), ...children);
  const term = (list, name, ...children) => list.append(make("dt", "", name), make("dd", "", ...children));

  const fill = async (inside, row) => {
    let found;
    try {
      found = await details(row);
    } catch (error) {
      inside.replaceChildren(make("p", "unavailable", `It cannot be read: ${error.message}`));
      return;
    }
    const told = make("dl", "");
    term(told, "Gold", foreign(found.gold || data.gold[row] || "–", "strong"));
    for (const [name, place] of found.evidence || []) {
      if (place < 0) term(told, "Evidence", make("span", "soft", "the corpus does not hold it "), foreign(name, "soft"));
      else term(told, "Evidence", marked(found.texts[place]), " ", foreign(name, "soft"));
    }
    const cause = named("cause", row);
    if (cause) term(told, "Cause", cause);
    const facts = ["form", "kind", "hops", "subset", "template"].filter((key) => value(key, row));
    const about = facts.flatMap((key) => [` · ${key} `, foreign(value(key, row))]);
    term(told, "Question", foreign(data.id[row]), ...about);
    const said = found.answer || data.answer[row];
    const answer = [make("p", "", pill(row), said ? foreign(said) : make("span", "soft", "no answer"))];
    if (found.error) answer.push(make("p", "small soft", "error: ", foreign(found.error)));
    if (found.verdict) answer.push(make("p", "small soft", foreign(found.verdict)));
    const contexts = (found.contexts || []).map((each, at) => context(found.texts, each, at));
    if (!contexts.length) contexts.push(make("p", "soft", "none"));
    if (found.more) {
      const among = found.evidence_in_more ? "; evidence is among them" : "";
      contexts.push(make("p", "small soft", `${number(found.more)} more${among}`));
    }
    const asked = make("p", "", foreign(found.question || data.question[row]));
    inside.replaceChildren(
      told,
      make("div", "beside of3", panel("Question", asked), panel("Answer", ...answer), panel("Contexts", ...contexts)),
      found.judged ? make("div", "beside", panel("How it was judged", ...found.judged.map(judged))) : "",
    );
  };

  const pill = (row) => {
    const outcome = value("outcome", row) || "unscored";
    return make("span", `pill ${tones[outcome] || "quiet"}`, outcome);
  };
  const line = (row) => {
    const repeat = data.repeat[row] ? ` (repeat ${data.repeat[row]})` : "";
    const answered = data.answer[row] === null ? " – no answer" : " – answered ";
    const summary = make("summary", "", pill(row), foreign(data.question[row]), repeat);
    summary.append(make("span", "soft", answered, data.answer[row] === null ? null : foreign(data.answer[row])));
    const inside = make("div", "inside", make("p", "soft", "…"));
    const folded = make("details", "", summary, inside);
    folded.addEventListener("toggle", () => folded.open && fill(inside, row), { once: true });
    return folded;
  };

  const draw = () => {
    rows.replaceChildren(...matches.slice(first, first + PAGE).map(line));
    const last = Math.min(first + PAGE, matches.length), all = data.id.length;
    status.textContent = matches.length === all ? `${number(all)} questions` : `${number(matches.length)} of ${number(all)} questions`;
    page.textContent = matches.length ? `${number(first + 1)} to ${number(last)}` : "";
    back.disabled = first === 0;
    on.disabled = last >= matches.length;
  };

  const wanted = () => Object.fromEntries([...facets, text, gold].filter((each) => each.value).map((each) => [each.name, each]));
  const filter = () => {
    if (!isReady) return;
    const terms = text.value.toLowerCase().split(/\s+/).filter(Boolean), name = gold.value.trim().toLowerCase();
    if (terms.length && !haystack) {
      haystack = data.id.map((id, row) => `${data.question[row]}\n${data.answer[row] ?? ""}\n${data.gold[row]}\n${id}`.toLowerCase());
    }
    const chosen = facets.filter((each) => each.selectedIndex > 0).map((each) => [data.codes[each.name], each.selectedIndex - 1]);
    matches = [];
    for (let row = 0; row < data.id.length; row += 1) {
      if (chosen.every(([codes, code]) => codes[row] === code)
        && terms.every((term) => haystack[row].includes(term))
        && (!name || data.documents[row].some((each) => each.toLowerCase().includes(name)))) matches.push(row);
    }
    first = 0;
    draw();
  };
  const address = () => {
    const said = new URLSearchParams(Object.entries(wanted()).map(([name, each]) => [name, each.value])).toString();
    return `#${section.id}${said ? `?${said}` : ""}`;
  };
  const remember = () => {
    try {
      history.replaceState(null, "", address());
    } catch {
      /* a page within another may have no address of its own */
    }
  };
  const changed = () => {
    filter();
    remember();
  };

  /* Filters from an address: `#questions?cause=in-part&hops=3`. */
  const apply = (hash) => {
    const [place, said] = hash.replace(/^#/, "").split("?");
    if (place !== section.id || said === undefined) return false;
    const given = new URLSearchParams(said);
    for (const each of facets) {
      each.selectedIndex = Math.max(0, [...each.options].findIndex((option) => option.value === (given.get(each.name) ?? "")));
    }
    text.value = given.get("text") ?? "";
    gold.value = given.get("document") ?? "";
    filter();
    if (matches.length === 1) rows.firstChild.open = true;
    section.scrollIntoView({ behavior: "instant" });
    return true;
  };

  let waiting;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, 60);
  };
  for (const each of facets) each.addEventListener("change", changed);
  for (const each of [text, gold]) each.addEventListener("input", later);
  list.querySelector(".clear").addEventListener("click", () => {
    for (const each of facets) each.selectedIndex = 0;
    text.value = gold.value = "";
    changed();
  });
  const turn = (step) => {
    first += step;
    draw();
    list.scrollIntoView({ behavior: "instant" });
    status.focus({ preventScroll: true });
  };
  back.addEventListener("click", () => turn(-PAGE));
  on.addEventListener("click", () => turn(PAGE));
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (link && apply(link.getAttribute("href"))) {
      event.preventDefault();
      try {
        history.pushState(null, "", address());
      } catch {
        /* as above */
      }
      status.focus({ preventScroll: true });
    }
  });
  addEventListener("popstate", () => apply(location.hash));

  status.tabIndex = -1;
  status.textContent = "Reading the questions …";
  list.hidden = false;
  const start = async () => {
    try {
      await load();
      if (!apply(location.hash)) filter();
    } catch (error) {
      status.textContent = `The questions cannot be listed: ${error.message}`;
    }
  };
  requestAnimationFrame(() => setTimeout(start));
})();
