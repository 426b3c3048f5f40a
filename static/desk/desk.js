// The desk's keys, its list cursor, its clock. Single keys act outside fields only, and never send anything.
(function () {
  "use strict";
  const body = document.body;
  const all = (selector, root) => [...(root || document).querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* for this page only */ } };
  const say = (words) => { const news = one("#news"); if (news) news.textContent = words; };
  window.desk = { say, all, one };

  // menu, theme, dialogs, copying
  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-do]");
    if (!element) {
      all("details.me[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
      return;
    }
    const deeds = {
      theme: () => window.switchTheme(),
      menu: () => {
        const phone = window.matchMedia("(max-width: 760px)").matches;
        const name = phone ? "side-open" : "side-closed";
        const on = body.classList.toggle(name);
        element.setAttribute("aria-expanded", String(phone ? on : !on));
      },
      dialog: () => one(element.dataset.dialog).showModal(),
      close: () => element.closest("dialog").close(),
      copy: () => navigator.clipboard.writeText(element.dataset.copy || one(element.dataset.from).textContent.trim())
        .then(() => say("Copied.")),
      stay: () => { beat(false).then(() => { lastAct = Date.now(); one("#idle").hidden = true; }); },
    };
    if (deeds[element.dataset.do]) deeds[element.dataset.do]();
  });

  // keys
  const inField = (target) => target.closest("input:not([type=checkbox],[type=radio]), select, textarea, [contenteditable]");
  const shortcuts = () => stored("shortcuts") !== "off";
  let chord = "";
  const press = (keys) => {
    const element = all(`[data-key="${CSS.escape(keys)}"]`).find((each) => each.offsetParent !== null && !each.disabled);
    if (!element) return false;
    if (element.matches("input[type=radio]")) { element.checked = true; element.focus(); element.dispatchEvent(new Event("change", { bubbles: true })); }
    else if (element.matches("input, select, textarea")) { element.focus(); element.select && element.select(); }
    else element.click();
    return true;
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { if (press("ctrl+enter")) event.preventDefault(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { if (press("/")) event.preventDefault(); return; }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") { if (inField(event.target)) event.target.blur(); else if (!one("dialog[open]")) press("esc"); return; }
    if (inField(event.target) || !shortcuts() || one("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (chord) { const keys = `${chord} ${key}`; chord = ""; if (press(keys)) event.preventDefault(); return; }
    if (key === "g") { chord = "g"; setTimeout(() => { chord = ""; }, 1500); return; }
    if (moveInList(key, event) || press(key)) event.preventDefault();
  });

  // the cursor of a list, and what is chosen in it
  const rows = () => all("table[data-rows] tbody tr[data-row]");
  let at = -1;
  function moveInList(key, event) {
    const list = rows();
    if (!list.length) return false;
    if (["j", "k", "ArrowDown", "ArrowUp"].includes(key)) {
      list[at] && list[at].classList.remove("cursor");
      at = Math.min(Math.max(at + (key === "j" || key === "ArrowDown" ? 1 : -1), 0), list.length - 1);
      list[at].classList.add("cursor");
      list[at].querySelector("a").focus();
      list[at].scrollIntoView({ block: "nearest" });
      return true;
    }
    if (key === "x" && at >= 0) { const box = list[at].querySelector("input[type=checkbox]"); if (box) box.click(); return true; }
    return key === "Enter" && at >= 0 && !event.target.closest("a, button") && (list[at].querySelector("a").click(), true);
  }
  const recount = () => {
    const chosen = all("table[data-rows] [data-choose]:checked").length;
    all("[data-chosen]").forEach((place) => { place.textContent = `${chosen} chosen`; });
    all("[data-needs-chosen]").forEach((button) => { button.disabled = chosen === 0; });
  };
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-choose-all]")) all("table[data-rows] [data-choose]").forEach((box) => { box.checked = event.target.checked; });
    if (event.target.matches("[data-choose], [data-choose-all]")) recount();
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
    if (event.target.matches("#shortcuts-on")) { store("shortcuts", event.target.checked ? "on" : "off"); showKeys(); }
  });
  recount();
  const showKeys = () => { const box = one("#shortcuts-on"); if (box) box.checked = shortcuts(); body.classList.toggle("no-keys", !shortcuts()); };
  showKeys();

  // heartbeat of an open item, and the warning before being signed out
  let lastAct = Date.now();
  const token = () => (one("[name=csrfmiddlewaretoken]") || {}).value || "";
  const beat = (quiet) => fetch(body.dataset.heartbeat, {
    method: "POST", credentials: "same-origin",
    headers: { "X-CSRFToken": token(), "Content-Type": "application/x-www-form-urlencoded", ...(quiet ? { "X-Heartbeat": "1" } : {}) },
    body: `item=${encodeURIComponent(body.dataset.item || "")}`,
  });
  if (body.dataset.heartbeat) {
    ["keydown", "pointerdown"].forEach((kind) => document.addEventListener(kind, () => {
      const before = lastAct; lastAct = Date.now();
      if (lastAct - before > 60000) beat(false);
    }, true));
    setInterval(() => {
      if (body.dataset.item && !document.hidden) beat(true);
      const idle = (Date.now() - lastAct) / 1000, limit = Number(body.dataset.idle);
      const notice = one("#idle");
      if (notice && idle > limit - 120 && notice.hidden) { notice.hidden = false; say("You will be signed out in two minutes."); }
      if (idle > limit + 5) location.assign(body.dataset.home);
    }, 30000);
  }

  // the first problem of a form takes the focus; a failed field is told from its neighbours
  const problems = one("#problems, .errornote");
  if (problems) { problems.tabIndex = -1; problems.focus(); }
})();
