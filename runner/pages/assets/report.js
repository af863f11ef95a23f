"use strict";
// One run, to look at. What a driver printed reaches the page as text (textContent, setAttribute); nothing here
// parses HTML. The state is the address: view, q, area, verdict or kind, id.

const CHUNK = 100; // rows that are drawn at once; the next ones come when the end is near
const KINDS = { red: ["regression", "regressions"], error: ["harness error", "harness errors"], flake: ["new flake", "new flakes"],
                stale: ["improvement: its entry is stale", "improvements: their entries are stale"],
                known: ["known flake", "known flakes"], expected: ["expected failure", "expected failures"],
                pass: ["passed", "passed"], skip: ["skipped", "skipped"] };
const TONES = Object.keys(KINDS);
const NUMBER = /-?\b(0x[\da-f.]+(p[+-]?\d+)?|\d[\d.]*(e[+-]?\d+)?)\b/gi;

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const bug_word = (line) => (line?.[3] ? `\nbug:${line[3]};` : ""); // bug:17; in the search finds what bug 17 explains
const rows = data.rows.map(([id, verdict, seconds, message, line, attempts, log, evidence]) => {
  const [name, tone] = data.verdicts[verdict];
  return { id, verdict: name, tone, seconds, message, line: data.lines[line], attempts: attempts?.length ? attempts : null, log, evidence, text: `${id}\n${message}${bug_word(data.lines[line])}`.toLowerCase() };
});
const rowOf = new Map(rows.map((row) => [row.id, row]));

// ---- views: which rows, in which order, below which headings ----

const rank = new Map(TONES.map((tone, number) => [tone, number]));
const worst = [...rows].sort((a, b) => rank.get(a.tone) - rank.get(b.tone)); // stable: else the catalogue's order
const views = {
  results: { title: "Results", rows: worst, key: "verdict", facet: (row) => row.verdict,
             group: (row) => row.tone, groups: KINDS, bundles: true },
  changes: data.changes && changes(),
  flakes: data.history && flakes(),
  areas: { title: "Areas", rows, key: "none", facet: () => "" },
  slowest: { title: "Slowest", rows: rows.filter((row) => row.seconds > 0).sort((a, b) => b.seconds - a.seconds),
             key: "verdict", facet: (row) => row.verdict, group: () => "", groups: {}, extra: time_bar },
};

/** A test that another run knows, and this one does not. */
function absent(id) {
  return { id, verdict: "not here", tone: "gone", seconds: 0, message: "", text: id.toLowerCase() };
}

function changes() {
  const labels = Object.fromEntries(data.changes.kinds);
  const groups = Object.fromEntries(data.changes.kinds.map(([kind, title]) => [kind, [title, title]]));
  const found = data.changes.rows.map(([kind, id, was, before]) => {
    return Object.assign(rowOf.get(id) ?? absent(id), { change: { kind, was, before } });
  });
  return { title: "Changes", rows: found, key: "kind", facet: (row) => row.change.kind, group: (row) => row.change.kind,
           groups, labels, extra: (row) => make("span", {}, row.change.was) };
}

function flakes() {
  for (const [id, bars] of Object.entries(data.history.tests)) if (rowOf.has(id)) rowOf.get(id).bars = bars;
  const found = data.history.flakes.map(([id, action, line, why, rate]) => {
    return Object.assign(rowOf.get(id) ?? absent(id), { bars: data.history.tests[id], flake: { action, line, why, rate } });
  });
  const groups = { red: ["flake that fails more often than its entry says, or in another way", "flakes that fail more often than their entries say, or in another way"] };
  for (const action of ["add", "change", "drop", "keep"]) groups[action] = [`flakes entry to ${action}`, `flakes entries to ${action}`];
  return { title: "Flakes", rows: found, key: "kind", facet: (row) => row.flake.action, group: (row) => row.flake.action,
           groups, labels: { red: "worse", add: "add", change: "change", drop: "drop", keep: "keep" }, extra: plot,
           message: (row) => `failed ${row.flake.rate}; ${row.flake.why}` };
}

// ---- the state, in the address ----

function read_state() {
  const given = new URLSearchParams(location.hash.slice(1));
  const view = views[given.get("view")] ? given.get("view") : "results";
  return { view, q: given.get("q") ?? "", area: given.get("area") ?? "", only: new Set(given.getAll(views[view].key)),
           each: given.has("each"), id: given.get("id") ?? "" };
}

function address(state) {
  const words = new URLSearchParams();
  if (state.view !== "results") words.set("view", state.view);
  if (state.q) words.set("q", state.q);
  if (state.area) words.set("area", state.area);
  for (const name of state.only ?? []) words.append(views[state.view].key, name);
  if (state.each) words.set("each", "1");
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
  shown = view.bundles && !state.each ? bundle_rows(found, view) : found;
  const linked_row = linked && found.find((row) => row.id === linked);
  const at = linked_row ? shown.indexOf(linked_row) : -1;
  pinned = linked_row && (at < 0 || at >= CHUNK) ? linked_row : null; // what a link names is seen at once
  if (pinned) shown = [pinned, ...shown.filter((row) => row !== pinned)];
  drawn = 0;
  show_views();
  if ($("query").value !== state.q) $("query").value = state.q;
  $("area").value = state.area;
  if ($("area").value !== state.area) $("area").append(make("option", { value: state.area, selected: true }, state.area));
  show_facets(view, facets);
  $("bundle").hidden = !view.bundles;
  $("bundle").firstElementChild.checked = !state.each;
  if (document.activeElement === $("clear")) $("query").focus();
  $("clear").hidden = !(state.q || state.area || state.only.size);
  $("clear").href = address({ view: state.view, each: state.each });
  const some = found.length === view.rows.length ? "" : `${count(found.length)} of `;
  const word = some && !found.length ? ": nothing matches" : linked && !linked_row ? `; "${linked}" is not among them` : "";
  $("count").textContent = `${some}${plural(view.rows.length, "test")}${word}`;
  $("note").replaceChildren(...notes());
  $("list").replaceChildren();
  if (state.view === "areas") $("list").append(area_table());
  else draw_rows();
}

function show_views() {
  const had = $("views").contains(document.activeElement);
  $("views").replaceChildren(...Object.entries(views).filter(([, view]) => view).map(([name, view]) => {
    const href = address({ view: name, q: state.q, area: state.area, each: state.each });
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

function notes() {
  if (state.view === "changes") return [make("p", {}, `Against ${data.changes.against}.`), pair_list(data.changes.differences)];
  if (state.view === "flakes") return [make("p", {}, data.history.note)];
  if (state.view === "areas") return [legend()];
  return [];
}

// ---- what is filled once ----

/** Names and values; of what has changed, [name, now, before]. */
function pair_list(pairs) {
  return make("dl", {}, ...pairs.flatMap(([name, now, ...before]) => [
    make("dt", {}, name),
    make("dd", {}, ...before.flatMap((old) => [make("del", {}, old || "–"), " → "]), now || "–"),
  ]));
}

function fill_areas() {
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
  if (!linked) return;
  linked.firstElementChild.focus({ preventScroll: true });
  // Rows have their true height only when they were seen: until nothing moves any more, look again.
  let looks = 0;
  const settle = () => {
    if (Math.abs(linked.getBoundingClientRect().top - offset()) < 2 || looks++ > 10) return;
    linked.scrollIntoView();
    requestAnimationFrame(settle);
  };
  settle();
}

const offset = () => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

function opened(event) {
  const details = event.target;
  if (!details.dataset?.id) return;
  if (details.open && details.children.length === 1) details.append(body(rowOf.get(details.dataset.id) ?? shown.find((row) => row.id === details.dataset.id)));
  const id = details.open ? details.dataset.id : state.id === details.dataset.id ? "" : state.id;
  if (id === state.id) return;
  state.id = id;
  history.replaceState(null, "", address(state));
}

/** Move the focus among the rows; at the end of what is drawn, draw more. */
function move(step) {
  const summaries = [...$("list").querySelectorAll(".row > details > summary")].filter((summary) => summary.checkVisibility());
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
  const typing = focus.matches("input:not([type=checkbox]), select");
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

fill_areas();
for (const part of document.querySelectorAll("main, footer")) part.hidden = false;
load_state();
addEventListener("hashchange", load_state);
addEventListener("keydown", key_pressed);
$("list").addEventListener("toggle", opened, true); // toggle does not bubble
$("query").oninput = (event) => change_state({ q: event.target.value }, false);
$("area").onchange = (event) => change_state({ area: event.target.value });
$("bundle").firstElementChild.onchange = (event) => change_state({ each: !event.target.checked });
$("filters").onsubmit = (event) => event.preventDefault();
