"use strict";
// What explains a row: its expectation, the evidence of an attempt, its history on the axis of Mesa's releases.

/** Text as it was printed, in a box that scrolls, also by the keyboard. */
function text_block(text, label) {
  return make("pre", { tabIndex: 0, attributes: { "aria-label": label, role: "region" } }, text);
}

/** A table that scrolls sideways in its own box; columns without any content are left out. */
function table_box(label, titles, lines) {
  const kept = titles.map((_, n) => lines.some((line) => line[n]));
  const cells = (tag, line) => line.flatMap((text, n) => (kept[n] ? [make(tag, tag === "th" ? { attributes: { scope: "col" } } : {}, text)] : []));
  return make("div", { className: "scroll", tabIndex: 0, attributes: { role: "region", "aria-label": label } },
    make("table", { className: "data" }, make("thead", {}, make("tr", {}, ...cells("th", titles))),
      make("tbody", {}, ...lines.map((line) => make("tr", {}, ...cells("td", line))))));
}

const section = (title, ...parts) => [make("h3", {}, title), ...parts];

function expectation_parts(row) {
  if (!row.line) return [];
  const [place, entry, reason, bug] = row.line;
  const known = row.tone === "red" || row.tone === "stale" ? "What the expectation says" : "Known";
  const parts = section(known);
  if (bug) parts.push(...bug_parts(bug));
  parts.push(make("p", { className: "reason" }, data.reasons[reason] || "No reason is given."));
  parts.push(make("p", { className: "quiet" }, make("code", {}, entry), " in ", make("code", {}, place)));
  return parts;
}

/** In a site a bug has a page of its own; else the link shows the rows that it explains. */
function bug_link(bug) {
  const rest = { view: "results", q: `bug:${bug};`, area: "", only: new Set(), id: "" };
  return make("a", { href: data.bug_pages ? `${data.bug_pages}${bug}.html` : address(rest) }, `bug ${bug}`);
}

/** A text with an address in it, as "reported https://...". */
function linked(text) {
  return text.split(/(https?:\/\/\S+)/).map((part, n) => n % 2 ? make("a", { href: part, rel: "noreferrer" }, part) : part);
}

/** What the bug's file says; in a site it has a page of its own. */
function bug_parts(bug) {
  const [title, clause, upstream, where] = data.bugs[bug] ?? ["it has no file"];
  const parts = [make("p", {}, bug_link(bug), `: ${title}`)];
  if (clause) parts.push(make("p", { className: "reason" }, `${clause} `,
    make("span", { className: "quiet" }, ...linked(upstream), where ? `; ${where}` : "")));
  return parts;
}

function difference_parts(evidence) {
  return (evidence?.wrong ?? []).flatMap(([head, patterns, elements]) => section(head,
    patterns ? make("p", {}, patterns) : "",
    elements.length ? table_box("Wrong elements", ["index", "inputs", "got", "want", "difference", "got, bits", "want, bits"], elements) : ""));
}

function program_parts(evidence) {
  if (!evidence) return [];
  const parts = [];
  for (const [name, language, options, answer, source, log] of evidence.programs ?? []) {
    parts.push(...section(`${language} ${name}: ${answer}`,
      options ? make("p", {}, "Options ", make("code", {}, options)) : "",
      log ? make("p", { className: "quiet" }, "Build log") : "", log ? text_block(log, `Build log of ${name}`) : "",
      text_block(source, `Source of ${name}`)));
  }
  if (evidence.launches) parts.push(...section("Launches and calls",
    table_box("Launches", ["kernel or call", "program", "global", "local", "offset", "arguments", "answer"], evidence.launches)));
  if (evidence.inputs) parts.push(...section("Inputs",
    table_box("Inputs", ["buffer", "size", "type", "from", "first values"], evidence.inputs)));
  for (const [title, text] of evidence.stacks ?? []) parts.push(...section(title, text_block(text, title)));
  for (const note of evidence.notes ?? []) parts.push(make("p", { className: "quiet" }, note));
  return parts;
}

function next_steps(row) {
  const own = data.commands[""] ? "" : row.id.split("/", 1)[0]; // its configuration
  const id = own ? row.id.slice(own.length + 1) : row.id;
  const { next, expect, stale } = data.commands[own];
  if (!row.attempts && !row.seconds) return [];
  const steps = row.tone === "pass" ? next.slice(0, 1) : next;
  const parts = section("Next steps", ...steps.map(([title, text]) => command(text.replaceAll("TEST_ID", id), title)));
  if (row.tone === "red") parts.push(make("p", {}, "Is it expected? Run all of it again; what fails the same way twice becomes an entry:"), command(expect));
  if (row.tone === "stale") parts.push(make("p", {}, "Its entry goes, or changes:"), command(stale));
  return parts;
}

function command(text, title = "") {
  const code = make("code", {}, text);
  const button = make("button", { type: "button" }, "Copy");
  button.onclick = async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected"; // a page from a file or over plain http may not write there
    }
  };
  return make("div", { className: "command" }, title && make("span", { className: "title" }, title), code, button);
}

// ---- the history of a test ----

/** One bar a run, by release of Mesa and time, and for each release in words what its runs showed. */
function time_line(row) {
  const runs = data.history.runs, known = new Map(row.bars.map((bar) => [bar[0], bar]));
  const releases = [];
  runs.forEach(([, , , mesa], n) => {
    if (releases.at(-1)?.mesa !== mesa) releases.push({ mesa, from: n, to: n });
    releases.at(-1).to = n;
  });
  const step = Math.max(7, Math.min(22, Math.floor(560 / runs.length))), gap = 26, high = 46;
  const at = (n) => n * step + releases.findIndex(({ to }) => to >= n) * gap;
  const width = Math.max(at(runs.length - 1) + step, at(releases.at(-1).from) + 60);
  const image = draw_svg("svg", { class: "line", width, height: high + 24, viewBox: `0 0 ${width} ${high + 24}`, role: "img",
                                  "aria-label": releases.map((r) => `Mesa ${r.mesa}: ${release_words(row, r)}`).join("; ") });
  for (const { mesa, from, to } of releases) {
    image.append(draw_svg("line", { class: "axis", x1: at(from), x2: at(to) + step - 2, y1: high + 1, y2: high + 1 }),
      draw_svg("text", { class: "label", x: at(from), y: high + 16 }, mesa || "?"));
  }
  runs.forEach(([begun, here, build], n) => {
    const [, bad, all, word] = known.get(n) ?? [n, 0, 0, ""];
    const height = !all ? 3 : bad ? 14 + ((high - 18) * bad) / all : 10;
    const tone = !all ? "none" : word === "Timeout" ? "slow" : bad ? "bad" : "ok";
    const what = !all ? "not run" : bad ? `${word}, ${bad} of ${all} attempts failed` : "passed";
    const tip = draw_svg("title", {}, `${begun}${here ? " (this run)" : ""}: ${what}; build ${build + 1}`);
    image.append(draw_svg("rect", { class: tone, x: at(n), y: high - height, width: step - 2, height }, tip));
    if (here) image.append(draw_svg("path", { class: "now", d: `M${at(n) + step / 2 - 1} ${high + 2} l4 6 h-8 z` }));
  });
  const used = new Set(row.bars.map(([, bad, , word]) => (bad ? (word === "Timeout" ? "slow" : "bad") : "ok")));
  const key = [["ok", "passed"], ["bad", "failed or crashed; higher: more of its attempts"], ["slow", "timed out"]].filter(([tone]) => used.has(tone));
  if (known.size < runs.length) key.push(["none", "not run"]);
  const legend = make("p", { className: "key" }, ...key.map(([tone, words]) => make("span", { className: tone }, words)),
    runs.some(([, here]) => here) ? "▲ this run" : "");
  const list = releases.map((r) => make("li", {}, make("b", {}, `Mesa ${r.mesa || "?"}`), ` ${release_words(row, r)}`));
  return [make("div", { className: "scroll", tabIndex: 0, attributes: { role: "region", "aria-label": "Time line" } }, image), legend,
          make("ul", { className: "releases" }, ...list)];
}

function release_words(row, { from, to }) {
  const own = row.bars.filter(([n]) => n >= from && n <= to);
  if (!own.length) return "not run";
  const bad = own.filter(([, failed]) => failed);
  const [first, last] = [data.history.runs[own[0][0]][0], data.history.runs[own.at(-1)[0]][0]].map((time) => time.slice(0, 10));
  const when = first === last ? first : `${first} to ${last}`;
  if (!bad.length) return `passed in ${plural(own.length, "run")}, ${when}`;
  const words = [...new Set(bad.map(([, , , word]) => word))].join(", ");
  return `failed in ${bad.length} of ${plural(own.length, "run")} (${words}), ${when}`;
}
