// A claim's file: raw and explained. A dialog that says what it would do.
(function () {
  "use strict";
  const { all, on, one } = window.desk;

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

  // what a dialog would do, asked when it opens; what would only stay isn't sent
  on("click", ({ target }) => {
    const opener = target.closest("[data-dialog]"), place = opener && one(`${opener.dataset.dialog} [data-ask]`);
    if (!place) return;
    const form = place.closest("form");
    fetch(place.dataset.ask, { method: "POST", body: new FormData(form) })
      .then((answer) => { if (!answer.ok || answer.redirected) throw new Error(answer.status); return answer.text(); })
      .then((html) => {
        place.innerHTML = html;
        form.querySelector(".primary").disabled = Boolean(place.querySelector("[data-stays]"));
      })
      .catch(() => { place.textContent = "What it would come to can't be shown now."; });
  });
})();
