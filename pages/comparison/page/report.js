// Draws the comparison that stands as JSON in #data. pages/comparison/comparison_page.hpp describes it.
"use strict";

const { report, protocol, workers, time_lines } = JSON.parse(document.getElementById("data").textContent);
const known = report.policies.filter((policy) => policy.makespans.length > 0);

/** Makes elements of a namespace. Children are elements or text: no name can be taken for HTML. */
function maker(namespace) {
  return (tag, attributes = {}, ...children) => {
    const element = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
}
const html = maker(document.documentElement.namespaceURI);
const chart = document.getElementById("chart").content.firstElementChild;
const svg = maker(chart.namespaceURI);

function fill(id, ...children) {
  document.getElementById(id).append(...children);
}

function row(cell, texts) {
  return html("tr", {}, ...texts.map((text) => html(cell, {}, text)));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const fixed = (number, digits) => (number === null ? "" : number.toFixed(digits));
const percent = (share) => `${share.toFixed(1)} %`;

/** The CSS classes of a stage or a class of workers; report.css has so many colours. */
const colour = (kind, index) => `colour ${kind}${index % { stage: 20, class: 4 }[kind]}`;

function legend(kind, names) {
  return names.map((name, i) => html("span", {}, html("i", { class: colour(kind, i) }), name));
}

/** A bar of parts {kind, index, share, title}; shares are in percent. */
function bar(parts) {
  const shown = parts.filter((part) => part.share > 0);
  return html("div", { class: "bar" }, ...shown.map((part) =>
    html("i", { class: colour(part.kind, part.index), style: `width:${part.share.toFixed(2)}%`, title: part.title })));
}

function makespanRow(policy, best) {
  const isKnown = policy.makespans.length > 0;
  const cells = isKnown
    ? [fixed(policy.median, 3), fixed(policy.min, 3), fixed(policy.max, 3), fixed(policy.ratio, 3),
       fixed(policy.moved_bytes * 1e-6, 1), ...policy.idle.map((idle) => percent(100 * idle))]
    : [];
  const line = row("td", [policy.policy, ...cells]);
  if (!isKnown) line.append(html("td", { colspan: 5 + report.classes.length }));
  if (isKnown && policy.median === best) line.setAttribute("class", "best");
  const failures = policy.failures.length;
  line.append(html("td", {}, String(policy.makespans.length)),
              failures ? html("td", { class: "failed" }, `${failures} failed: ${policy.failures[0]}`) : html("td"));
  return line;
}

function makespans() {
  const best = Math.min(...known.map((policy) => policy.median));
  return [row("th", ["policy", "makespan, s", "min", "max", "over the bound", "moved, MB",
                     ...report.classes.map((name) => `idle ${name}`), "runs", ""]),
          ...report.policies.map((policy) => makespanRow(policy, best))];
}

// Of a chart, in units of its view box. A column of a time line is one unit wide.
const left = 150, right = 30, rowHeight = 16, gap = 2, axisHeight = 18;
const xOf = (seconds) => left + (time_lines.columns * seconds) / time_lines.seconds;

function axis(height) {
  const steps = Math.floor((time_lines.seconds / time_lines.step) * (1 + 1e-9));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const seconds = i * time_lines.step, x = xOf(seconds).toFixed(1);
    return svg("g", {}, svg("path", { class: "tick", d: `M${x} 0V${height}` }),
               svg("text", { class: "axis", x, y: height + axisHeight - 5 }, `${Number(seconds.toPrecision(6))} s`));
  });
}

/** One path a stage, with a rectangle a span of its. */
function stagePaths(rows) {
  const paths = new Map();
  rows.forEach(({ spans }, i) => {
    for (const [stage, begin, end] of spans) {
      const rectangle = `M${left + begin} ${i * rowHeight}h${end - begin}v${rowHeight - gap}h${begin - end}z`;
      paths.set(stage, (paths.get(stage) ?? "") + rectangle);
    }
  });
  return [...paths].map(([stage, d]) =>
    svg("path", { class: colour("stage", stage), d }, svg("title", {}, report.stages[stage])));
}

function timeLines({ makespan, rows }) {
  const height = rows.length * rowHeight, mark = xOf(report.bound).toFixed(1);
  const names = rows.map(({ worker }, i) =>
    svg("text", { class: "worker", x: left - 6, y: (i + 1) * rowHeight - 5 },
        worker.length > 24 ? `${worker.slice(0, 23)}…` : worker));
  const drawing = chart.cloneNode();
  drawing.setAttribute("viewBox", `0 0 ${left + time_lines.columns + right} ${height + axisHeight}`);
  drawing.append(...names, svg("rect", { class: "idle", x: left, width: xOf(makespan) - left, height }),
                 ...axis(height), ...stagePaths(rows),
                 svg("path", { class: "mark", d: `M${mark} 0V${height + 4}` }, svg("title", {}, "area bound")));
  return drawing;
}

function charts() {
  return time_lines.policies.flatMap((policy) =>
    [html("h3", {}, `${policy.policy}: ${policy.makespan.toFixed(3)} s`),
     html("div", { class: "scroll" }, timeLines(policy))]);
}

function classTimes() {
  const rows = known.flatMap((policy) => report.classes.map((name, c) => {
    const available = report.workers[c] * sum(policy.makespans);
    const parts = report.stages.map((stage, s) => {
      const share = (100 * policy.seconds[s][c]) / available;
      return { kind: "stage", index: s, share, title: `${stage}: ${percent(share)}` };
    });
    return row("td", [policy.policy, name, bar(parts)]);
  }));
  return [row("th", ["policy", "class", ""]), ...rows];
}

function shares() {
  const rows = report.stages.map((stage, s) => {
    const bars = known.map((policy) => bar(policy.ran[s].map((tasks, c) => {
      const share = (100 * tasks) / sum(policy.ran[s]);
      return { kind: "class", index: c, share, title: `${stage}: ${percent(share)} on ${report.classes[c]}` };
    })));
    const last = known.at(-1);
    return row("td", [stage, fixed(sum(last.ran[s]) / last.makespans.length, 0), ...bars]);
  });
  return [row("th", ["codelet", "tasks a run", ...known.map((policy) => policy.policy)]), ...rows];
}

document.title = `Policies compared: ${report.command}`;
fill("command", report.command);
fill("setting", `${protocol}. ${workers}. ${report.machine}; ${report.starpath}; ${report.date}.`);
fill("makespans", ...makespans());
if (known.length > 0) {
  fill("bound", fixed(report.bound, 3));
  fill("stages", ...legend("stage", report.stages));
  fill("time-lines", ...charts());
  fill("class-times", ...classTimes());
  fill("classes", ...legend("class", report.classes));
  fill("shares", ...shares());
  document.getElementById("measured").hidden = false;
}
