"use strict";
// Sorting, filtering and the theme. Without this script the page shows every row, best first.
(() => {
  const theme = document.getElementById("theme");
  const modes = ["auto", "light", "dark"];

  function show(mode) {
    if (mode === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = mode;
    theme.textContent = `Theme: ${mode}`;
    document.dispatchEvent(new CustomEvent("theme"));
  }

  function remembered() {
    try { return localStorage.getItem("evenrank-theme"); } catch { return null; }
  }

  function remember(mode) {
    try { localStorage.setItem("evenrank-theme", mode); } catch { /* the page may not keep anything: it works without */ }
  }

  let mode = modes.includes(remembered()) ? remembered() : "auto";
  show(mode);
  theme.addEventListener("click", () => {
    mode = modes[(modes.indexOf(mode) + 1) % modes.length];
    remember(mode);
    show(mode);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(mode));

  const table = document.getElementById("board");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows]; // in the order that was asked for last
  const words = new Intl.Collator("en", { numeric: true });
  const numeric = heads.map((head) => head.classList.contains("numeric"));
  const keys = new Map(rows.map((row) => [row, [...row.cells].map(({ dataset }, column) => numeric[column] ? parseFloat(dataset.sort) : dataset.sort)]));

  function sort(column) {
    const head = heads[column];
    const before = head.getAttribute("aria-sort");
    const order = before ? (before === "ascending" ? "descending" : "ascending") : numeric[column] ? "descending" : "ascending";
    const sign = order === "ascending" ? 1 : -1;
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    rows.sort((first, second) => {
      const [a, b] = [keys.get(first)[column], keys.get(second)[column]];
      if (!numeric[column]) return sign * words.compare(a, b);
      return Number.isNaN(a) - Number.isNaN(b) || sign * (a - b) || 0;  // what is undefined comes last either way
    });
    lay();
  }

  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => sort(column)));

  const form = document.querySelector(".filters");
  const text = form.querySelector("input");
  const choices = [...form.querySelectorAll("select")].map((select) => ({ name: select.id.replace("filter-", ""), select }));

  // A control stays whatever name is asked for, and a method without a width stays at every width.
  function fits(row) {
    const named = `${row.cells[0].dataset.sort} ${row.dataset.method}`.toLowerCase().includes(text.value.trim().toLowerCase());
    return (named || row.classList.contains("control"))
      && choices.every(({ name, select: { value } }) => !value || row.dataset[name] === value || (name === "width" && !row.dataset.width));
  }

  // Laying rows out is what takes long: of many the first are in the page, and the controls, until all are asked for.
  const FIRST = 100;
  const by = (id) => document.getElementById(id);
  const counted = (number, more = "") => `${number} ${more}row${number === 1 ? "" : "s"}`;

  function lay(count = FIRST) {
    const fitting = rows.filter(fits);
    const shown = fitting.filter((row, place) => place < count || row.classList.contains("control"));
    body.replaceChildren(...shown);
    table.classList.toggle("one", choices.some(({ name, select }) => name === "searched" && select.value)); // a column that says the same in every row
    by("shown").textContent = `${fitting.length < rows.length ? `${fitting.length} of ` : ""}${counted(rows.length)}`;
    by("more").hidden = shown.length === fitting.length;
    by("cut").textContent = `${counted(fitting.length - shown.length, "more ")} in this order.`;
    by("all").textContent = `Show all ${fitting.length}`;
  }

  by("all").addEventListener("click", () => {
    lay(rows.length);
    table.parentElement.focus({ preventScroll: true }); // the button is gone
  });
  form.addEventListener("input", () => lay());
  form.addEventListener("submit", (event) => event.preventDefault());
  lay();
})();
