// The gallery: choose a search, two methods and a query. Whatever comes from the data is set as text, never as markup.
(() => {
  const place = document.getElementById("gallery-data");
  if (!place) return;
  const data = JSON.parse(place.textContent);
  const by = (id) => document.getElementById("gallery-" + id);
  const search = by("search"), query = by("query");
  const sides = [
    { method: by("left-method"), shown: by("left") },
    { method: by("right-method"), shown: by("right") },
  ];
  const COARSE = 40; // pixels; smaller pictures are shown with their pixels

  const make = (kind, className, text) => {
    const element = document.createElement(kind);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const fill = (select, options, wanted) => {
    select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    if (options.some(([value]) => value === wanted)) select.value = wanted;
  };

  const searched = () => data.searches[Number(search.value)];
  const study = (side) => (side.method.value === "" ? undefined : searched().studies[Number(side.method.value)]);
  const look = (modality, row) => (data.items[modality] || {})[row] || {};
  const short = (value) => (value === null ? "undefined" : Number(value.toPrecision(4)).toString());
  const entryOf = (side, row) => study(side)?.entries.find((entry) => String(entry.query) === row);

  const tile = (kind, modality, row, state) => {
    const item = look(modality, row);
    const box = make(kind, "gallery-item " + state);
    const named = item.label || "row " + row;
    const said = { relevant: ", relevant", irrelevant: ", not relevant", asked: "" }[state];
    if (item.picture) {
      const image = make("img");
      image.onload = () => image.classList.toggle("coarse", image.naturalWidth < COARSE);
      image.src = item.picture;
      image.alt = named + said;
      box.append(image);
    } else if (item.text !== undefined) {
      box.append(make("p", "words", item.text));
    }
    box.append(make("p", "named", named));
    box.title = named + ", row " + row + said;
    if (!item.picture && said) box.lastChild.setAttribute("aria-label", named + said);
    return box;
  };

  const described = (group) => {
    const distance = "distance " + short(group.distance);
    if (group.size === 1) return distance;
    const cut = group.rows.length < group.size ? `; ${group.rows.length} shown` : "";
    return `${distance}: ${group.size.toLocaleString("en")} tied, ${group.relevant.toLocaleString("en")} of them relevant${cut}`;
  };

  const boxed = (group, modality) => {
    const box = make("li", "gallery-group");
    const items = make("ul", "gallery-items");
    group.rows.forEach((row, i) => items.append(tile("li", modality, row, group.hits[i] ? "relevant" : "irrelevant")));
    box.append(make("p", "", described(group)), items);
    return box;
  };

  const valued = (entry) => {
    if (entry.value === null) return "";
    const [worst, best] = entry.range || [entry.value, entry.value];
    const range = worst < best ? `, between ${short(worst)} and ${short(best)} by the order of ties` : "";
    return `${data.judge} ${short(entry.value)}${range}`;
  };

  const showSide = (side, row) => {
    const chosen = study(side);
    side.shown.replaceChildren();
    if (!chosen) return;
    const entry = entryOf(side, row);
    side.shown.append(make("h3", "", chosen.name));
    if (!entry) {
      side.shown.append(make("p", "gallery-note", "Of this query no ranking is kept: it is another method's own."));
      return;
    }
    const groups = make("ol", "gallery-groups");
    groups.append(...entry.groups.map((group) => boxed(group, entry.answers)));
    side.shown.append(make("p", "gallery-note", valued(entry)), groups);
  };

  const show = () => {
    const row = query.value;
    const entry = sides.map((side) => entryOf(side, row)).find((found) => found);
    by("asked").replaceChildren();
    if (entry) by("asked").append(tile("div", entry.asks, entry.query, "asked"));
    sides.forEach((side) => showSide(side, row));
    by("previous").disabled = query.selectedIndex <= 0;
    by("next").disabled = query.selectedIndex >= query.length - 1;
  };

  const offered = () => {
    const kept = query.value, groups = new Map();
    for (const side of sides) {
      const chosen = study(side);
      for (const entry of chosen ? chosen.entries : []) {
        const title = entry.why === "chosen" ? "Chosen" : `${entry.why[0].toUpperCase()}${entry.why.slice(1)} of ${chosen.name}`;
        if (!groups.has(title)) groups.set(title, new Map());
        const named = look(entry.asks, entry.query).label;
        groups.get(title).set(String(entry.query), (named ? named + ", " : "") + "row " + entry.query);
      }
    }
    query.replaceChildren(...[...groups].map(([title, rows]) => {
      const group = make("optgroup");
      group.label = title;
      group.append(...[...rows].map(([row, text]) => new Option(text, row)));
      return group;
    }));
    if ([...query.options].some((option) => option.value === kept)) query.value = kept;
    show();
  };

  const methods = () => {
    const options = searched().studies.map((each, i) => [String(i), each.name]);
    const { first, omitted } = searched();
    fill(sides[0].method, options, String(first[0]));
    fill(sides[1].method, [...options, ["", "nothing"]], String(first[1] ?? ""));
    by("omitted").hidden = !omitted;
    by("omitted").textContent = `${omitted} more have rankings in the store; those with the best ${data.judge} are here.`;
    offered();
  };

  const step = (by) => {
    query.selectedIndex += by;
    show();
  };

  fill(search, data.searches.map((each, i) => [String(i), each.name]));
  search.onchange = methods;
  sides.forEach((side) => (side.method.onchange = offered));
  query.onchange = show;
  by("previous").onclick = () => step(-1);
  by("next").onclick = () => step(1);
  methods();
})();
