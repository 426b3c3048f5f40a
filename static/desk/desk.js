// The desk's keys, its list cursor, its clock. Single keys act outside fields only, and never send anything.
(function () {
  "use strict";
  const body = document.body;
  const one = (selector) => document.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (kind, act) => document.addEventListener(kind, act);
  const say = (words) => { one("#news").textContent = words; };
  window.desk = { say, all, one, on };

  const deeds = {
    theme: () => window.switchTheme(),
    menu: (button) => {
      const phone = matchMedia("(max-width: 760px)").matches;
      const now = body.classList.toggle(phone ? "side-open" : "side-closed");
      button.setAttribute("aria-expanded", phone === now);
    },
    dialog: (button) => one(button.dataset.dialog).showModal(),
    close: (button) => button.closest("dialog").close(),
    copy: (button) => navigator.clipboard.writeText(button.dataset.copy).then(() => say("Copied.")),
    stay: () => beat().then(() => { lastAct = Date.now(); one("#idle").hidden = true; }),
  };
  on("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) deeds[button.dataset.do](button);
    else all("details.me[open]").forEach((menu) => { menu.open = menu.contains(event.target); });
  });

  // Django's field of suggestions names only what is chosen in it
  window.django?.jQuery(() => all("select.admin-autocomplete[id]").forEach((field) => {
    const label = one(`label[for="${field.id}"]`), chosen = field.parentElement.querySelector("[role=textbox]");
    if (!label || !chosen) return;
    label.id ||= `${field.id}-label`;
    for (const each of [chosen, chosen.parentElement]) each.setAttribute("aria-labelledby", `${label.id} ${chosen.id}`);
  }));

  // pressed twice, sent once
  on("submit", (event) => {
    if (Date.now() - event.target.sent < 2000) event.preventDefault();
    event.target.sent = Date.now();
  });

  const inField = (target) => target.closest("input:not([type=checkbox],[type=radio]), select, textarea");
  const shortcuts = () => { try { return localStorage.shortcuts !== "off"; } catch { return true; } };
  let chord = "";
  const press = (keys) => {
    // the last: a dialog stands behind its page
    const found = all(`[data-key="${CSS.escape(keys)}"]`).findLast((each) => each.checkVisibility() && !each.disabled);
    if (!found) return false;
    if (found.matches("input, select, textarea")) found.focus();
    if (found.select) found.select();
    if (!found.matches("select, textarea, [type=text]")) found.click();
    return true;
  };
  on("keydown", (event) => {
    const { key, target } = event, control = event.ctrlKey || event.metaKey;
    const done = (did) => { if (did) event.preventDefault(); };
    if (event.isComposing || event.altKey) return;
    if (control && key === "Enter") return done(press("ctrl+enter"));
    if (control && key.toLowerCase() === "k") return done(press("/"));
    if (control) return;
    if (key === "Escape") { if (inField(target)) target.blur(); else if (!one("dialog[open]")) press("esc"); return; }
    if (inField(target) || !shortcuts() || one("dialog[open]")) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (chord) { done(press(`g ${name}`)); chord = ""; return; }
    if (name === "g") { chord = name; setTimeout(() => { chord = ""; }, 1500); return; }
    done(moveInList(name, target) || press(name));
  });

  // a list's cursor
  const rows = all("table[data-rows] tr[data-row]");
  let at = -1;
  function moveInList(key, target) {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key], row = rows[at];
    if (step && rows.length) {
      if (row) row.classList.remove("cursor");
      at = Math.min(Math.max(at + step, 0), rows.length - 1);
      rows[at].classList.add("cursor");
      rows[at].querySelector("a").focus();
      rows[at].scrollIntoView({ block: "nearest" });
      return true;
    }
    const box = row && key === "x" && row.querySelector("[data-choose]");
    if (box) box.click();
    if (row && key === "Enter" && !target.closest("a, button")) row.querySelector("a").click();
    return Boolean(box);
  }
  const recount = () => {
    const chosen = all("[data-choose]:checked").length;
    all("[data-chosen]").forEach((place) => { place.textContent = `${chosen} chosen`; });
    all("[data-needs-chosen]").forEach((button) => { button.disabled = !chosen; });
  };
  on("change", ({ target }) => {
    if (target.matches("[data-choose-all]")) all("[data-choose]").forEach((box) => { box.checked = target.checked; });
    if (target.matches("[data-submit]")) target.form.requestSubmit();
    if (target.matches("#shortcuts-on")) { localStorage.shortcuts = target.checked ? "on" : "off"; showKeys(); }
    recount();
  });
  const showKeys = () => { one("#shortcuts-on").checked = shortcuts(); body.classList.toggle("no-keys", !shortcuts()); };
  recount();
  const problems = one("#problems, .errornote"); // to be read first
  if (problems) { problems.tabIndex = -1; problems.focus(); }
  if (!body.dataset.heartbeat) return;
  showKeys();

  // the heartbeat, and the warning before signing out
  let lastAct = Date.now(), told = lastAct;
  const beat = (headers) => fetch(body.dataset.heartbeat, {
    method: "POST", headers: { "X-CSRFToken": one("[name=csrfmiddlewaretoken]").value, ...headers },
    body: new URLSearchParams({ item: body.dataset.item }),
  });
  const act = () => { lastAct = Date.now(); if (lastAct - told > 60000) { told = lastAct; beat(); } try { localStorage.acted = lastAct; } catch {} };
  addEventListener("storage", () => { lastAct = Date.now(); });
  on("keydown", act); on("pointerdown", act);
  setInterval(() => {
    if (body.dataset.item && !document.hidden) beat({ "X-Heartbeat": "1" });
    const idle = (Date.now() - lastAct) / 1000, notice = one("#idle"), soon = idle > body.dataset.idle - 120;
    if (soon && notice.hidden) say("You will be signed out in two minutes.");
    notice.hidden = !soon;
    if (idle > +body.dataset.idle + 5) location.assign(body.dataset.home);
  }, 30000);
})();
