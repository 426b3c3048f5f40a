// The preview of a correction, asked again once the typing rests.
(function () {
  "use strict";
  const { all, one, say } = window.desk;
  const form = one("#correct-form");
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
      .then((answer) => { if (!answer.ok || answer.redirected) throw new Error(String(answer.status)); return answer.text(); })
      .then((html) => {
        if (number !== asked) return;
        card.innerHTML = html;
        card.classList.remove("stale");
        mark();
      })
      .catch((error) => { if (error.name !== "AbortError") fail(); });
  };
  const fail = () => {
    const told = one("[data-failed]") || document.createElement("p");
    told.dataset.failed = "";
    told.className = "band urgent";
    told.textContent = "The preview could not be made, so nothing can be saved. Type again, or reload.";
    card.prepend(told);
    say(told.textContent);
  };
  const askIn = (rest) => {
    count(); stale();
    clearTimeout(timer);
    timer = setTimeout(ask, rest);
  };
  window.addEventListener("online", () => askIn(0));
  form.addEventListener("input", ({ target }) => { if (target.name.includes(".")) askIn(400); });
  form.addEventListener("keydown", ({ key, target, ctrlKey, metaKey }) => {
    if (key !== "Enter" || ctrlKey || metaKey || !target.matches("input")) return;
    if (target.name === "payer") target.nextElementSibling.click(); else askIn(0);
  });
})();
