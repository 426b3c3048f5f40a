// One session: raw and explained, a code and its words in the note, the preview of a correction.
(function () {
  "use strict";
  const { all, one, say } = window.desk;

  // the claim's file: explained or raw, by click, arrow keys, or V
  const tabs = all("[data-tab]");
  const open = (tab) => tabs.forEach((each) => {
    const on = each === tab;
    each.setAttribute("aria-selected", String(on));
    each.tabIndex = on ? 0 : -1;
    each.dataset.key = on ? "" : "v";
    one(`#${each.getAttribute("aria-controls")}`).hidden = !on;
  });
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const next = tabs[(at + 1) % tabs.length];
      open(next); next.focus();
    });
  });
  if (tabs.length) open(tabs[0]);

  // focus a code: its words get a ring; focus a mark: its code does
  const tie = (from, to) => all(`[data-${from}]`).forEach((each) => {
    const ring = (on) => all(`[data-${to}="${each.dataset[from]}"]`).forEach((other) => other.classList.toggle("ring", on));
    each.addEventListener("focusin", () => ring(true));
    each.addEventListener("focusout", () => ring(false));
    each.addEventListener("mouseenter", () => ring(true));
    each.addEventListener("mouseleave", () => ring(false));
  });
  tie("code", "mark"); tie("mark", "code");

  // an answer has to be chosen before the button works
  const confirmation = one("[data-confirm]");
  const check = () => {
    if (!confirmation) return;
    const groups = [...new Set(all("[data-choice]").map((each) => each.name))];
    const chosen = groups.filter((name) => one(`[data-choice][name="${name}"]:checked`));
    if (groups.length) confirmation.disabled = chosen.length < groups.length;
    const becomes = one("[data-choice][data-becomes]:checked");
    if (becomes) one("[data-outcome]").textContent = becomes.dataset.becomes;
  };
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-choice]")) return;
    check();
    const other = event.target.value === "other" && one(`#other-${event.target.name}`);
    if (other) other.focus();
  });
  check();
  // the dialog that needs a day offers the next ones
  all("input[type=date][name=until]").forEach((field) => {
    const day = new Date(Date.now() + 86400000);
    field.min = day.toISOString().slice(0, 10);
    day.setDate(day.getDate() + 3);
    if (!field.value) field.value = day.toISOString().slice(0, 10);
  });

  // the preview of a correction, asked again once the typing rests
  const form = one("#correct-form");
  if (!form) return;
  const card = one("#preview");
  let asked = 0, timer = 0, asking = null;
  const stale = () => {
    card.classList.add("stale");
    all("[data-save]", card).forEach((button) => { button.disabled = true; });
  };
  const count = () => {
    let changes = 0;
    all("[data-path]", form).forEach((field) => {
      const input = field.querySelector("input:not([type=hidden]), select"), was = field.querySelector("input[type=hidden]");
      const differs = input.value.trim() !== was.value.trim();
      field.querySelector(".was").hidden = !differs;
      changes += differs ? 1 : 0;
    });
    one("[data-changes]").textContent = `${changes} change${changes === 1 ? "" : "s"}`;
  };
  const mark = () => {
    const wrong = all("[data-errors] li", card);
    all("[data-path]", form).forEach((field) => {
      const path = field.dataset.path;
      const words = wrong.filter((each) => each.dataset.path === path || each.dataset.path.startsWith(`${path}.`)).map((each) => each.textContent);
      field.classList.toggle("wrong", words.length > 0);
      field.querySelector(".errorlist").textContent = [...new Set(words)].join(" ");
      const input = field.querySelector("input:not([type=hidden]), select");
      if (words.length) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    });
    say(wrong.length ? `${wrong.length} to put right.` : "Preview is ready.");
  };
  const ask = () => {
    const number = ++asked;
    if (asking) asking.abort();
    asking = new AbortController();
    fetch(form.dataset.preview, { method: "POST", body: new FormData(form), credentials: "same-origin", signal: asking.signal })
      .then((answer) => { if (!answer.ok) throw new Error(String(answer.status)); return answer.text(); })
      .then((html) => {
        if (number !== asked) return;
        card.innerHTML = html;
        card.classList.remove("stale");
        mark();
      })
      .catch((error) => { if (error.name !== "AbortError") say("The preview could not be made. Type again, or reload."); });
  };
  form.addEventListener("input", (event) => {
    if (event.target.name === "why") return;
    count(); stale();
    clearTimeout(timer);
    timer = setTimeout(ask, 400);
  });
})();
