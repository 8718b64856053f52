// Figures: one plot, drawn when it comes into sight, in the colours of the page. Needs plotly.js, which is in the page.
(() => {
  const place = document.getElementById("figure-data");
  if (!place) return;
  const figures = JSON.parse(place.textContent);
  const by = (id) => document.getElementById("figure-" + id);
  const chosen = by("chosen"), panel = by("panel"), plot = by("plot");
  const settings = { displayModeBar: false, responsive: true, scrollZoom: false, typesetMath: false };
  const NARROW = 600; // pixels; below, letters are smaller and the legend has less room
  let seen = false;

  // Colours are written var(--name): the value that the page has for it now.
  const coloured = (value, style) => {
    if (typeof value === "string") return value.startsWith("var(") ? style.getPropertyValue(value.slice(4, -1)).trim() : value;
    if (Array.isArray(value)) return value.length && typeof value[0] === "object" ? value.map((each) => coloured(each, style)) : value;
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, coloured(each, style)]));
  };

  const current = () => {
    const figure = figures[Number(chosen.value)];
    return { figure, shown: figure.panels[Number(panel.value)] };
  };

  const draw = () => {
    if (!seen) return;
    const { figure, shown } = current();
    const style = getComputedStyle(document.documentElement);
    const layout = coloured(shown.layout, style);
    layout.font.family = getComputedStyle(document.body).fontFamily;
    if (plot.clientWidth < NARROW) layout.font.size = 11;
    layout.autosize = true;
    plot.setAttribute("aria-label", [figure.title, shown.title].filter(Boolean).join(": "));
    plot.dataset.shown = `${chosen.value}/${panel.value}`;
    plot.style.minHeight = "0";
    Plotly.react(plot, coloured(shown.data, style), layout, settings);
  };

  const describe = () => {
    const { figure, shown } = current();
    by("words").textContent = [figure.caption, shown.note].filter(Boolean).join(" ");
    by("source").textContent = figure.source;
    by("previous").disabled = chosen.selectedIndex <= 0;
    by("next").disabled = chosen.selectedIndex >= chosen.length - 1;
  };

  const show = () => {
    describe();
    draw();
  };

  // The panel of the same name is kept from figure to figure, where there is one.
  const choose = () => {
    const kept = panel.selectedOptions[0]?.textContent;
    const panels = figures[Number(chosen.value)].panels;
    panel.replaceChildren(...panels.map((each, i) => new Option(each.title, i)));
    const same = panels.findIndex((each) => each.title === kept);
    panel.selectedIndex = Math.max(0, same);
    by("panels").hidden = panels.length < 2;
    show();
  };

  const step = (by) => {
    chosen.selectedIndex += by;
    choose();
  };

  chosen.onchange = choose;
  panel.onchange = show;
  by("previous").onclick = () => step(-1);
  by("next").onclick = () => step(1);
  document.addEventListener("theme", draw);
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    seen = true;
    draw();
  }, { rootMargin: "200px" }).observe(plot);
  choose();
})();
