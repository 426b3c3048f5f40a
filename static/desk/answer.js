// An answer chosen before its button works; words of a note as its evidence.
(function () {
  "use strict";
  const { all, one, on, say } = window.desk;
  const choices = all("[data-choice]");
  // of a question about codes
  const other = ({ name }) => one(`#other-${name}`);
  let about = choices.find(other)?.name;
  const check = () => {
    const chosen = choices.filter((each) => each.checked);
    const untyped = chosen.some((each) => each.value === "other" && other(each) && !other(each).value.trim());
    const open = untyped || choices.some(({ name }) => !chosen.some((each) => each.name === name));
    if (choices.length) one("[data-confirm]").disabled = open;
    const becomes = chosen.find((each) => each.dataset.becomes);
    if (becomes) one("[data-outcome]").textContent = becomes.dataset.becomes;
  };
  on("change", ({ target }) => {
    if (!choices.includes(target)) return;
    check();
    const field = other(target);
    if (field) about = target.name;
    if (target.checked && target.value === "other") field.focus();
  });
  on("input", ({ target }) => { if (target.id.startsWith("other-")) check(); });
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
  // characters of the note before a place
  const before = (node, at) => {
    const part = new Range();
    part.setStart(note, 0); part.setEnd(node, at);
    const copy = part.cloneContents();
    all(".unseen, sup", copy).forEach((each) => each.remove());
    return [...copy.textContent].length;
  };
  // of several codes typed, the one at the cursor
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
