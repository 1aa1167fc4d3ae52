// Elements of the page. Texts become text nodes: nothing that a program holds is ever read as markup.

const view = JSON.parse(document.getElementById("view").textContent);
const page = document.getElementById("page");
const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(4)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return element;
}

const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

/** A part of the page with a heading, for readers with and without eyes. */
function part(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

/** A sentence with its code, which stands between backticks. */
const prose = (text) => text.split("`").map((piece, number) => (number % 2 ? el("code", {}, piece) : piece));

/** Puts other children into an element. */
function refill(element, ...children) {
  element.replaceChildren();
  return filled(element, {}, children);
}

const cut = (text, most) => {
  const characters = [...text];
  return characters.length <= most ? text : characters.slice(0, Math.max(1, most - 1)).join("") + "…";
};
const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const base = (file) => file.split("/").pop();
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
/** The class that colours what belongs to a thread. */
const tint = (thread) => `t${thread % 8}`;

/** Is the program one file? Then places are lines. */
const single = view !== null && view.sources.length < 2;
const at = (place) => (single ? `line ${place.line}` : `${base(place.file)}:${place.line}`);

/** An arrow head for each kind of line, once for a picture. */
function heads(picture, kinds) {
  return svg("defs", {}, kinds.map((kind) =>
    svg("marker", { id: `${picture}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" },
      svg("path", { d: "M0 0.5 L8 4 L0 7.5 z", class: `head ${kind}` }))));
}

/** A long word in pieces of at most so many characters: rather after a mark than in the middle of a name, but not right at the beginning. */
function pieces(word, width) {
  if (word.length <= width) return [word];
  const start = word.slice(0, width);
  const after = ["(),;>=/", "[._"].map((marks) => Math.max(...[...marks].map((mark) => start.lastIndexOf(mark))) + 1);
  const at = after.find((end) => 3 * end > width) ?? width;
  return [word.slice(0, at), ...pieces(word.slice(at), width)];
}

/** Lines of at most so many characters, broken at spaces where there are some. */
function wrapped(text, width, most) {
  const lines = [""];
  for (const word of text.split(" ").flatMap((word) => pieces(word, width))) {
    const last = lines.at(-1);
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const kept = lines.slice(0, most).map((line) => cut(line, width));
  if (lines.length > most) kept[most - 1] = cut(`${kept[most - 1]} …`, width);
  return kept;
}
