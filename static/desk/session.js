// One session: raw and explained; a code and its words in the note.
(function () {
  "use strict";
  const { all, one, on } = window.desk;

  // the claim's file: explained or raw, by click, arrow keys, or V
  const tabs = all("[data-tab]");
  const open = (tab) => tabs.forEach((each) => {
    const shown = each === tab;
    each.setAttribute("aria-selected", shown);
    each.tabIndex = shown ? 0 : -1;
    each.dataset.key = shown ? "" : "v";
    one(`#${each.getAttribute("aria-controls")}`).hidden = !shown;
  });
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const next = tabs[(at + 1) % tabs.length];
      if (/^Arrow[LR]/.test(key)) { open(next); next.focus(); }
    });
  });
  if (tabs.length) open(tabs[0]);

  // at a code its words get a ring, at words their code
  const ring = (shown) => ({ target }) => {
    const each = target.closest("[data-code], [data-mark]");
    if (!each) return;
    const { code, mark } = each.dataset;
    all(code ? `[data-mark="${code}"]` : `[data-code="${mark}"]`).forEach((other) => other.classList.toggle("ring", shown));
  };
  on("focusin", ring(true)); on("mouseover", ring(true));
  on("focusout", ring(false)); on("mouseout", ring(false));
})();
