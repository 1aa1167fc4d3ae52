// Stepping through executions, with the keyboard or the mouse, and putting the page together.

/** The values after some rows: of shared variables first, then of each thread's own. */
function valuesAfter(story, count) {
  const cells = new Map();
  story.rows.forEach((row, number) => (row.changes || []).forEach((change) => {
    const key = change.cell === undefined ? `${change.own ? row.thread : ""} ${change.name}` : change.cell;
    const known = cells.get(key) || { name: change.name, value: change.before, thread: change.own ? row.thread : -1, by: row.thread, fresh: false };
    if (number < count) Object.assign(known, { name: change.name, value: change.value, fresh: number === count - 1 });
    cells.set(key, known);
  }));
  // Two pieces of storage with one name belong to whoever writes them.
  const all = [...cells.values()], several = (name) => all.filter((one) => one.thread < 0 && one.name === name).length > 1;
  return all.filter(({ value }) => value !== undefined)
    .map((one) => (one.thread < 0 && several(one.name) ? { ...one, thread: one.by } : one)).sort((a, b) => a.thread - b.thread);
}

/** Which locks are held after some rows, and by whom. */
function locksAfter(story, count) {
  const held = [];
  for (const { kind, object, thread } of story.rows.slice(0, count)) {
    if (kind === "lock" && object) held.push({ thread, object });
    const given = kind === "unlock" ? held.findIndex((one) => one.thread === thread && one.object === object) : -1;
    if (given >= 0) held.splice(given, 1);
  }
  return held;
}

class Player {
  constructor(number, finding) {
    Object.assign(this, { number, story: finding.story, all: false, step: 0 });
    this.short = shownRows(this.story, false);
    this.lanes = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "the interleaving; arrow keys step through it" });
    this.beside = el("div", { class: "beside-lanes" });
    this.counter = el("output", { class: "counter", "aria-live": "off" });
    this.said = el("p", { class: "said", role: "status", "aria-live": "polite" });
    this.values = el("div", { class: "after-step" });
    this.element = el("div", { class: "player" }, this.controls(), this.said,
      el("div", { class: "columns" }, el("div", {}, this.lanes, this.key = el("div")), this.beside));
    this.draw();
  }

  controls() {
    const button = (words, sign, act, key) => {
      const made = el("button", { type: "button", title: `${words} (${key})`, "aria-label": words, "aria-keyshortcuts": key }, sign);
      made.addEventListener("click", () => act());
      return made;
    };
    const more = this.story.rows.length - this.short.length;
    const toggle = el("input", { type: "checkbox" });
    toggle.addEventListener("change", () => { this.all = toggle.checked; this.draw(); });
    return el("div", { class: "controls", role: "toolbar", "aria-label": "steps" },
      button("first step", "«", () => this.go(1), "Home"), button("step back", "‹", () => this.go(this.step - 1), "ArrowLeft"),
      button("step forward", "›", () => this.go(this.step + 1), "ArrowRight"), button("last step", "»", () => this.go(this.shown.length), "End"),
      this.counter, el("span", { class: "small keys" }, "keys: ", el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " or ", el("kbd", {}, "k"), " ", el("kbd", {}, "j"), ", ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End")),
      more > 0 && el("label", {}, toggle, ` all ${this.story.rows.length} steps, also the ${more} that do not matter`));
  }

  draw() {
    const row = this.shown ? this.shown[this.step - 1] : undefined;
    this.shown = shownRows(this.story, this.all);
    this.lanes.replaceChildren(interleaving(this.number, this.story, this.shown));
    this.key.replaceChildren(legend(this.story, this.shown));
    this.beside.replaceChildren(sourceOfStory(this.number, this.story, this.shown), this.values);
    this.element.querySelectorAll("[data-step]").forEach((one) =>
      one.addEventListener("click", () => { this.go(Number(one.dataset.step)); }));
    const same = row === undefined ? -1 : this.shown.indexOf(row);
    this.go(same < 0 ? this.shown.length : same + 1, false);
  }

  go(step, scroll = true) {
    this.step = Math.max(1, Math.min(this.shown.length, step));
    const number = this.shown[this.step - 1], row = this.story.rows[number];
    if (!row) return;
    const { name } = this.story.threads[row.thread];
    this.counter.value = `step ${this.step} of ${this.shown.length}`;
    refill(this.said, el("strong", { class: tint(row.thread) }, `${name} `), el("span", { class: "small" }, `${at(row.place)}: `),
      el("code", {}, row.text), row.outcome === undefined ? null : ` is ${row.outcome}`, row.note ? ` – ${row.note}` : null,
      (row.changes || []).map((change) => [" · ", el("code", { class: "fresh" }, changeText(row)(change))]),
      this.step === this.shown.length ? [" · ", el("strong", { class: "end" }, wrongWords(this))] : null);
    this.element.querySelectorAll("g.step").forEach((one) => {
      const own = Number(one.dataset.step);
      one.classList.toggle("now", own === this.step);
      one.classList.toggle("later", own > this.step);
      if (own === this.step) { one.setAttribute("aria-current", "step"); if (scroll) keepInView(this.lanes, one); } else one.removeAttribute("aria-current");
    });
    this.element.querySelectorAll("[data-since]").forEach((one) => one.classList.toggle("later", Number(one.dataset.since) > this.step));
    this.element.querySelectorAll(".badge").forEach((one) => one.classList.toggle("now", Number(one.dataset.step) === this.step));
    this.showLine(row);
    this.showValues(number + 1);
    if (scroll) history.replaceState(null, "", `#step-${this.number}-${this.step}`);
  }

  showLine(row) {
    const box = this.beside.querySelector(".source");
    this.beside.querySelectorAll(".line.now").forEach((one) => { one.className = "line"; });
    const line = [...this.beside.querySelectorAll(".line[data-line]")].find((one) => one.dataset.file === row.place.file && Number(one.dataset.line) === row.place.line);
    if (!line) return;
    line.className = `line now ${tint(row.thread)}`;
    keepInView(box, line);
  }

  showValues(count) {
    const name = (thread) => (thread < 0 ? "shared" : this.story.threads[thread].name);
    const values = valuesAfter(this.story, count), locks = locksAfter(this.story, count);
    const row = ({ name: what, value, thread, fresh }) => el("tr", { class: fresh ? "fresh" : null },
      el("td", { class: thread < 0 ? "" : tint(thread) }, name(thread)), el("th", { scope: "row" }, el("code", {}, what)), el("td", {}, el("code", {}, value)));
    refill(this.values, [el("h3", {}, "Values after this step"),
      values.length > 0
        ? el("table", { class: "values" }, el("thead", { class: "hidden" }, el("tr", {}, ["whose", "variable", "value"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, values.map(row)))
        : el("p", { class: "small" }, "No variable has changed."),
      locks.length > 0 && el("p", { class: "locks" }, locks.map(({ thread, object }, number) => [number ? ", " : "", el("strong", { class: tint(thread) }, name(thread)), " holds ", el("code", {}, object)]))]);
  }
}

/** Scrolls a box, and nothing else, so that an element in it is seen. */
function keepInView(box, element) {
  if (!box || !element) return;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top + 20) box.scrollTop -= outer.top + 60 - inner.top;
  else if (inner.bottom > outer.bottom - 20) box.scrollTop += inner.bottom - outer.bottom + 60;
}

function violation(finding, number, players) {
  const { ending, rows } = finding.story;
  const player = rows.length > 0 ? new Player(number, finding) : null;
  if (player) players.push(player);
  const title = view.findings.length > 1 ? `Violation ${number + 1}: ${wrongWords(finding)}` : "What goes wrong";
  return el("article", { id: `finding-${number}` },
    part(`wrong-${number}`, title, number > 0 ? el("p", {}, prose(ending.sentence)) : null, wrongPicture(number, finding),
      ending.help ? el("p", { class: "help" }, el("strong", {}, "What would help: "), ending.help) : null),
    player && part(`how-${number}`, "How it comes to this", player.element));
}

function listen(players) {
  let active = players[0];
  players.forEach((player) => ["focusin", "pointerdown"].forEach((kind) => player.element.addEventListener(kind, () => { active = player; })));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !active || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const to = { ArrowRight: active.step + 1, j: active.step + 1, ArrowLeft: active.step - 1, k: active.step - 1, Home: 1, End: active.shown.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    active.go(to);
  });
  const follow = () => {
    const asked = /^#step-(\d+)-(\d+)$/.exec(location.hash);
    const player = asked && players.find(({ number }) => number === Number(asked[1]));
    if (player) { active = player; player.go(Number(asked[2]), false); player.element.scrollIntoView(); }
  };
  window.addEventListener("hashchange", follow);
  follow();
}

if (view !== null) {
  const players = [];
  const findings = view.findings.map((finding, number) => violation(finding, number, players));
  refill(page, banner(), strip(), findings, runs(), view.findings.length > 0 ? null : proofs(),
    el("div", { class: "top" }, properties(), grounds()), view.findings.length > 0 ? proofs() : null, sourceAlone(), figures());
  // Boxes can scroll only once they are on the page.
  players.forEach((player) => player.go(player.step, false));
  page.querySelectorAll(".source").forEach((box) => keepInView(box, box.querySelector(".fact")));
  if (players.length > 0) listen(players);
}
