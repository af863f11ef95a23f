"use strict";
// What is drawn: elements, numbers, the bars of the history, of durations and of areas.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, attributes (in `attributes`) and children: elements or text. */
function make(tag, { attributes = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function draw_svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const count = (n) => n.toLocaleString("en");
const few = (n) => (n ? count(n) : "");
const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
const time = (s) => (s >= 100 ? `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s` : s >= 1 ? `${s.toFixed(1)} s` : `${Math.round(s * 1000)} ms`);
const label = (name) => name.replace("Unexpected", ""); // the column is narrow
const first_line = (row) => row.message.split("\n", 1)[0];

// ---- history and durations ----

const history_words = (row) => {
  const [bad, all] = row.bars.reduce(([k, n], [, failed, ran]) => [k + failed, n + ran], [0, 0]);
  return `failed ${row.flake?.rate ?? `${bad}/${all}`} in ${plural(row.bars.length, "run")}`;
};

/** One bar a run of the history, as `time_line` has them: a low one for a pass, else as high as the part that failed. */
function plot(row) {
  if (!row.bars) return null;
  const step = 5, high = 18, low = 3;
  const width = data.history.runs.length * step;
  const image = draw_svg("svg", { class: "plot", width, height: high, viewBox: `0 0 ${width} ${high}`, preserveAspectRatio: "none",
                                  role: "img", "aria-label": history_words(row) });
  data.history.runs.forEach(([, , build], run) => {
    const x = run * step - 0.5;
    const same = !run || build === data.history.runs[run - 1][2];
    if (!same) image.append(draw_svg("line", { class: "build", x1: x, x2: x, y1: 0, y2: high }));
  });
  for (const [run, bad, all, word] of row.bars) {
    const [begun, here, build] = data.history.runs[run];
    const height = bad ? low + 2 + ((high - low - 2) * bad) / all : low;
    const what = bad ? `${word}, ${bad} of ${all} failed` : `${all} of ${all} passed`;
    const tip = draw_svg("title", {}, `${begun}${here ? " (this run)" : ""}: ${what}; build ${build + 1}`);
    const tone = word === "Timeout" ? "slow" : bad ? "bad" : "ok";
    image.append(draw_svg("rect", { class: tone, x: run * step, y: high - height, width: step - 1, height }, tip));
  }
  const here = data.history.runs.findIndex(([, own]) => own);
  if (here >= 0) image.append(draw_svg("rect", { class: "now", x: here * step, y: high + 1, width: step - 1, height: 2 }));
  const bad = row.bars.filter(([, failed]) => failed).length;
  return make("span", { className: "spark" }, image, bad ? ` failed in ${bad} of ${plural(row.bars.length, "run")}` : ` passed in ${plural(row.bars.length, "run")}`);
}

function time_bar(row) {
  const bar = make("span", { className: "bar", attributes: { "aria-hidden": "true" } });
  bar.style.width = `${(140 * row.seconds) / views.slowest.rows[0].seconds}px`;
  return bar;
}

// ---- areas ----

/** The areas that a test lies in, as "kernels" and "kernels/math", down to a depth. */
function areas_of(id, depth) {
  const parts = id.split("/").slice(0, -1);
  return parts.slice(0, depth).map((_, n) => parts.slice(0, n + 1).join("/"));
}

function area_table() {
  const depth = state.area ? state.area.split("/").length + 1 : 2;
  const areas = new Map();
  for (const row of shown) {
    for (const name of areas_of(row.id, depth)) {
      if (!areas.has(name)) areas.set(name, Object.fromEntries(["all", "ran", "seconds", ...TONES].map((key) => [key, 0])));
      const area = areas.get(name);
      area.all += 1;
      area.seconds += row.seconds;
      area[row.tone] += 1;
      if (row.tone !== "skip" && row.verdict !== "Missing") area.ran += 1;
    }
  }
  const titles = ["area", "tests", "shares", "pass rate", "expected", "skipped", "red", "time"];
  const head = make("tr", {}, ...titles.map((title) => make("th", {
    className: ["area", "pass rate", "red"].includes(title) ? "" : "optional", attributes: { scope: "col" } }, title)));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...[...areas].sort(compare_areas(areas)).map(area_line)));
}

function area_line([name, area]) {
  const rate = Math.floor((1000 * area.pass) / area.ran) / 10; // never rounded up to 100
  return make("tr", { className: name.includes("/") ? "" : "suite" },
    make("th", { attributes: { scope: "row" } }, make("a", { href: address({ view: "results", q: state.q, area: name, each: state.each }) }, name)),
    make("td", { className: "optional" }, count(area.all)),
    make("td", { className: "wide optional" }, shares(area)),
    make("td", {}, area.ran ? `${rate.toFixed(1)} %` : "–"),
    make("td", { className: "optional" }, few(area.expected + area.known)),
    make("td", { className: "optional" }, few(area.skip)),
    make("td", {}, area.red ? make("span", { className: "red" }, count(area.red)) : ""),
    make("td", { className: "optional" }, time(area.seconds)));
}

/** Suites by name, and inside each the reddest area first. */
function compare_areas(areas) {
  const key = (name) => areas_of(`${name}/`, Infinity);
  return ([a], [b]) => {
    const left = key(a), right = key(b);
    const n = left.findIndex((part, i) => part !== right[i]);
    if (n < 0 || right[n] === undefined) return left.length - right.length;
    return areas.get(right[n]).red - areas.get(left[n]).red || (left[n] < right[n] ? -1 : 1);
  };
}

const SHARES = ["pass", "expected", "known", "stale", "flake", "error", "red", "skip"];

function legend() {
  const used = SHARES.filter((tone) => rows.some((row) => row.tone === tone));
  return make("p", { className: "legend" }, ...used.map((tone) => make("span", { className: tone }, KINDS[tone][1].split(":")[0])),
    " The pass rate is of those that ran.");
}

function shares(area) {
  const box = { viewBox: `0 0 ${area.all} 1`, preserveAspectRatio: "none" };
  const image = draw_svg("svg", { class: "share", "aria-hidden": "true", ...box });
  let x = 0;
  for (const tone of SHARES) {
    if (area[tone]) image.append(draw_svg("rect", { class: tone, x, y: 0, width: area[tone], height: 1 }));
    x += area[tone];
  }
  return image;
}
