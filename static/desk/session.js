// A claim's file: raw and explained.
(function () {
  "use strict";
  const { all, one } = window.desk;

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
})();
