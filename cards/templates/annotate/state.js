/* What was said so far, kept in this browser under the work's hash and the page's name. */
const head = JSON.parse($("head").textContent);
const blocks = [...document.querySelectorAll("script[data-item]")];
const KEY = `benchwright annotate ${head.work.hash} ${head.page}`;
const state = { name: head.annotator || "", at: 0, blindJudge: true, blindGold: false, verdicts: {} };
let isKept = true, isSaved = true;

const say = (text) => { $("said").textContent = text; };
const warn = (text) => {
  $("notice").hidden = !text;
  $("notice").firstElementChild.textContent = text;
};
const recall = () => {
  let text = null;
  try {
    text = localStorage.getItem(KEY);
    localStorage.setItem(`${KEY} tried`, "1");
    localStorage.removeItem(`${KEY} tried`);
  } catch {
    isKept = false;
  }
  try {
    const found = JSON.parse(text ?? "{}");
    if (found && typeof found === "object" && typeof (found.verdicts ?? {}) === "object") Object.assign(state, found);
  } catch {
    warn("What this browser kept of this page cannot be read: go on from a file that you saved.");
  }
  state.verdicts ??= {};
  if (head.annotator) state.name = head.annotator;
  state.at = Math.min(Math.max(0, Number(state.at) || 0), head.items.length - 1);
  if (!isKept) warn(NOT_KEPT);
};
const NOT_KEPT = "This browser keeps nothing for this page: save the file before you close it, and go on from it later.";
const keep = (isChange = true) => {
  if (isChange) isSaved = false;
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    isKept = false;
    warn(NOT_KEPT);
  }
};

/* Item number and task → { choice, note, first, rows, blind }, or nothing. */
const verdictOf = (item, task) => state.verdicts[head.items[item].id]?.[task];
const isDone = (item, task) => Boolean(verdictOf(item, task)?.choice);
const change = (item, task, values) => {
  const mine = (state.verdicts[head.items[item].id] ??= {});
  mine[task] = { ...mine[task], ...values };
  keep();
};
const answerTasks = (item) => head.items[item].tasks.filter((each) => !head.items[item].steps.includes(each));
/* Whether the person has judged the answer, so that nothing need be hidden any more. */
const isJudged = (item) => answerTasks(item).every((task) => isDone(item, task));
const isOpen = (item) => head.items[item].tasks.some((task) => !isDone(item, task));

const parsed = new Map();
const readItem = (item) => {
  if (!parsed.has(item)) {
    if (parsed.size > 50) parsed.delete(parsed.keys().next().value);
    parsed.set(item, JSON.parse(blocks[item].textContent));
  }
  return parsed.get(item);
};
