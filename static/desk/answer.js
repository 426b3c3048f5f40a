// An answer before its button; words of a note as evidence.
(function () {
  "use strict";
  const { all, one, on, say } = window.desk;
  const choices = all("[data-choice]");
  const other = ({ name }) => one(`#other-${name}`);
  let about = choices.find(other)?.name;
  const check = () => {
    const chosen = choices.filter((each) => each.checked && (each.value !== "other" || other(each).value.trim()));
    const open = choices.some(({ name }) => !chosen.some((each) => each.name === name));
    if (choices.length) one("[data-confirm]").disabled = open;
    const becomes = chosen.find((each) => each.dataset.becomes);
    if (becomes) one("[data-outcome]").textContent = becomes.dataset.becomes;
  };
  on("change", ({ target }) => {
    if (!choices.includes(target)) return;
    const field = other(target);
    if (field) about = target.name;
    if (target.checked && target.value === "other") field.focus();
  });
  on("input", check);
  check();

  on("click", ({ target }) => {
    if (target.closest(".ask summary")) setTimeout(() => one("#question").focus());
  });

  const note = one("#note-text"), add = one("#add-evidence");
  if (!add) return;
  let range = null;
  on("selectionchange", () => {
    const now = getSelection();
    if (now.isCollapsed || !note.contains(now.anchorNode) || !note.contains(now.focusNode)) return;
    range = now.getRangeAt(0).cloneRange();
    add.disabled = false;
  });
  // characters before a place
  const before = (node, at) => {
    const part = new Range();
    part.setStart(note, 0); part.setEnd(node, at);
    const copy = part.cloneContents();
    all(".unseen, sup", copy).forEach((each) => each.remove());
    return [...copy.textContent].length;
  };
  // of several codes, the one at the cursor
  const typed = () => {
    const field = one(`[name=${about}][value=other]:checked`) && one(`#other-${about}`);
    if (!field) return "";
    const at = field.selectionStart, text = field.value.toUpperCase();
    return /[A-Z0-9.]*$/.exec(text.slice(0, at))[0] + /^[A-Z0-9.]*/.exec(text.slice(at))[0];
  };
  on("click", ({ target }) => { if (target.matches("#evidence button")) target.parentNode.remove(); });
  add.addEventListener("click", () => {
    const start = before(range.startContainer, range.startOffset), end = before(range.endContainer, range.endOffset);
    const line = one("#evidence-line").content.cloneNode(true);
    line.querySelector("q").textContent = range.toString().trim().slice(0, 80);
    const code = line.querySelector("b").textContent = typed();
    line.querySelector("input").value = [about, ...(code ? [code] : []), `${start}-${end}`].join(":");
    one("#evidence").append(line);
    add.disabled = true;
    say("Added as evidence.");
  });
})();
