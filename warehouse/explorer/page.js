"use strict";
const PAGE = 100;
const state = { all: [], tools: [], shown: [], limit: PAGE, current: null };
const byId = (id) => document.getElementById(id);

// The only way data reach the document: as text of a new element.
function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key === "text") made.textContent = value;
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

async function read() {
  const coded = atob(byId("data").textContent);
  const bytes = Uint8Array.from(coded, (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const words = (value) => (value === null || value === undefined ? "none" : String(value).replaceAll("_", " "));
const json = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

function fillFilters() {
  const task = (pick) => state.all.flatMap((session) => session.tasks.map(pick));
  const values = {
    language: state.all.map((s) => s.language), split: state.all.map((s) => s.split), category: state.all.map((s) => s.category),
    type: task((t) => t.type), topology: task((t) => t.topology), hidden: task((t) => t.hidden && t.hidden.kind),
  };
  for (const [name, found] of Object.entries(values)) {
    const select = byId("filters").elements[name];
    select.append(element("option", { value: "", text: "all" }));
    for (const value of [...new Set(found.filter(Boolean))].sort()) {
      select.append(element("option", { value, text: words(value) }));
    }
  }
}

function matches(session, wanted) {
  for (const name of ["language", "split", "category"]) if (wanted[name] && session[name] !== wanted[name]) return false;
  const one = session.tasks.some((task) =>
    (!wanted.type || task.type === wanted.type) && (!wanted.topology || task.topology === wanted.topology) &&
    (!wanted.hidden || (task.hidden && task.hidden.kind === wanted.hidden)));
  return one && (!wanted.words || session.search.includes(wanted.words));
}

function filter() {
  const fields = byId("filters").elements;
  const wanted = { words: fields.words.value.trim().toLowerCase() };
  for (const name of ["language", "split", "category", "type", "topology", "hidden"]) wanted[name] = fields[name].value;
  state.shown = state.all.filter((session) => matches(session, wanted));
  state.limit = PAGE;
  const tasks = state.shown.reduce((sum, session) => sum + session.tasks.length, 0);
  byId("count").textContent = `${state.shown.length} of ${state.all.length} sessions, ${tasks} tasks`;
  list();
  if (!state.shown.includes(state.current)) show(state.shown[0] || null);
  if (!byId("view-statistics").hidden) plots();
}

// Cut between words, where there are blanks, and say so.
function shortened(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const blank = cut.lastIndexOf(" ");
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut).replace(/[\s,;:，；：]+$/, "")}…`;
}

function list() {
  const items = state.shown.slice(0, state.limit).map((session) => {
    const button = element("button", { type: "button", "data-id": session.id, text: shortened(session.tasks[0].user, 90) },
      element("small", { text: `${session.id} · ${session.language} · ${session.tasks.map((t) => t.type).join(", ")}` }));
    if (session === state.current) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => show(session));
    return element("li", {}, button);
  });
  byId("list").replaceChildren(...items);
  byId("more").hidden = state.shown.length <= state.limit;
}

function show(session) {
  state.current = session;
  for (const button of document.querySelectorAll("#list button")) {
    if (session && button.dataset.id === session.id) {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({ block: "nearest" });
    } else button.removeAttribute("aria-current");
  }
  const target = byId("session");
  if (!session) return target.replaceChildren(element("p", { text: "No session matches." }));
  target.lang = session.language;
  const tags = [session.language, session.split, session.category, session.subcategory, `now ${session.now}`];
  target.replaceChildren(
    element("h2", { text: session.id }), tagList(tags), toolList(session),
    ...session.tasks.flatMap((task, number) => showTask(task, number)));
}

const tagList = (tags) => element("ul", { class: "tags" }, ...tags.map((text) => element("li", { text })));

function toolList(session) {
  const tools = session.tools.map((index) => {
    const called = state.tools[index].function;
    return element("div", {}, element("strong", { text: called.name }), document.createTextNode(` ${called.description || ""}`),
      element("pre", { text: json(called.parameters) }));
  });
  return element("details", {}, element("summary", { text: `${tools.length} tools` }), ...tools);
}

function turn(kind, who, text) {
  return element("div", { class: `turn ${kind}` }, element("b", { text: who }), document.createTextNode(text));
}

function showTask(task, number) {
  const tags = [words(task.type)];
  if (task.topology) tags.push(words(task.topology));
  if (task.hidden) tags.push(`${words(task.hidden.kind)}${task.hidden.device ? `, ${words(task.hidden.device)}` : ""}: ${task.hidden.piece} of task ${task.hidden.said_in + 1}`);
  const turns = [turn("user", "user", task.user)];
  for (const step of task.steps) {
    for (const index of step) {
      const action = task.actions[index];
      if (action.kind === "ask") turns.push(turn("", `assistant asks for ${action.slots.join(", ")}`, action.question), turn("user", "user", action.reply));
      else if (action.kind === "answer") turns.push(turn("", "assistant", action.text));
      else turns.push(element("div", { class: "turn call" }, element("b", { text: `call ${index + 1}: ${action.name}` }),
        element("pre", { text: json(action.arguments) }),
        element("details", { open: "" }, element("summary", { text: "observation" }), element("pre", { text: json(action.observation) }))));
    }
  }
  return [element("h3", { text: `Task ${number + 1}` }), tagList(tags), graph(task, number), ...turns];
}

function graph(task, number) {
  const WIDTH = 168, HEIGHT = 34, GAP_X = 46, GAP_Y = 14;
  const depth = [];
  const level = (index, path = []) => {
    if (depth[index] === undefined) {
      depth[index] = path.includes(index) ? 0 : 1 + Math.max(-1, ...task.actions[index].on.map((on) => level(on, [...path, index])));
    }
    return depth[index];
  };
  task.actions.forEach((_, index) => level(index));
  const rows = [];
  const place = task.actions.map((_, index) => {
    rows[depth[index]] = (rows[depth[index]] || 0) + 1;
    return { x: 2 + depth[index] * (WIDTH + GAP_X), y: 2 + (rows[depth[index]] - 1) * (HEIGHT + GAP_Y) };
  });
  const width = Math.max(...place.map((p) => p.x)) + WIDTH + 4, height = Math.max(...place.map((p) => p.y)) + HEIGHT + 4;
  const edges = task.actions.flatMap((action, index) => action.on.map((on) => `${index + 1} after ${on + 1}`));
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Dependencies: ${edges.join(", ") || "none"}` });
  const marker = drawn("marker", { id: `tip${number}`, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  marker.append(drawn("path", { d: "M0 0 L8 4 L0 8 z" }));
  svg.append(marker);
  task.actions.forEach((action, index) => {
    for (const on of action.on) {
      const from = place[on], to = place[index];
      const x1 = from.x + WIDTH, y1 = from.y + HEIGHT / 2, y2 = to.y + HEIGHT / 2, middle = (x1 + to.x) / 2;
      svg.append(drawn("path", { d: `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${to.x} ${y2}`, "marker-end": `url(#tip${number})` }));
    }
  });
  task.actions.forEach((action, index) => {
    const { x, y } = place[index];
    const name = action.kind === "call" ? action.name : action.kind === "ask" ? `ask: ${action.slots.join(", ")}` : "answer";
    const label = `${index + 1} ${name}`;
    svg.append(drawn("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 5, class: action.kind }));
    const text = drawn("text", { x: x + 8, y: y + 21 }, label.length > 24 ? `${label.slice(0, 23)}…` : label);
    text.append(drawn("title", {}, label));
    svg.append(text);
  });
  return element("div", { class: "graph", tabindex: "0", role: "group", "aria-label": `Graph of task ${number + 1}` }, svg);
}

function plots() {
  const tasks = state.shown.flatMap((session) => session.tasks);
  const later = state.shown.flatMap((session) => session.tasks.slice(1));
  const steps = (task) => task.steps.filter((step) => task.actions[step[0]].kind !== "answer").length;
  const figures = [
    ["Task types", tasks.map((t) => t.type)],
    ["Topologies of multi tasks", tasks.filter((t) => t.topology).map((t) => t.topology)],
    ["Hidden intent of later tasks", later.map((t) => t.hidden && t.hidden.kind)],
    ["User turns a session", state.shown.map((s) => s.turns)],
    ["Steps a task, before its answer", tasks.map(steps)],
    ["Calls a task", tasks.map((t) => t.actions.filter((a) => a.kind === "call").length)],
    ["Tools a session", state.shown.map((s) => s.tools.length)],
    ["Categories", state.shown.map((s) => s.category)],
    ["Languages", state.shown.map((s) => s.language)],
  ];
  byId("plots").replaceChildren(...figures.map(([title, values]) => plot(title, values)));
}

function plot(title, values) {
  const counts = new Map();
  for (const value of values) counts.set(value ?? null, (counts.get(value ?? null) || 0) + 1);
  const numeric = values.every((value) => typeof value === "number");
  const rows = [...counts].sort((a, b) => (numeric ? a[0] - b[0] : b[1] - a[1]));
  const most = Math.max(1, ...counts.values());
  const body = rows.map(([value, count]) => {
    const bar = element("div", { class: "bar" });
    bar.style.width = `${(100 * count) / most}%`;
    return element("tr", {}, element("th", { scope: "row", text: words(value) }), element("td", {}, bar),
      element("td", { class: "number", text: `${count} · ${((100 * count) / values.length).toFixed(0)} %` }));
  });
  return element("figure", {}, element("figcaption", { text: title }), element("table", {}, element("tbody", {}, ...body)));
}

function view(name) {
  for (const one of ["sessions", "statistics"]) {
    const chosen = one === name;
    byId(`view-${one}`).hidden = !chosen;
    byId(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${one}`).tabIndex = chosen ? 0 : -1;
  }
  if (name === "statistics") plots();
}

function move(by) {
  const at = state.shown.indexOf(state.current) + by;
  if (at < 0 || at >= state.shown.length) return;
  if (at >= state.limit) { state.limit += PAGE; list(); }
  show(state.shown[at]);
}

function listen() {
  byId("filters").addEventListener("input", filter);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(filter));
  byId("more").addEventListener("click", () => { state.limit += PAGE; list(); });
  for (const one of ["sessions", "statistics"]) {
    byId(`tab-${one}`).addEventListener("click", () => view(one));
    byId(`tab-${one}`).addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = one === "sessions" ? "statistics" : "sessions";
      view(other);
      byId(`tab-${other}`).focus();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "s") view(byId("view-statistics").hidden ? "statistics" : "sessions");
    else if (event.key === "/") { event.preventDefault(); byId("filters").elements.words.focus(); }
  });
}

read().then((data) => {
  state.tools = data.tools.map((text) => JSON.parse(text));
  state.all = data.sessions;
  for (const session of state.all) session.search = `${session.id} ${JSON.stringify(session.tasks)}`.toLowerCase();
  byId("canary").textContent = `Canary: ${data.canary}`;
  fillFilters();
  listen();
  filter();
}).catch((error) => { byId("count").textContent = `This browser cannot show the data: ${error.message}`; });
