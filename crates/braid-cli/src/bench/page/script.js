"use strict";
// Sorts and filters the table, and shows how to run a task again.
const table = document.getElementById("runs");
const body = table.tBodies[0];
const rows = [...body.rows];
const headings = [...table.tHead.rows[1].cells];
const text = document.getElementById("text");
const kind = document.getElementById("kind");
const shown = document.getElementById("shown");
const again = document.getElementById("again");

const value = (row, column) => {
  const said = row.cells[column].textContent.trim();
  const number = Number(said);
  return said === "" ? [2, 0, ""] : Number.isNaN(number) ? [1, 0, said] : [0, number, ""];
};
const compare = (left, right) => left[0] - right[0] || left[1] - right[1] || left[2].localeCompare(right[2], "en", { numeric: true });

headings.forEach((heading, column) => heading.firstChild.addEventListener("click", () => {
  const down = heading.getAttribute("aria-sort") === "ascending";
  headings.forEach((other) => other.setAttribute("aria-sort", "none"));
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  rows.sort((left, right) => compare(value(left, column), value(right, column)) * (down ? -1 : 1));
  body.append(...rows);
}));

const solved = ["correct", "answered"];
const fits = (row) => {
  const answers = [...row.querySelectorAll("[data-status]")];
  const words = [row.cells[0], row.cells[1]].map((cell) => cell.textContent);
  words.push(...answers.map((cell) => cell.firstChild.title + " " + cell.textContent));
  if (!words.join(" ").toLowerCase().includes(text.value.trim().toLowerCase())) return false;
  const states = answers.map((cell) => cell.dataset.status);
  switch (kind.value) {
    case "": return true;
    case "-unsolved": return states.some((state) => !solved.includes(state));
    case "-different": return new Set(answers.map((cell) => cell.textContent)).size > 1;
    default: return states.includes(kind.value);
  }
};

// Sums over what is shown, in the order of the columns: solved, cpu, wall, memory.
const sum = (visible) => {
  shown.textContent = visible.length === rows.length ? `all ${rows.length} tasks` : `${visible.length} of ${rows.length} tasks`;
  [...table.tFoot.rows[0].cells].slice(1).forEach((cell, place) => {
    const cells = visible.map((row) => row.cells[place + 3]);
    const numbers = cells.map((one) => Number(one.textContent));
    const total = numbers.reduce((left, right) => left + right, 0);
    cell.textContent = [
      () => `${cells.filter((one) => solved.includes(one.dataset.status)).length} solved`,
      () => total.toFixed(1), () => total.toFixed(1), () => numbers.reduce((left, right) => Math.max(left, right), 0).toFixed(0),
    ][place % 4]();
  });
};
const filter = () => {
  const visible = [];
  for (const row of rows) {
    row.hidden = !fits(row);
    if (!row.hidden) visible.push(row);
  }
  sum(visible);
};
text.addEventListener("input", filter);
kind.addEventListener("input", filter);

body.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  again.textContent = (button.title ? button.title + "\n" : "") + button.dataset.again;
  again.hidden = false;
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") again.hidden = true; });
