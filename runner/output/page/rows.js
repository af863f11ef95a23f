"use strict";
// The list of tests, and what opens below each.

function draw_rows() {
  const view = views[state.view];
  const part = shown.slice(drawn, drawn + CHUNK);
  for (const row of part) {
    const group = row === pinned ? "pinned" : view.group(row);
    let list = $("list").lastElementChild;
    if (!list || list.dataset.group !== group) {
      if (group === "pinned") $("list").append(make("h2", {}, "The test of the link"));
      else if (view.groups[group]) {
        const size = shown.filter((other) => other !== pinned && view.group(other) === group).length;
        $("list").append(make("h2", { className: tone_of_group(group) }, `${count(size)} ${view.groups[group]}`));
      }
      list = make("ol", { attributes: { "data-group": group } });
      $("list").append(list);
    }
    list.append(row_item(row, view));
  }
  drawn += part.length;
  observer.unobserve($("more")); // seen anew, where it is still near after this
  if (drawn < shown.length) observer.observe($("more"));
}

const tone_of_group = (group) => (rank.has(group) ? group : data.tones[group] ?? "");

function row_item(row, view) {
  const slash = row.id.lastIndexOf("/") + 1;
  const text = view.message ? view.message(row) : row.message;
  const summary = make("summary", {},
    make("span", { className: "badge" }, label(row.verdict)),
    make("span", { className: "id" }, row.id.slice(0, slash), make("b", {}, row.id.slice(slash))),
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
  if (row.change) {
    parts.push(make("h3", {}, `Against the other run: ${row.change.was}`));
    if (row.change.before) parts.push(text_block(row.change.before, "Message in the other run"));
  }
  if (row.bars) {
    parts.push(make("h3", {}, "History"), make("p", {}, plot(row)), make("p", { className: "quiet" }, history_words(row)));
  }
  if (row.flake) {
    parts.push(make("p", {}, `${row.flake.action}: ${row.flake.why}`));
    if (row.flake.line) parts.push(text_block(row.flake.line, "Flakes line"));
  }
  if (row.attempts || row.seconds) parts.push(make("h3", {}, "Repeat it"), command(`${data.repeat}${row.id}`));
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

/** Text as it was printed, in a box that scrolls, also by the keyboard. */
function text_block(text, label) {
  return make("pre", { tabIndex: 0, attributes: { "aria-label": label, role: "region" } }, text);
}

function command(text) {
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
  return make("div", { className: "command" }, code, button);
}
