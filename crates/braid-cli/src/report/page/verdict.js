// The top of the page: the verdict, each property's verdict, and what the verdict rests on.

const SIGN = { safe: "✓", unsafe: "✗", unknown: "?" };
const WORD = { safe: "holds", unsafe: "violated", unknown: "open" };

/** The threads that stand for any number of like ones. */
function anyNumber() {
  const named = view.document.facts ? view.document.facts.any_number_of : [];
  return named.length > 0 ? named : [];
}

/** What is wrong, in a few words. */
function wrongWords({ story }) {
  if (view.document.hyper) return "property of several runs violated";
  // Claims of some languages are about the end, which is no fault.
  return story.ending.title === "the end is reached" ? "claim violated" : story.ending.title;
}

function headline() {
  const { verdict, file } = view.document;
  const [first] = view.findings;
  if (verdict === "unsafe") return `${capital(first ? wrongWords(first) : "violation")} in ${base(file)}`;
  if (verdict === "safe") {
    const many = anyNumber();
    return `Proven${many.length ? " for any number of threads" : ""}: ${base(file)}`;
  }
  return `${base(file)}: not decided`;
}

function summary() {
  const { verdict, reason, engine } = view.document;
  const [first] = view.findings;
  if (verdict === "unsafe") {
    const more = view.findings.length - 1;
    return [first ? first.story.ending.sentence : `The property is violated (${reason || engine}).`,
      more > 0 ? ` ${counted(more, "more violation")} below.` : ""];
  }
  if (verdict === "safe") {
    const many = anyNumber();
    return many.length
      ? `However many threads run ${listed(many)}, and in whichever order they take their steps: what was asked for holds. This is a proof, not a test.`
      : "In whichever order the threads take their steps: what was asked for holds. This is a proof, not a test.";
  }
  const open = view.properties.filter((asked) => asked.verdict !== "safe"), proven = view.properties.length - open.length;
  if (view.properties.length < 2) return `No violation was found, and no proof: ${reason || "no reason is known"}.`;
  const reasons = [...new Set(open.map((asked) => asked.reason).filter((text) => text))];
  const why = reasons.length > 0 ? ` (${reasons.slice(0, 2).join("; ")})` : "";
  return `No violation was found, and no proof of everything${why}: of ${view.properties.length} properties, ${proven} ${proven === 1 ? "holds" : "hold"} and ${open.length} ${open.length === 1 ? "is" : "are"} open.`;
}

function banner() {
  const { verdict, engine, time, version, file, order } = view.document;
  const how = { safe: "proven", unsafe: "found", unknown: "tried" }[verdict];
  const order_words = order ? `, order ${order}` : "";
  return el("header", { class: `banner ${verdict}` },
    el("div", { class: "sign", "aria-hidden": "true" }, SIGN[verdict]),
    el("div", {},
      el("p", { class: "kicker" }, `verdict: ${verdict}`),
      el("h1", {}, headline()),
      el("p", { class: "lead" }, [summary()].flat().map(prose)),
      el("p", { class: "small" }, `${file} · ${how} by engine ${engine}${order_words} in ${time.total.toFixed(time.total < 10 ? 2 : 0)} s · Braid ${version}`)));
}

/** All verdicts in one line. */
function strip() {
  return el("ul", { class: "strip", "aria-label": "verdicts" }, view.properties.map((asked) =>
    el("li", { class: asked.verdict, title: asked.means || null }, el("span", { class: "mark", "aria-hidden": "true" }, SIGN[asked.verdict] || "?"), ` ${cut(asked.name, 80)}`,
      el("span", { class: "hidden" }, ` ${WORD[asked.verdict] || asked.verdict}`))));
}

function propertyRows() {
  return view.properties.map((asked) => {
    const found = view.findings.findIndex((finding) => finding.property === asked.name);
    const word = found >= 0 && asked.verdict === "unsafe"
      ? el("a", { href: `#finding-${found}` }, WORD.unsafe) : WORD[asked.verdict] || asked.verdict;
    const reasons = [asked.verdict === "unsafe" ? null : asked.reason, ...asked.also].filter((text) => text);
    return el("tr", { class: asked.verdict },
      el("td", {}, el("span", { class: "mark", "aria-hidden": "true" }, SIGN[asked.verdict] || "?"), " ", word),
      el("td", {}, el("code", {}, asked.name),
        asked.means ? el("span", { class: "means" }, ` ${asked.means}`) : null,
        reasons.map((text) => el("div", { class: "small" }, text))));
  });
}

function properties() {
  return part("properties", "What was checked",
    el("table", { class: "properties" },
      el("thead", { class: "hidden" }, el("tr", {}, el("th", { scope: "col" }, "verdict"), el("th", { scope: "col" }, "must not happen"))),
      el("tbody", {}, propertyRows())));
}

function grounds() {
  const { assumptions, notes, depends_on, confirmed } = view.document;
  const list = (title, texts) => texts.length > 0 &&
    el("div", {}, el("h3", {}, title), el("ul", {}, texts.map((text) => el("li", {}, text))));
  const lists = [
    list("Assumed", assumptions),
    list("Not checked", view.unchecked),
    list("The execution needs", depends_on || []),
    list("Note", [...notes, ...(confirmed ? [`the compiled program: ${confirmed}`] : [])]),
    list("Not on this page", view.left_out),
  ].filter((one) => one);
  return lists.length > 0 && part("grounds", "What the verdict rests on", el("div", { class: "grounds" }, lists));
}

/** Runs that violate a property of several runs together. */
function runs() {
  const hyper = view.document.hyper;
  if (!hyper || !hyper.runs || hyper.runs.length === 0) return null;
  const names = (which) => [...new Set(hyper.runs.flatMap((run) => run[which].map((binding) => binding.variable)))];
  const value = (run, which, name) => (run[which].find((binding) => binding.variable === name) || { value: "" }).value;
  const rows = (which, title) => names(which).map((name) => {
    const values = hyper.runs.map((run) => value(run, which, name));
    const differ = new Set(values).size > 1;
    return el("tr", { class: differ ? "differ" : null }, el("th", { scope: "row" }, `${title} ${name}`),
      values.map((text) => el("td", {}, el("code", {}, text))));
  });
  return part("runs", "The runs side by side", el("p", {}, "Violated: ", el("code", {}, hyper.formula)),
    el("table", { class: "values" }, el("thead", {}, el("tr", {}, el("th", {}, ""), hyper.runs.map((run) => el("th", { scope: "col" }, run.name)))),
      el("tbody", {}, rows("inputs", "input"), rows("outputs", "output"))));
}

function figures() {
  const { rounds, proof_size, states, threads, time, memory_mb, smt, engine, solver, options, commit } = view.document;
  const { before, after } = view.document.size;
  const known = [
    ["Engine", engine], ["Solver", solver], ["Threads", threads],
    ["Program", `${after.locations} locations and ${after.actions} actions (${before.locations} and ${before.actions} as translated)`],
    rounds > 0 && ["Rounds", rounds], proof_size > 0 && ["Assertions", proof_size], states > 0 && ["States", states],
    ["Solver queries", `${smt.queries} in ${smt.seconds.toFixed(2)} s`],
    ["Time", `${time.total.toFixed(2)} s, of that ${time.frontend.toFixed(2)} s for reading`],
    memory_mb > 0 && ["Memory", `${Math.round(memory_mb)} MB`],
    ["Called as", el("code", {}, `braid ${options.join(" ")}`)], ["Commit", commit],
  ].filter((one) => one);
  return part("figures", "Figures",
    el("dl", { class: "figures" }, known.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), progress());
}

/** How assertions or states became more over time, a line for each engine and question. */
function progress() {
  const moments = view.document.progress || [];
  const lines = new Map();
  for (const moment of moments) {
    if (!lines.has(moment.by)) lines.set(moment.by, []);
    lines.get(moment.by).push(moment);
  }
  const drawn = [...lines].filter(([, points]) => points.length > 2).slice(0, 8);
  if (drawn.length === 0) return null;
  const counts = drawn.some(([, points]) => points.some((point) => point.assertions > 0)) ? "assertions" : "states";
  const [width, height, left, bottom] = [640, 170, 60, 26];
  const end = Math.max(...moments.map((moment) => moment.seconds), 0.1);
  const top = Math.max(...drawn.flatMap(([, points]) => points.map((point) => point[counts])), 1);
  const x = (seconds) => left + (width - left - 10) * seconds / end;
  const y = (count) => height - bottom - (height - bottom - 14) * count / top;
  const path = (points) => points.map((point, number) => `${number ? "L" : "M"}${x(point.seconds).toFixed(1)} ${y(point[counts]).toFixed(1)}`).join("");
  const legend = drawn.map(([by, points], number) => el("li", {}, el("span", { class: `swatch ${tint(number)}` }), ` ${by || "engine"}: `,
    points.at(-1).round > 0 ? `round ${points.at(-1).round}, ` : "", `${points.at(-1)[counts]} ${counts}`));
  return [el("h3", {}, `${capital(counts)} over time`),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `${counts} over ${end.toFixed(1)} seconds` },
      svg("path", { d: `M${left} 10V${height - bottom}H${width - 10}`, class: "axis" }),
      svg("text", { x: left - 6, y: 20, class: "tick end" }, top), svg("text", { x: left - 6, y: height - bottom, class: "tick end" }, 0),
      svg("text", { x: width - 10, y: height - 8, class: "tick end" }, `${end.toFixed(1)} s`),
      drawn.map(([, points], number) => svg("path", { d: path(points), class: `curve ${tint(number)}` }))),
    el("ul", { class: "legend" }, legend)];
}
