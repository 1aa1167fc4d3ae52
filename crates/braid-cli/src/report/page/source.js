// The source, with the steps of an execution beside the lines, or with what a proof says above them.

/** A listing of one file; `beside(line)` gives what stands right of a line, `above(line)` and `below(line)` what stands over and under it. */
function listing(source, { beside, above, below, of }) {
  const rows = [];
  let next = 1;
  for (const piece of source.pieces) {
    if (piece.first !== next) rows.push(gap(piece.first - next));
    piece.lines.forEach((text, number) => {
      const line = piece.first + number;
      rows.push(...(above ? above(line, text) : []));
      rows.push(el("div", { class: "line", "data-file": source.file, "data-line": line, "data-of": of },
        el("span", { class: "number", "aria-hidden": "true" }, line), el("code", {}, text || " "),
        el("span", { class: "beside" }, beside ? beside(line) : null)));
      rows.push(...(below ? below(line, text) : []));
    });
    next = piece.first + piece.lines.length;
  }
  if (next <= source.total) rows.push(gap(source.total - next + 1));
  return rows;
}

const gap = (count) => el("div", { class: "gap" }, `… ${counted(count, "line")} …`);
const indentation = (text) => text.match(/^\s*/)[0];

/** The files of the page in one box that scrolls on its own. */
function sourceBox(label, parts) {
  const files = view.sources.map((source) => [single ? null : el("h4", {}, source.file), listing(source, parts(source))]);
  if (files.length === 0) return el("p", { class: "small" }, "The source could not be read.");
  return el("div", { class: "source", tabindex: 0, role: "region", "aria-label": label }, files);
}

/** The source beside an execution: each line has the numbers of the steps that are taken there. */
function sourceOfStory(number, story, shown) {
  const steps = (file, line) => shown.map((row, at) => [row, at + 1])
    .filter(([row]) => story.rows[row].place.file === file && story.rows[row].place.line === line);
  const spots = (file, line) => (story.ending.spots || []).filter(({ place }) => place.file === file && place.line === line);
  return sourceBox("the source with the steps of the execution", (source) => ({
    of: number,
    beside: (line) => steps(source.file, line).map(([row, step]) => {
      const { thread } = story.rows[row];
      return el("button", { type: "button", class: `badge ${tint(thread)}`, "data-step": step, "data-of": number,
        title: `step ${step}, thread ${story.threads[thread].name}`, "aria-label": `step ${step} of thread ${story.threads[thread].name}` }, step);
    }),
    below: (line, text) => spots(source.file, line).filter((spot) => spot.label).map((spot) => {
      const end = spot.place.end_line === spot.place.line ? spot.place.end_column : text.length + 1;
      const before = [...text].slice(0, spot.place.column - 1).join("").replace(/[^\t]/g, " ");
      return el("div", { class: "line spot" }, el("span", { class: "number" }), el("code", {}, before,
        el("span", { class: "caret", "aria-hidden": "true" }, "^".repeat(Math.max(1, end - spot.place.column))),
        el("span", { class: "label" }, spot.label)));
    }),
  }));
}

/** The source with what holds before its statements. */
function sourceOfProof(proof) {
  const { places } = proof.annotations;
  return sourceBox("the source with the facts of the proof", (source) => ({
    above: (line, text) => places.filter(({ place }) => place.file === source.file && place.line === line).map((annotation) =>
      el("div", { class: "line fact" }, el("span", { class: "number" }), el("code", {}, indentation(text),
        el("span", { class: "who" }, annotation.thread), " ",
        annotation.holds.slice(0, 12).map((fact, number) => [number > 0 ? el("span", { class: "and" }, " and ") : null, fact]),
        annotation.holds.length > 12 ? ` … ${annotation.holds.length - 12} more` : null))),
  }));
}

/** Graphs up to this width stand beside the source. */
const NARROW = 500;

function proofs() {
  const many = view.proofs.filter((proof) => proof.annotations.places.length > 0 || proof.annotations.graph);
  const none = view.proofs.filter((proof) => !many.includes(proof)).flatMap((proof) => proof.properties);
  return many.map((proof, number) => {
    const { annotations, scope, properties } = proof;
    const title = many.length > 1 || view.properties.length > 1 ? `Why it holds: ${listed(properties)}` : "Why it holds";
    const graph = drawnGraph(annotations.graph, number);
    const facts = annotations.places.length > 0
      ? el("div", {}, el("p", {}, prose(scope), " The facts of the proof exclude every violation; those about values without a name in the program are not shown."),
        (annotations.ghosts || []).map((ghost) => el("p", {}, el("code", {}, ghost.name), ` is ${ghost.meaning}.`)),
        sourceOfProof(proof))
      : el("p", {}, "No fact about the program's variables is needed.");
    return part(`proof-${number}`, title, graph && graph.width <= NARROW && annotations.places.length > 0
      ? el("div", { class: "columns proof" }, facts, el("div", {}, graph.parts))
      : [facts, graph && graph.parts]);
  }).concat(none.length > 0 ? part("proof-none", `Why it holds: ${listed(none)}`,
    el("p", {}, "No fact about the program's variables is needed.")) : []);
}

/** The source alone, where there is neither an execution nor a proof. */
function sourceAlone() {
  if (view.findings.length > 0 || view.proofs.some((proof) => proof.annotations.places.length > 0)) return null;
  return part("source", "The program", sourceBox("the source", () => ({})));
}
