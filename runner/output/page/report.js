"use strict";
// One run, to look at. What a driver printed reaches the page as text (textContent, setAttribute); nothing here
// parses HTML. The state is the address: view, q, area, verdict or kind, id.

const CHUNK = 100; // rows that are drawn at once; the next ones come when the end is near
const KINDS = { red: "regressions", error: "harness errors", flake: "new flakes", stale: "improvements: their lines are stale",
                known: "known flakes", expected: "expected failures", pass: "passed", skip: "skipped" };
const TONES = Object.keys(KINDS);
const MOST_REASONS = 8;
const NUMBER = /-?\b(0x[\da-f.]+(p[+-]?\d+)?|\d[\d.]*(e[+-]?\d+)?)\b/gi;

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const rows = data.rows.map(([id, verdict, seconds, message, attempts, log]) => {
  const [name, tone] = data.verdicts[verdict];
  return { id, verdict: name, tone, seconds, message, attempts, log, text: `${id}\n${message}`.toLowerCase() };
});
const rowOf = new Map(rows.map((row) => [row.id, row]));

// ---- views: which rows, in which order, below which headings ----

const rank = new Map(TONES.map((tone, number) => [tone, number]));
const worst = [...rows].sort((a, b) => rank.get(a.tone) - rank.get(b.tone)); // stable: else the catalogue's order
const views = {
  results: { title: "Results", rows: worst, key: "verdict", facet: (row) => row.verdict,
             group: (row) => row.tone, groups: KINDS },
  changes: data.changes && changes(),
  flakes: data.history && flakes(),
  areas: { title: "Areas", rows, key: "none", facet: () => "" },
  slowest: { title: "Slowest", rows: rows.filter((row) => row.seconds > 0).sort((a, b) => b.seconds - a.seconds),
             key: "verdict", facet: (row) => row.verdict, group: () => "", groups: {}, extra: time_bar },
};

/** A test that another run knows, and this one does not. */
const absent = (id) => ({ id, verdict: "not here", tone: "gone", seconds: 0, message: "", text: id.toLowerCase() });

function changes() {
  const groups = Object.fromEntries(data.changes.kinds);
  const found = data.changes.rows.map(([kind, id, was, before]) => {
    return Object.assign(rowOf.get(id) ?? absent(id), { change: { kind, was, before } });
  });
  return { title: "Changes", rows: found, key: "kind", facet: (row) => row.change.kind, group: (row) => row.change.kind,
           groups, labels: groups, extra: (row) => make("span", {}, row.change.was) };
}

function flakes() {
  for (const [id, bars] of Object.entries(data.history.tests)) if (rowOf.has(id)) rowOf.get(id).bars = bars;
  const found = data.history.flakes.map(([id, action, line, why, rate]) => {
    return Object.assign(rowOf.get(id) ?? absent(id), { bars: data.history.tests[id], flake: { action, line, why, rate } });
  });
  const groups = { red: "flakes lines that are no longer true, for the worse", add: "flakes lines to add",
                   change: "flakes lines to change", drop: "flakes lines to drop", keep: "flakes lines to keep" };
  return { title: "Flakes", rows: found, key: "kind", facet: (row) => row.flake.action, group: (row) => row.flake.action,
           groups, labels: { red: "worse", add: "add", change: "change", drop: "drop", keep: "keep" }, extra: plot,
           message: (row) => `failed ${row.flake.rate}; ${row.flake.why}` };
}

// ---- the state, in the address ----

function read_state() {
  const given = new URLSearchParams(location.hash.slice(1));
  const view = views[given.get("view")] ? given.get("view") : "results";
  return { view, q: given.get("q") ?? "", area: given.get("area") ?? "", only: new Set(given.getAll(views[view].key)),
           id: given.get("id") ?? "" };
}

function address(state) {
  const words = new URLSearchParams();
  if (state.view !== "results") words.set("view", state.view);
  if (state.q) words.set("q", state.q);
  if (state.area) words.set("area", state.area);
  for (const name of state.only ?? []) words.append(views[state.view].key, name);
  if (state.id) words.set("id", state.id);
  return `#${words}`;
}

/** Change the state. `step`: the browser's Back undoes it. */
function change_state(changed, step = true) {
  state = { ...state, ...changed };
  history[step ? "pushState" : "replaceState"](null, "", address(state));
  show();
}

// ---- filters ----

let state, shown = [], drawn = 0, pinned = null;

function find_rows() {
  const { rows, facet } = views[state.view];
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const area = state.area && `${state.area}/`;
  const facets = new Map();
  const found = [];
  for (const row of rows) {
    if (!row.id.startsWith(area) || !words.every((word) => row.text.includes(word))) continue;
    const name = facet(row);
    facets.set(name, (facets.get(name) ?? 0) + 1);
    if (!state.only.size || state.only.has(name)) found.push(row);
  }
  return { found, facets };
}

function show(linked = "") {
  const view = views[state.view];
  const { found, facets } = find_rows();
  shown = found;
  const at = linked ? shown.findIndex((row) => row.id === linked) : -1;
  pinned = at >= CHUNK ? shown[at] : null; // what a link names is seen at once
  if (pinned) shown = [pinned, ...shown.filter((row) => row !== pinned)];
  drawn = 0;
  show_views();
  if ($("query").value !== state.q) $("query").value = state.q;
  $("area").value = state.area;
  if ($("area").value !== state.area) $("area").append(make("option", { value: state.area, selected: true }, state.area));
  show_facets(view, facets);
  if (document.activeElement === $("clear")) $("query").focus();
  $("clear").hidden = !(state.q || state.area || state.only.size);
  $("clear").href = address({ view: state.view });
  const some = found.length === view.rows.length ? "" : `${count(found.length)} of `;
  const word = some && !found.length ? ": nothing matches" : linked && at < 0 ? `; "${linked}" is not among them` : "";
  $("count").textContent = `${some}${plural(view.rows.length, "test")}${word}`;
  $("note").replaceChildren(...notes(found));
  $("list").replaceChildren();
  if (state.view === "areas") $("list").append(area_table());
  else draw_rows();
}

function show_views() {
  const had = $("views").contains(document.activeElement);
  $("views").replaceChildren(...Object.entries(views).filter(([, view]) => view).map(([name, view]) => {
    const href = address({ view: name, q: state.q, area: state.area });
    const size = view.key === "kind" ? make("span", { className: "number" }, ` ${count(view.rows.length)}`) : "";
    return make("a", { href, attributes: name === state.view ? { "aria-current": "page" } : {} }, view.title, size);
  }));
  if (had) $("views").querySelector("[aria-current]").focus();
}

function show_facets(view, facets) {
  const names = view.key === "none" ? [] : [...new Set(view.rows.map(view.facet))];
  if (view.key === "verdict") names.sort((a, b) => rank.get(tone_of(a)) - rank.get(tone_of(b)));
  const had = document.activeElement?.dataset.facet;
  $("facets").replaceChildren(...names.map((name) => {
    const button = make("button", {
      type: "button", className: `${tone_of(name)}${facets.get(name) ? "" : " none"}`,
      attributes: { "aria-pressed": state.only.has(name), "data-facet": name },
    }, `${view.key === "kind" ? view.labels[name] : label(name)} ${count(facets.get(name) ?? 0)}`);
    button.onclick = () => change_state({ only: toggled(name) });
    return button;
  }));
  $("facets").setAttribute("aria-label", view.key === "verdict" ? "Verdict" : "Kind");
  if (had) [...$("facets").children].find((button) => button.dataset.facet === had)?.focus();
}

function toggled(name) {
  const only = new Set(state.only);
  if (!only.delete(name)) only.add(name);
  return only;
}

const tone_of = (name) => data.verdicts.find(([verdict]) => verdict === name)?.[1] ?? data.tones[name] ?? "gone";

function notes(found) {
  if (state.view === "results") return [reasons(found.filter((row) => row.tone === "red"))].filter(Boolean);
  if (state.view === "changes") return [make("p", {}, `Against ${data.changes.against}.`), pair_list(data.changes.differences)];
  if (state.view === "flakes") return [make("p", {}, data.history.note)];
  if (state.view === "areas") return [legend()];
  return [];
}

const first_line = (row) => row.message.split("\n", 1)[0];

/** The messages that several regressions share, but for numbers; each a link that finds them. */
function reasons(red) {
  const groups = new Map();
  for (const row of red) {
    const words = first_line(row).replace(NUMBER, " ").trim().replace(/\s+/g, " ");
    if (!groups.has(words)) groups.set(words, []);
    groups.get(words).push(row);
  }
  const shared = [...groups].filter(([words, own]) => words && own.length > 1).sort(([, a], [, b]) => b.length - a.length);
  if (!shared.length || groups.size === 1) return null;
  const items = shared.slice(0, MOST_REASONS).map(([words, own]) => {
    const href = address({ ...state, q: words, id: "" });
    return make("li", {}, `${count(own.length)} × `, make("a", { href }, first_line(own[0])));
  });
  return make("ol", { id: "reasons", attributes: { "aria-label": "Reasons that regressions share" } }, ...items);
}

// ---- head ----

/** Names and values; of what has changed, [name, now, before]. */
function pair_list(pairs) {
  return make("dl", {}, ...pairs.flatMap(([name, now, ...before]) => [
    make("dt", {}, name),
    make("dd", {}, ...before.flatMap((old) => [make("del", {}, old || "–"), " → "]), now || "–"),
  ]));
}

function show_head() {
  $("verdict").textContent = data.verdict;
  $("verdict").className = data.tone;
  $("target").textContent = data.headline;
  $("device").textContent = data.device;
  $("facts").textContent = data.facts;
  $("notes").append(...data.notes.map((note) => make("li", {}, note)));
  $("tested").append(pair_list(data.identity));
  const areas = new Map();
  for (const { id } of rows) {
    for (const name of areas_of(id, 2)) areas.set(name, (areas.get(name) ?? 0) + 1);
  }
  const options = [...areas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, size]) =>
    make("option", { value: name }, `${name.includes("/") ? "\u00a0\u00a0" : ""}${name} (${count(size)})`));
  $("area").append(make("option", { value: "" }, "all areas"), ...options);
}

// ---- events ----

const observer = new IntersectionObserver(
  (entries) => entries.some((entry) => entry.isIntersecting) && draw_rows(), { rootMargin: "1500px" });

function load_state() {
  state = read_state();
  show(state.id);
  const linked = state.id && $("list").querySelector("details[open]");
  if (linked) {
    linked.scrollIntoView();
    linked.firstElementChild.focus({ preventScroll: true });
  }
}

function opened(event) {
  const details = event.target;
  if (!details.dataset?.id) return;
  if (details.open && details.children.length === 1) details.append(body(shown.find((row) => row.id === details.dataset.id)));
  const id = details.open ? details.dataset.id : state.id === details.dataset.id ? "" : state.id;
  if (id === state.id) return;
  state.id = id;
  history.replaceState(null, "", address(state));
}

/** Move the focus among the rows; at the end of what is drawn, draw more. */
function move(step) {
  const summaries = [...$("list").querySelectorAll("summary")];
  const at = summaries.indexOf(document.activeElement);
  const to = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  if (to < 0) return $("query").focus();
  if (to >= summaries.length && drawn < shown.length) {
    draw_rows();
    return move(step);
  }
  summaries[Math.min(to, summaries.length - 1)]?.focus();
}

function leave() {
  const query = $("query");
  const details = document.activeElement.closest("details[open]") ?? $("list").querySelector("details[open]");
  if (document.activeElement === query && query.value) change_state({ q: "" });
  else if (document.activeElement === query) query.blur();
  else if (details) {
    details.open = false;
    details.firstElementChild.focus();
  } else if (!$("clear").hidden) change_state({ q: "", area: "", only: new Set() });
}

function key_pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const focus = document.activeElement;
  const typing = focus.matches("input, select");
  const row = focus.matches("#list summary");
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (event.key === "Escape") leave();
  else if (event.key === "/" && !typing) {
    $("query").focus();
    $("query").select();
  } else if (step && event.key.length === 1 && !typing) move(step);
  else if (step && event.key.length > 1 && (row || (focus.id === "query" && step > 0))) move(step);
  else if (row && event.key === "Home") $("list").querySelector("summary").focus();
  else return;
  event.preventDefault();
}

show_head();
load_state();
addEventListener("hashchange", load_state);
addEventListener("keydown", key_pressed);
$("list").addEventListener("toggle", opened, true); // toggle does not bubble
$("query").oninput = (event) => change_state({ q: event.target.value }, false);
$("area").onchange = (event) => change_state({ area: event.target.value });
$("filters").onsubmit = (event) => event.preventDefault();
