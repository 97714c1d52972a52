(() => {
  "use strict";
  const all = [...document.querySelectorAll("details")];
  for (const button of document.querySelectorAll("button[data-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const open = button.dataset.open === "true";
      for (const each of document.getElementById(button.dataset.within).querySelectorAll("details")) each.open = open;
    });
  }
  /* Tables that are wider than their room are scrolled, by keyboard too; the others are no stops on the way. */
  const tables = [...document.querySelectorAll(".scroll")];
  const measure = () => {
    for (const [each, scrolls] of tables.map((table) => [table, table.scrollWidth > table.clientWidth])) {
      each.tabIndex = scrolls ? 0 : -1;
      if (scrolls) each.setAttribute("role", "region");
      else each.removeAttribute("role");
    }
  };
  let measuring;
  addEventListener("resize", () => {
    clearTimeout(measuring);
    measuring = setTimeout(measure, 150);
  });
  measure();
  let before = [];
  addEventListener("beforeprint", () => {
    before = all.map((each) => each.open);
    for (const each of all) each.open = true;
  });
  addEventListener("afterprint", () => all.forEach((each, place) => (each.open = before[place])));
})();
