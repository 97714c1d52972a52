/* One item at a time, by buttons or keys. */
let current = 0, shownGold = null, data = null;

const isVisible = (item, task) => !state.blindJudge || !head.items[item].steps.includes(task.id) || isJudged(item);
const visible = () => data.tasks.filter((task) => isVisible(state.at, task));
const isGoldShown = () => shownGold ?? (!state.blindGold || isJudged(state.at));

const drawProgress = () => {
  const items = head.items.length, done = head.items.filter((_, item) => !isOpen(item)).length;
  const tasks = head.items.reduce((sum, item) => sum + item.tasks.length, 0);
  const said = head.items.reduce((sum, item, place) => sum + item.tasks.filter((task) => isDone(place, task)).length, 0);
  $("progress").max = tasks;
  $("progress").value = said;
  const rest = tasks === items ? "" : `, ${count(said)} of ${plural(tasks, "question")}`;
  $("done").textContent = `${count(done)} of ${plural(items, head.noun)} done${rest}`;
};
const drawItem = () => {
  data = readItem(state.at);
  const there = visible();
  current = Math.min(current, there.length - 1);
  const [texts, more] = drawTexts(data, isGoldShown(), () => { shownGold = true; drawItem(); });
  const fields = there.map((task, number) => drawTask(task, state.at, number, number === current, choose));
  const waiting = data.tasks.length - there.length;
  if (waiting) fields.push(make("p", { class: "small soft" }, `${plural(waiting, "step")} of the judge to look at after that.`));
  $("item").replaceChildren(make("div", { class: `item${head.work.kind === "release" ? " of-pairs" : ""}` }, texts, make("div", { class: "tasks" }, make("h2", { class: "unseen" }, "What is asked"), fields), more));
  $("place").textContent = `${count(state.at + 1)} of ${count(head.items.length)}`;
  $("back").disabled = state.at === 0;
  $("on").disabled = state.at === head.items.length - 1;
  drawProgress();
  measure();
};
const field = (number) => document.querySelector(`[data-task="${number}"]`);
const bring = () => field(current)?.scrollIntoView({ block: "nearest" });

const choose = (task, choice) => {
  const before = verdictOf(state.at, task.id), isAnswer = !task.step;
  const values = { choice: choice.name, first: before?.first ?? choice.name };
  if (isAnswer && before?.blind === undefined && head.items[state.at].steps.length) values.blind = state.blindJudge;
  change(state.at, task.id, values);
  const there = visible(), place = there.findIndex((each) => each.id === task.id);
  const open = there.findIndex((each, number) => number > place && !isDone(state.at, each.id));
  current = open < 0 ? place : open;
  const had = document.activeElement?.closest?.("[data-task]")?.dataset.task;
  drawItem();
  if (had !== undefined) field(current)?.querySelector("button")?.focus({ preventScroll: true });
  bring();
  say(`${choice.label}. ${isOpen(state.at) ? "" : whatFollows()}`);
};
const whatFollows = () => {
  const open = head.items.filter((_, item) => isOpen(item)).length;
  if (!open) return "All are done: save the file with s.";
  return state.at < head.items.length - 1 ? "Done: next with j." : `Still open: ${plural(open, head.noun)}; u goes there.`;
};
const takeBack = () => {
  const task = visible()[current];
  if (!task || !isDone(state.at, task.id)) return;
  change(state.at, task.id, { choice: null });
  drawItem();
  say("Taken back.");
};
/* Whoever has begun has read it, and it pushes the work down; whoever opens it again keeps it. */
let isGuideFolded = false;
const foldGuide = () => {
  if (isGuideFolded || !$("guide") || !head.items.some((item) => Object.keys(state.verdicts[item.id] ?? {}).length)) return;
  isGuideFolded = true;
  $("guide").open = false;
};
const go = (place) => {
  if (place < 0 || place >= head.items.length) return;
  state.at = place;
  shownGold = null;
  keep(false);
  foldGuide();
  data = readItem(place);
  current = Math.max(0, visible().findIndex((task) => !isDone(place, task.id)));
  drawItem();
  $("item").focus({ preventScroll: true });
  scrollTo(0, Math.min(scrollY, $("main").offsetTop));
  say("");
};
const goOpen = () => {
  const all = head.items.map((_, place) => place), after = [...all.slice(state.at + 1), ...all.slice(0, state.at + 1)];
  const place = after.find(isOpen);
  if (place === undefined) say("All are done: save the file.");
  else go(place);
};
const move = (step) => {
  current = Math.min(Math.max(0, current + step), visible().length - 1);
  drawItem();
  bring();
};
const note = () => {
  const box = field(current)?.querySelector(".note");
  (box?.querySelector("textarea") ?? box?.openNote())?.focus();
};
const toggleGold = () => {
  shownGold = !isGoldShown();
  drawItem();
};
const help = () => ($("keys").open ? $("keys").close() : $("keys").showModal());

const commands = {
  j: () => go(state.at + 1), ArrowRight: () => go(state.at + 1), k: () => go(state.at - 1), ArrowLeft: () => go(state.at - 1),
  u: goOpen, ".": () => move(1), ",": () => move(-1), n: note, g: toggleGold, s: save, "?": help, Backspace: takeBack,
};
const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("main").hidden) return;
  const typed = event.target.closest?.("textarea, input:not([type=checkbox]), dialog");
  if (event.key === "Escape" && event.target.tagName === "TEXTAREA") {
    field(current)?.querySelector("button")?.focus({ preventScroll: true });
    return;
  }
  if (typed) return;
  const task = visible()[current], choice = task?.choices.find((each) => each.key === event.key);
  const command = choice ? () => choose(task, choice) : commands[event.key];
  if (!command) return;
  event.preventDefault();
  command();
};

const begin = () => {
  const isNamed = Boolean(state.name.trim());
  $("who").hidden = isNamed;
  $("main").hidden = !isNamed;
  const by = isNamed ? `${state.name} · ` : "";
  $("about").replaceChildren(foreign(by), `${head.what} · page `, foreign(head.page), head.notes.length ? ` · ${head.notes.join(" ")}` : "");
  $("blind-judge").checked = state.blindJudge;
  $("blind-gold").checked = state.blindGold;
  $("blind-judge-label").hidden = !head.items.some((item) => item.steps.length);
  $("blind-gold-label").hidden = head.work.kind !== "run";
  $("open").textContent = "Next that is open";
  drawProgress();
  foldGuide();
  if (isNamed) {
    drawItem();
    $("item").focus({ preventScroll: true }); // else keys still go to the name for a moment
  } else $("name").focus();
};

$("who").addEventListener("submit", (event) => {
  event.preventDefault();
  state.name = $("name").value.trim();
  keep();
  begin();
});
$("save").addEventListener("click", save);
$("load").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (!file) return;
  load(await file.text());
  $("file").value = "";
  begin();
});
$("back").addEventListener("click", () => go(state.at - 1));
$("on").addEventListener("click", () => go(state.at + 1));
$("open").addEventListener("click", goOpen);
$("help").addEventListener("click", help);
for (const [name, key] of [["blind-judge", "blindJudge"], ["blind-gold", "blindGold"]]) {
  $(name).addEventListener("change", () => {
    state[key] = $(name).checked;
    shownGold = null;
    keep(false);
    if (!$("main").hidden) drawItem();
  });
}
document.addEventListener("keydown", onKey);
addEventListener("storage", (event) => {
  if (event.key !== KEY || !event.newValue) return;
  const at = state.at;
  recall();
  state.at = at;
  if (!$("main").hidden) drawItem();
});
addEventListener("beforeunload", (event) => {
  if (!isKept && !isSaved) event.preventDefault();
});
addEventListener("resize", measure);
recall();
begin();
document.documentElement.dataset.ready = "";
