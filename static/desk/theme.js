// Blocking and tiny: the theme stands before the first paint.
(function () {
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* no storage: the system decides */ }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => { document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light"); };
  apply();
  dark.addEventListener("change", apply);
  window.switchTheme = () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", chosen); } catch { /* until the next page, then */ }
    apply();
  };
})();
