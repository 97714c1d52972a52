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
  let before = [];
  addEventListener("beforeprint", () => {
    before = all.map((each) => each.open);
    for (const each of all) each.open = true;
  });
  addEventListener("afterprint", () => all.forEach((each, place) => (each.open = before[place])));
})();
