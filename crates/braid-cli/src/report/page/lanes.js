// The interleaving: a lane for each thread, time from top to bottom, and arrows for what goes from one thread to another.

const GUTTER = 64, HEAD = 38, GAP = 10, LINE = 15, ARROWS = ["start", "join", "lock", "flow", "clash"];

/** How the names of the library begin, which are long and say nothing new. */
const CALLS = /^pthread_(mutex_|rwlock_|spin_|cond_|barrier_)?(?=\w+\()/;

/** What a row says in its box. */
function rowText(story, row) {
  const name = (thread) => story.threads[thread].name;
  switch (row.kind) {
    case "start": {
      const children = story.threads.filter((lane) => story.rows[lane.started_by] === row).map((lane) => lane.name);
      return `start ${listed(children.length ? children : [row.other === undefined ? row.text : name(row.other)])}`;
    }
    case "join": return row.other === undefined ? row.text : `join ${name(row.other)}`;
    case "lock": return row.object ? `lock ${row.object}` : row.text;
    case "unlock": return row.object ? `unlock ${row.object}` : row.text;
    case "test": return row.outcome === undefined ? row.text : `${row.text} → ${row.outcome}`;
    case "return": return `back in ${row.function || row.text}`;
    default: return row.text.replace(CALLS, "");
  }
}

/** A change in words. What a parameter held before its function is called is of no interest. */
const changeText = (row) => ({ name, value, before, chosen }) =>
  `${name}: ${before !== undefined && before !== value && row.kind !== "call" ? `${before} → ` : ""}${value}${chosen ? " (any value)" : ""}`;

/** What a row says in small letters under its text. */
function rowDetails(row) {
  const changes = (row.changes || []).map(changeText(row));
  return [...(row.note ? [row.note] : []), ...changes];
}

/** The rows to show: those that matter and, so that nobody comes out of nowhere, those that start their threads; or all. */
function shownRows(story, all) {
  const acting = new Set(story.rows.filter((row) => row.matters).map((row) => row.thread));
  const starts = new Set(story.threads.filter((_, thread) => acting.has(thread)).map((lane) => lane.started_by));
  return story.rows.map((_, number) => number).filter((number) => all || story.rows[number].matters || starts.has(number));
}

/** The threads that do something that goes wrong. */
const guilty = (story) => new Set((story.ending.spots || []).map((spot) => spot.thread));

/** Where everything is in the picture. */
function arranged(story, shown, room) {
  const used = new Set(shown.map((row) => story.rows[row].thread));
  story.threads.forEach((lane, thread) => { if (shown.includes(lane.started_by)) used.add(thread); });
  const threads = [...used].sort((a, b) => a - b);
  const width = Math.max(148, Math.min(300, Math.floor((room - GUTTER) / Math.max(1, threads.length))));
  const characters = Math.floor((width - 32) / 6.95);
  const column = new Map(threads.map((thread, number) => [thread, GUTTER + number * width]));
  let y = HEAD + GAP;
  const boxes = new Map();
  for (const number of shown) {
    const row = story.rows[number];
    const lines = wrapped(rowText(story, row), characters, 3);
    const details = rowDetails(row).flatMap((text) => wrapped(text, characters, 2)).slice(0, 4);
    const height = 10 + LINE * (lines.length + details.length);
    boxes.set(number, { x: column.get(row.thread) + 9, y, width: width - 18, height, lines, details, thread: row.thread });
    y += height + GAP;
  }
  return { threads, width, column, boxes, height: y + 6, whole: GUTTER + threads.length * width, shown };
}

/** The row after which a thread is over: somebody has waited for its end. */
const joinOf = (story, place, thread) =>
  place.shown.find((row) => story.rows[row].kind === "join" && story.rows[row].other === thread);

function lifelines(story, place) {
  const middle = (thread) => place.column.get(thread) + place.width / 2;
  const centre = (row) => place.boxes.get(row).y + place.boxes.get(row).height / 2;
  return place.threads.map((thread) => {
    const lane = story.threads[thread];
    const from = place.boxes.has(lane.started_by) ? centre(lane.started_by) : HEAD;
    const joined = joinOf(story, place, thread);
    const to = joined === undefined ? place.height - 4 : centre(joined);
    return [svg("path", { d: `M${middle(thread)} ${from}V${to}`, class: `life ${tint(thread)}` }),
      svg("text", { x: middle(thread), y: 24, class: `name ${tint(thread)}` }, cut(lane.name, Math.floor(place.width / 8.5)))];
  });
}

/** Bars beside the boxes while a thread holds a lock. */
function lockBars(story, place) {
  const bars = [], open = new Map();
  const end = (key, y) => {
    const { thread, from, object, depth } = open.get(key);
    open.delete(key);
    bars.push(svg("rect", { x: place.column.get(thread) + 1 + depth * 4, y: from, width: 3, height: Math.max(4, y - from), rx: 1.5, class: "held" },
      svg("title", {}, `${story.threads[thread].name} holds ${object}`)));
  };
  for (const number of place.shown) {
    const row = story.rows[number], box = place.boxes.get(number), key = `${row.thread} ${row.object}`;
    if (row.kind === "lock" && !open.has(key)) {
      const depth = [...open.values()].filter(({ thread }) => thread === row.thread).length;
      open.set(key, { thread: row.thread, from: box.y, object: row.object, depth: Math.min(depth, 1) });
    } else if (row.kind === "unlock" && open.has(key)) end(key, box.y + box.height);
  }
  [...open.keys()].forEach((key) => end(key, place.height - 8));
  return bars;
}

/** An arrow from a box to a box in another lane, with a word on it. */
function arrow(place, from, to, kind, word, shift = 0) {
  const a = place.boxes.get(from), b = place.boxes.get(to);
  if (!a || !b) return null;
  const right = b.x > a.x;
  const [x1, x2] = [right ? a.x + a.width : a.x, right ? b.x : b.x + b.width];
  const [y1, y2] = [a.y + a.height / 2 + shift, b.y + Math.min(b.height / 2, 14) + shift];
  const bend = Math.max(26, Math.abs(x2 - x1) / 2) * (right ? 1 : -1);
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return { path, kind, word, x: (x1 + x2) / 2, y: (y1 + y2) / 2, since: place.shown.indexOf(Math.max(from, to)) + 1 };
}

/** An arrow to or from a lane's line, at the height of a box. */
function level(place, row, thread, kind) {
  const box = place.boxes.get(row), middle = place.column.get(thread) + place.width / 2;
  if (!box || !place.column.has(thread)) return null;
  const y = box.y + box.height / 2, edge = middle > box.x ? box.x + box.width : box.x;
  const path = kind === "join" ? `M${middle} ${y}H${edge}` : `M${edge} ${y}H${middle}`;
  return { path, kind, word: null, since: place.shown.indexOf(row) + 1 };
}

/** What a row reads of others. What a thread finds when it is started needs no arrow of its own. */
const flowsInto = (story, row) => (row.reads || []).filter((flow) => story.rows[flow.row].kind !== "start");

function arrows(story, place) {
  const all = [];
  story.threads.forEach((lane, thread) => all.push(level(place, lane.started_by, thread, "start")));
  for (const number of place.shown) {
    const row = story.rows[number];
    if (row.kind === "join" && row.other !== undefined) all.push(level(place, number, row.other, "join"));
    if (row.after !== undefined) all.push(arrow(place, row.after, number, "lock", row.object ? base(row.object) : "signal", -4));
    flowsInto(story, row).slice(0, 3).forEach((flow, at) => all.push(arrow(place, flow.row, number, "flow", flow.name, 4 + 5 * at)));
  }
  return all.filter((one) => one);
}

/** The end of a data race: both accesses at once. */
function clash(story, place, picture) {
  const spots = story.ending.spots || [];
  if (spots.length !== 2 || spots.some((spot) => spot.does === undefined)) return null;
  const [a, b] = spots.map((spot) => place.shown.filter((row) => story.rows[row].thread === spot.thread).at(-1)).sort((x, y) => x - y);
  const one = a === undefined || b === undefined ? null : arrow(place, a, b, "clash", "at the same time");
  return one && [svg("path", { d: one.path, class: "arrow clash", "data-since": one.since, "marker-end": `url(#${picture}-clash)`, "marker-start": `url(#${picture}-clash)` }), label(one)];
}

function label({ x, y, word, kind, since }) {
  if (!word) return null;
  const text = cut(word, 22), half = text.length * 3.3 + 5;
  return svg("g", { class: `word ${kind}`, "data-since": since }, svg("rect", { x: x - half, y: y - 8, width: 2 * half, height: 16, rx: 4 }),
    svg("text", { x, y: y + 3.5 }, text));
}

function stepBox(story, place, number, step, finding) {
  const row = story.rows[number], box = place.boxes.get(number);
  const last = place.shown.filter((other) => story.rows[other].thread === row.thread).at(-1) === number;
  const wrong = last && guilty(story).has(row.thread) && !["start", "join"].includes(row.kind);
  const said = `step ${step}, thread ${story.threads[row.thread].name}, ${at(row.place)}: ${rowText(story, row)}`;
  return svg("g", { class: `step ${tint(row.thread)} ${row.kind}${wrong ? " wrong" : ""}`, "data-step": step, "data-of": finding,
    role: "listitem", "aria-label": [said, ...rowDetails(row)].join("; ") },
    svg("title", {}, [row.text, ...rowDetails(row)].join("\n")),
    svg("rect", { class: "hit", x: 0, y: box.y - GAP / 2, width: place.whole, height: box.height + GAP }),
    svg("text", { x: 18, y: box.y + 18, class: "count" }, step),
    svg("text", { x: GUTTER - 6, y: box.y + 18, class: "tick end" }, single ? `:${row.place.line}` : cut(`${base(row.place.file)}:${row.place.line}`, 8)),
    svg("rect", { class: "box", x: box.x, y: box.y, width: box.width, height: box.height, rx: 5 }),
    box.lines.map((text, line) => svg("text", { x: box.x + 8, y: box.y + 17 + LINE * line, class: "code" }, text)),
    box.details.map((text, line) => svg("text", { x: box.x + 8, y: box.y + 17 + LINE * (box.lines.length + line), class: "detail" }, text)));
}

/** The picture of an execution. */
function interleaving(finding, story, shown) {
  const place = arranged(story, shown, 750), picture = `lanes-${finding}`;
  const names = place.threads.map((thread) => story.threads[thread].name);
  const lines = arrows(story, place);
  const circle = place.shown.filter((row) => story.rows[row].repeated).map((row) => place.boxes.get(row));
  return svg("svg", { class: "lanes", viewBox: `0 0 ${place.whole} ${place.height}`, width: place.whole, height: place.height, role: "list",
    "aria-label": `${counted(shown.length, "step")} of the threads ${listed(names)}, from top to bottom` },
    heads(picture, ARROWS), svg("text", { x: 4, y: 24, class: "tick" }, "step"), svg("text", { x: GUTTER - 6, y: 24, class: "tick end" }, "line"),
    lifelines(story, place),
    circle.length > 0 && svg("path", { class: "repeat", d: `M6 ${circle[0].y}H2V${circle.at(-1).y + circle.at(-1).height}H6` }, svg("title", {}, "repeated for ever")),
    shown.map((row, number) => stepBox(story, place, row, number + 1, finding)),
    lockBars(story, place),
    lines.map((one) => svg("path", { d: one.path, class: `arrow ${one.kind}`, "data-since": one.since, "marker-end": `url(#${picture}-${one.kind})` })),
    lines.map(label), clash(story, place, picture));
}

/** What the lines mean: only those that are there. */
function legend(story, shown) {
  const rows = shown.map((row) => story.rows[row]);
  const known = [
    ["start", "starts a thread", story.threads.some((lane) => shown.includes(lane.started_by))],
    ["join", "waits for its end", rows.some((row) => row.kind === "join")],
    ["lock", "hands over a lock", rows.some((row) => row.after !== undefined)],
    ["flow", "reads what the other wrote", rows.some((row) => flowsInto(story, row).some((flow) => shown.includes(flow.row)))],
    ["held", "holds a lock", rows.some((row) => row.kind === "lock")],
  ];
  return el("ul", { class: "legend" }, known.filter(([, , there]) => there).map(([kind, words]) => el("li", {}, el("span", { class: `key ${kind}`, "aria-hidden": "true" }), ` ${words}`)));
}
