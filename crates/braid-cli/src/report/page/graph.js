// Proofs as graphs: the interleavings that were kept, the places of like threads, or the order of locks.

const MOST_DRAWN = 30, MOST_WORDS = 30, LEVEL_GAP = 60, NODE_GAP = 34;

const GRAPH_WORDS = {
  reduction: ["The interleavings that were looked at",
    "Each box says where the threads are and what is known there. Swapping steps that do not disturb each other turns every other interleaving into one of these; a thread in brackets could go on, but that is covered elsewhere."],
  threads: ["The proof as a graph",
    "Each box is a place of one thread, with what holds whenever any thread is there. Every step of every thread keeps what the boxes say of all the others: so it holds however many there are."],
  "lock-order": ["The order of the locks", "An arrow says: while the first lock is held, the second may be waited for. The proof excludes that threads wait for each other in a circle."],
};

/** Levels by the longest way from where nothing leads to, without steps that lead back. */
function levels(graph) {
  const level = new Array(graph.nodes.length).fill(0), open = new Set(), done = new Set(), order = [], back = new Set();
  const visit = (number) => {
    open.add(number);
    graph.edges.forEach((edge, at) => {
      if (edge.from !== number || edge.to === undefined) return;
      if (open.has(edge.to)) back.add(at);
      else if (!done.has(edge.to)) visit(edge.to);
    });
    open.delete(number);
    done.add(number);
    order.unshift(number);
  };
  graph.nodes.forEach((_, number) => { if (!done.has(number)) visit(number); });
  for (const number of order) {
    graph.edges.forEach(({ from, to }, at) => {
      if (from === number && to !== undefined && !back.has(at)) level[to] = Math.max(level[to], level[from] + 1);
    });
  }
  return level;
}

function placedNodes(graph) {
  const level = levels(graph), rows = [];
  level.forEach((depth, number) => { (rows[depth] = rows[depth] || []).push(number); });
  const sizes = graph.nodes.map((node) => {
    const holds = (node.holds || []).map((fact) => cut(fact, 34));
    const kept = holds.length > 5 ? [...holds.slice(0, 4), `… ${holds.length - 4} more`] : holds;
    const asleep = (node.asleep || []).length > 0 ? [`(${cut(node.asleep.join(", "), 32)})`] : [];
    const heads = node.at.length > 4 ? [...node.at.slice(0, 3), `… ${node.at.length - 3} more`] : node.at.length ? node.at : ["start"];
    const lines = [...heads.map((text) => ["at", cut(text, 34)]), ...kept.map((text) => ["holds", text]), ...asleep.map((text) => ["asleep", text])];
    const longest = Math.max(...lines.map(([, text]) => text.length));
    return { lines, width: Math.max(90, longest * 6.6 + 20), height: lines.length * LINE + 12 };
  });
  const rowWidth = (row) => row.reduce((sum, number) => sum + sizes[number].width + NODE_GAP, -NODE_GAP);
  const width = Math.max(...rows.map(rowWidth)) + 70;
  let y = 10;
  const placed = [];
  const parents = (number) => graph.edges.filter((edge) => edge.to === number && placed[edge.from]).map((edge) => placed[edge.from].x + placed[edge.from].width / 2);
  const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
  for (const row of rows) {
    const wish = new Map(row.map((number) => [number, mean(parents(number))]));
    row.sort((a, b) => wish.get(a) - wish.get(b));
    let x = (width - rowWidth(row)) / 2;
    for (const number of row) {
      placed[number] = { ...sizes[number], x, y, level: level[number] };
      x += sizes[number].width + NODE_GAP;
    }
    y += Math.max(...row.map((number) => sizes[number].height)) + LEVEL_GAP;
  }
  return { placed, width, height: y - LEVEL_GAP + 30 };
}

function graphEdge(placed, { from, to, step }, picture, width, number) {
  const a = placed[from], middle = (node) => node.x + node.width / 2;
  const title = step ? svg("title", {}, step) : null;
  const line = (d, x, y) => ({ path: svg("path", { d, class: "arrow has", "marker-end": `url(#${picture}-has)` }, title), word: step ? { x, y, word: cut(stepWords(step), 30), kind: "plain" } : null });
  if (to === undefined) {
    const x = middle(a) + (number % 2 ? 30 : -30);
    return { path: svg("path", { d: `M${x} ${a.y + a.height}v14m-5 -5l10 10m0 -10l-10 10`, class: "arrow never" }, svg("title", {}, `${step || ""} cannot happen`)), word: null };
  }
  const b = placed[to];
  if (from === to) return line(`M${a.x + a.width} ${a.y + 8}c26 -8 26 24 0 14`, a.x + a.width + 40, a.y + 14);
  if (b.level > a.level) {
    const [x1, y1, x2, y2] = [middle(a), a.y + a.height, middle(b), b.y];
    if (b.level > a.level + 1) {
      // Round the boxes that are in the way: the middle of the curve is right of them.
      const [low, high] = [Math.min(x1, x2) - 20, Math.max(x1, x2) + 20];
      const way = placed.filter((node) => node.level > a.level && node.level < b.level && node.x < high && node.x + node.width > low);
      const right = Math.min(width - 6, Math.max(high, ...way.map((node) => node.x + node.width + 14)));
      const far = (8 * right - x1 - x2 - 40) / 6;
      return line(`M${x1 + 20} ${y1}C${far} ${y1 + 20} ${far} ${y2 - 20} ${x2 + 20} ${y2}`, right, (y1 + y2) / 2);
    }
    return line(`M${x1} ${y1}C${x1} ${y1 + 24} ${x2} ${y2 - 24} ${x2} ${y2}`, (x1 + x2) / 2, (y1 + y2) / 2);
  }
  const side = (number % 2 ? -1 : 1), edge = (node) => (side > 0 ? node.x + node.width : node.x);
  const far = side > 0 ? Math.min(width - 4, Math.max(edge(a), edge(b)) + 44) : Math.max(4, Math.min(edge(a), edge(b)) - 44);
  const [y1, y2] = [a.y + a.height / 2, b.y + b.height / 2];
  return line(`M${edge(a)} ${y1}C${far} ${y1} ${far} ${y2} ${edge(b)} ${y2}`, (far * 3 + edge(a) + edge(b)) / 5, (y1 + y2) / 2);
}

/** Who does what, without the library's long names; where, the boxes say. */
function stepWords(step) {
  const [who, ...rest] = step.replace(/ \(line \d+\)$/, "").split(": ");
  return [who, ...rest.map((text) => text.replace(CALLS, ""))].join(": ");
}

/** Words where no others are. */
function apart(words) {
  const done = [];
  const meets = (a, b) => Math.abs(a.y - b.y) < 15 && Math.abs(a.x - b.x) < (a.word.length + b.word.length) * 3.4 + 8;
  for (const word of words) {
    const moved = [0, 15, -15, 30, -30].map((by) => ({ ...word, y: word.y + by })).find((one) => !done.some((other) => meets(one, other)));
    if (moved) done.push(moved);
  }
  return done;
}

function drawnGraph(graph, number) {
  if (!graph || graph.nodes.length < 2 || (graph.shape === "lock-order" && graph.edges.length === 0)) return null;
  const [title, words] = GRAPH_WORDS[graph.shape];
  if (graph.nodes.length > MOST_DRAWN) return { width: Infinity, parts: [el("h3", {}, title), el("p", { class: "small" }, `It has ${graph.nodes.length} places: too many to be drawn.`)] };
  const { placed, width, height } = placedNodes(graph), picture = `graph-${number}`;
  const lines = graph.edges.map((edge, at) => graphEdge(placed, edge, picture, width, at));
  // The steps of one thread lead from line to line anyhow.
  const worded = graph.shape === "reduction" && graph.edges.length <= MOST_WORDS;
  const table = el("details", {}, el("summary", {}, "The graph as a list"), el("ul", {}, graph.edges.map(({ from, to, step }) =>
    el("li", {}, `${graph.nodes[from].at.join(", ") || "start"} → ${to === undefined ? "cannot happen" : graph.nodes[to].at.join(", ") || "start"}${step ? `: ${step}` : ""}`))));
  const never = graph.edges.some((edge) => edge.to === undefined) ? " A cross marks a step into a violation: the facts say that it cannot happen." : "";
  const parts = [el("h3", {}, title), el("p", {}, words, never),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${title}: ${counted(graph.nodes.length, "place")}, ${counted(graph.edges.length, "step")}` },
        heads(picture, ["has"]), lines.map(({ path }) => path),
        placed.map((node) => svg("g", { class: "state" }, svg("rect", { x: node.x, y: node.y, width: node.width, height: node.height, rx: 6 }),
          node.lines.map(([kind, text], line) => svg("text", { x: node.x + 10, y: node.y + 18 + LINE * line, class: kind }, text)))),
        worded && apart(lines.map(({ word }) => word).filter((word) => word)).map(label))),
    table];
  return { width, parts };
}
