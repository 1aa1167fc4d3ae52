// What goes wrong in one picture: both accesses of a data race, or the circle of a deadlock.

function sourceLine(place) {
  for (const { file, pieces } of view.sources) {
    if (file !== place.file) continue;
    for (const { first, lines } of pieces) if (place.line >= first && place.line < first + lines.length) return lines[place.line - first];
  }
  return null;
}

/** A line of the source, with the piece that is meant marked. */
function excerpt(place) {
  const text = sourceLine(place);
  if (text === null) return null;
  const characters = [...text], start = place.column - 1;
  const end = place.end_line === place.line ? place.end_column - 1 : characters.length;
  if (end === start) return el("pre", { class: "excerpt" }, el("span", { class: "number" }, place.line), el("code", {}, text.trim()));
  const piece = (from, to) => characters.slice(from, to).join("");
  return el("pre", { class: "excerpt" }, el("span", { class: "number" }, place.line), el("code", {},
    piece(0, start).trimStart(), el("mark", {}, piece(start, end)), piece(end)));
}

const heldWords = (holds) => (holds.length === 0
  ? el("p", { class: "held-by none" }, "holds no lock")
  : holds.map(({ name, place }) => el("p", { class: "held-by" }, "holds ", el("code", {}, name), place ? `, taken in ${at(place)}` : "")));

function racePicture(story) {
  const spots = [...story.ending.spots].reverse();
  const side = (spot) => el("div", { class: `access ${tint(spot.thread)}` },
    el("p", { class: "who" }, "thread ", el("strong", {}, story.threads[spot.thread].name)),
    el("p", { class: "does" }, spot.does, spot.object ? [" ", el("code", {}, spot.object)] : null), excerpt(spot.place), heldWords(spot.holds || []));
  const object = spots.map((spot) => spot.object).find((name) => name);
  return el("div", { class: "race", role: "group", "aria-label": "both accesses" }, side(spots[0]),
    el("div", { class: "bolt" }, el("span", { class: "sign", "aria-hidden": "true" }, "⚡"), el("p", {}, "at the same time"), object ? el("code", {}, object) : null), side(spots[1]));
}

/** The threads that wait for each other in a circle, in order; none if nobody comes round. */
function circleOf(spots) {
  const of = (thread) => spots.find((spot) => spot.thread === thread);
  for (const start of spots) {
    const way = [];
    for (let spot = start; spot && !way.includes(spot); spot = of(spot.waits_for)) {
      way.push(spot);
      if (spot.waits_for === start.thread) return way;
    }
  }
  return [];
}

/** Where nodes stand on an oval, and the line between two of them, from border to border. */
function oval(count, width, height) {
  const angle = (number) => -Math.PI / 2 + 2 * Math.PI * number / count;
  return (number) => ({ x: width / 2 + (width / 2 - 105) * Math.cos(angle(number)), y: height / 2 + (height / 2 - 40) * Math.sin(angle(number)) });
}

function between(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const leave = (node, sign) => {
    const scale = Math.min(node.w / Math.abs(dx || 1e-9), node.h / Math.abs(dy || 1e-9));
    return [node.x + sign * dx * scale, node.y + sign * dy * scale];
  };
  const [[x1, y1], [x2, y2]] = [leave(a, 1), leave(b, -1)];
  return { d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`, x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}

function deadlockPicture(number, story) {
  const spots = story.ending.spots || [], circle = circleOf(spots);
  const name = (thread) => story.threads[thread].name;
  const nodes = [], edges = [];
  circle.forEach((spot) => {
    nodes.push({ kind: "thread", thread: spot.thread, text: name(spot.thread) });
    if (spot.object) nodes.push({ kind: "lock", text: spot.object });
  });
  const count = nodes.length, [width, height] = [560, count > 4 ? 400 : count > 2 ? 320 : 190];
  const where = count === 2 ? (at) => ({ x: at ? width - 130 : 130, y: height / 2 }) : oval(count, width, height);
  nodes.forEach((node, at) => Object.assign(node, where(at), node.kind === "lock" ? { w: Math.min(90, 16 + node.text.length * 4), h: 17 } : { w: Math.min(100, 26 + node.text.length * 4.6), h: 21 }));
  let next = 0;
  circle.forEach((spot) => {
    const [thread, step] = [nodes[next], spot.object ? 2 : 1];
    const helper = nodes[(next + step) % count];
    if (spot.object) {
      const lock = nodes[next + 1], holder = spots.find((other) => other.thread === spot.waits_for);
      const held = holder && (holder.holds || []).find((one) => one.name === spot.object);
      edges.push({ ...between(thread, lock), kind: "wants", word: `waits, ${at(spot.place)}` });
      edges.push({ ...between(lock, helper), kind: "has", word: held && held.place ? `held since ${at(held.place)}` : "held" });
      if (count === 2) { edges.at(-2).d = shifted(edges.at(-2), -14); edges.at(-1).d = shifted(edges.at(-1), 14); edges.at(-2).y -= 14; edges.at(-1).y += 14; }
    } else edges.push({ ...between(thread, helper), kind: "wants", word: `waits for, ${at(spot.place)}` });
    next += step;
  });
  const picture = `circle-${number}`;
  const drawn = circle.length > 0 && svg("svg", { class: "circle", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": circle.map((spot) => spot.label).join("; ") }, heads(picture, ["wants", "has"]),
    edges.map((edge) => svg("path", { d: edge.d, class: `arrow ${edge.kind}`, "marker-end": `url(#${picture}-${edge.kind})` })),
    nodes.map((node) => svg("g", { class: `node ${node.kind} ${node.kind === "thread" ? tint(node.thread) : ""}` },
      svg("rect", { x: node.x - node.w, y: node.y - node.h, width: 2 * node.w, height: 2 * node.h, rx: node.kind === "lock" ? 17 : 6 }),
      node.kind === "thread" && svg("text", { x: node.x, y: node.y - 5, class: "tick" }, "thread"),
      svg("text", { x: node.x, y: node.y + (node.kind === "thread" ? 11 : 4), class: "name" }, cut(node.text, 22)))),
    edges.map(label));
  const others = spots.filter((spot) => !circle.includes(spot));
  return el("div", { class: "deadlock" }, drawn,
    el("div", {}, circle.length > 0 && el("p", {}, circle.length > 1 ? "Each waits for what the next one holds, so nobody ever goes on:" : "It waits for what it holds itself:"),
      el("ul", {}, [...circle, ...others].map((spot) => el("li", { class: tint(spot.thread) }, spot.label, ` (${at(spot.place)})`)))));
}

const shifted = ({ d }, by) => d.replace(/([ML])(\S+) (\S+?)(?=[ML]|$)/g, (_, letter, x, y) => `${letter}${x} ${Number(y) + by}`);

function wrongPicture(number, { story }) {
  const spots = story.ending.spots || [];
  if (spots.length === 2 && spots.every((spot) => spot.does)) return racePicture(story);
  if (story.ending.title === "deadlock" && spots.length > 0) return deadlockPicture(number, story);
  return spots.slice(0, 4).map((spot) => el("div", { class: `access alone ${tint(spot.thread)}` },
    story.threads[spot.thread] && el("p", { class: "who" }, "thread ", el("strong", {}, story.threads[spot.thread].name), `, ${at(spot.place)}`),
    excerpt(spot.place), spot.label ? el("p", {}, spot.label) : null));
}
