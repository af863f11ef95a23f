"use strict";
// The list of tests, and what opens below each. An item is a row, or a bundle of rows with one message.

/** What an expected failure has in common with others is its reason; any other row its message, but for the numbers. */
const equal_words = (row) => {
  if (row.tone === "pass") return row.id;
  if (row.tone === "expected" && row.line) return row.line[3] ? `bug ${row.line[3]}` : `reason ${row.line[2]}`;
  return first_line(row).replace(NUMBER, "0") || row.id;
};

/** Rows of one verdict that have that in common become one item, the largest first in their group. */
function bundle_rows(found, view) {
  const groups = new Map();
  for (const row of found) {
    const key = `${row.verdict}\n${equal_words(row)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const items = [...groups].map(([key, rows]) => (rows.length > 1 ? { bundle: key, rows, tone: rows[0].tone } : rows[0]));
  const place = (item) => rank.get(view.group(item)) ?? 0;
  return items.sort((a, b) => place(a) - place(b) || (b.rows?.length ?? 1) - (a.rows?.length ?? 1)); // stable
}

function draw_rows() {
  const view = views[state.view];
  const part = shown.slice(drawn, drawn + CHUNK);
  for (const item of part) {
    const group = item === pinned ? "pinned" : view.group(item);
    let list = $("list").lastElementChild;
    if (!list || list.dataset.group !== group) {
      if (group === "pinned") $("list").append(make("h2", {}, "The test of the link"));
      else if (view.groups[group]) {
        const own = shown.filter((other) => other !== pinned && view.group(other) === group);
        const size = own.reduce((sum, other) => sum + (other.rows?.length ?? 1), 0);
        $("list").append(make("h2", { className: tone_of_group(group) }, `${count(size)} ${view.groups[group][size === 1 ? 0 : 1]}`));
      }
      list = make("ol", { attributes: { "data-group": group } });
      $("list").append(list);
    }
    list.append(item.rows ? bundle_item(item, view) : row_item(item, view));
  }
  drawn += part.length;
  observer.unobserve($("more")); // seen again, if it is still near after this
  if (drawn < shown.length) observer.observe($("more"));
}

const tone_of_group = (group) => (rank.has(group) ? group : data.tones[group] ?? "");

/** The folder that all of some ids lie in. */
function common_area(rows) {
  const parts = rows[0].id.split("/").slice(0, -1);
  for (const { id } of rows) while (parts.length && !id.startsWith(`${parts.join("/")}/`)) parts.pop();
  return parts.length ? `${parts.join("/")}/` : "";
}

function common_words(row) {
  if (row.tone !== "expected" || !row.line) return first_line(row);
  return data.bugs[row.line[3]]?.[0] ?? data.reasons[row.line[2]] ?? first_line(row);
}

function bundle_item(item, view) {
  const [first] = item.rows;
  const bugs = [...new Set(item.rows.map((row) => row.line?.[3]).filter(Boolean))];
  const seconds = item.rows.reduce((sum, row) => sum + row.seconds, 0);
  const summary = make("summary", {},
    make("span", { className: "badge" }, label(first.verdict)),
    make("span", { className: "many" }, make("b", {}, `${count(item.rows.length)} tests`), ` in ${common_area(item.rows) || (data.commands[""] ? "several suites" : "several configurations")}`,
      ...(bugs.length === 1 ? [", ", bug_link(bugs[0])] : [])),
    make("span", { className: "time" }, seconds ? time(seconds) : ""),
    make("span", { className: "message" }, common_words(first)));
  const details = make("details", { className: "bundle", attributes: { "data-bundle": item.bundle } }, summary);
  details.addEventListener("toggle", (event) => {
    if (event.target === details && details.open && details.children.length === 1) details.append(...bundle_body(item, view));
  });
  return make("li", { className: `row ${item.tone}` }, details);
}

function bundle_body(item, view) {
  const list = make("ol", {});
  const more = make("button", { type: "button", className: "next" });
  const draw = () => {
    const from = list.children.length;
    list.append(...item.rows.slice(from, from + CHUNK).map((row) => row_item(row, view)));
    const left = item.rows.length - list.children.length;
    more.hidden = !left;
    more.textContent = `Show ${Math.min(CHUNK, left)} of ${count(left)} more`;
  };
  more.onclick = draw;
  draw();
  return [list, more];
}

/** An id that breaks between its parts, and not in a word. */
const breakable = (text) => text.split(/(?<=[/._])/).flatMap((part) => [part, make("wbr")]);

function row_item(row, view) {
  const slash = row.id.lastIndexOf("/") + 1;
  const text = view.message ? view.message(row) : row.message;
  const summary = make("summary", {},
    make("span", { className: "badge" }, label(row.verdict)),
    make("span", { className: "id" }, ...breakable(row.id.slice(0, slash)), make("b", {}, ...breakable(row.id.slice(slash)))),
    make("span", { className: "extra" }, (view.extra ?? plot)(row) ?? ""),
    make("span", { className: "time" }, row.seconds ? time(row.seconds) : ""),
    text ? make("span", { className: "message" }, text) : "");
  const details = make("details", { attributes: { "data-id": row.id } }, summary);
  details.open = row.id === state.id;
  if (details.open) details.append(body(row));
  return make("li", { className: `row ${row.tone}` }, details);
}

function body(row) {
  const parts = [];
  if (row.message) parts.push(text_block(row.message, "Message"));
  parts.push(...expectation_parts(row));
  if (row.change) {
    parts.push(make("h3", {}, `Against the other run: ${row.change.was}`));
    if (row.change.before) parts.push(text_block(row.change.before, "Message in the other run"));
  }
  parts.push(...difference_parts(row.evidence), ...next_steps(row));
  if (row.flake) {
    parts.push(...section(`Flake: ${row.flake.action === "red" ? "worse than its entry" : `${row.flake.action} its entry`}`,
      make("p", {}, `failed ${row.flake.rate}; ${row.flake.why}`)));
    if (row.flake.line) parts.push(text_block(row.flake.line, "Flakes line"));
  }
  if (row.bars) parts.push(...section("History", ...time_line(row)));
  parts.push(...program_parts(row.evidence));
  for (const [number, attempt] of (row.attempts ?? []).entries()) parts.push(...attempt_parts(attempt, number + 1, row));
  const links = [make("a", { href: address({ ...state, id: row.id }) }, "link to this test")];
  if (row.log) links.push(" · ", make("a", { href: row.log }, "whole log"));
  parts.push(make("p", {}, ...links));
  return make("div", { className: `body ${row.tone}` }, ...parts);
}

function attempt_parts([status, seconds, how, nth, child, message, output], number, row) {
  const place = child ? `, case ${nth} of child ${child}` : "";
  return [
    make("h3", {}, `Attempt ${number}: ${status} after ${time(seconds)}, ${how}${place}`),
    ...(message && message !== row.message ? [text_block(message, `Message of attempt ${number}`)] : []),
    output ? text_block(output, `Output of attempt ${number}`) : make("p", { className: "quiet" }, "It printed nothing."),
  ];
}
