// At a code its words in the note get a ring, at words their code.
(function () {
  "use strict";
  const { all, on } = window.desk;
  const ring = (shown) => ({ target }) => {
    const each = target.closest("[data-code], [data-mark]");
    if (!each) return;
    const { code, mark } = each.dataset;
    all(code ? `[data-mark="${code}"]` : `[data-code="${mark}"]`).forEach((other) => other.classList.toggle("ring", shown));
  };
  on("focusin", ring(true)); on("mouseover", ring(true));
  on("focusout", ring(false)); on("mouseout", ring(false));
})();
