// Blocking and tiny: the theme stands before the first paint, and the server learns what the clock here says.
(function () {
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* no storage: the system decides */ }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => { document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light"); };
  apply();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=strict${location.protocol === "https:" ? "; secure" : ""}`;
  dark.addEventListener("change", apply);
  window.switchTheme = () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", chosen); } catch { /* until the next page, then */ }
    apply();
  };
})();
