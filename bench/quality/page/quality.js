// Draws the sections that the element "data" holds.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and, where given, text. */
function make(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function makeSvg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A picture with outlines: [class, path] each. */
function drawing(shown, outlines) {
  const svg = makeSvg("svg", {viewBox: `0 0 ${shown.width} ${shown.height}`, role: "img"});
  svg.append(makeSvg("image", {href: shown.picture, width: shown.width, height: shown.height}));
  for (const [kind, path] of outlines) svg.append(makeSvg("path", {class: kind, d: path}));
  return svg;
}

function caption(panel) {
  if (!panel.numbers) return panel.title;
  const n = panel.numbers;
  const three = (value) => value.toFixed(3);
  return `${panel.title}: Dice ${three(n.dice)}, AJI ${three(n.aji)}, F1 ${three(n.f1)}, PQ ${three(n.pq)}; ` +
    `${n.found} found, ${n.truth} true, ${n.matches} match`;
}

function figure(shown, outlines, text, kind) {
  const box = make("figure");
  box.append(drawing(shown, outlines), make("figcaption", {class: kind}, text));
  return box;
}

function panels(shown) {
  const row = make("div", {class: "panels"});
  row.append(figure(shown, [], "image", "raw"));
  const truth = shown.panels[0].path;
  for (const panel of shown.panels) {
    const outlines = [[panel.title, panel.path]];
    if (panel.numbers) outlines.push(["truth over", truth]);
    row.append(figure(shown, outlines, caption(panel), panel.title));
  }
  return row;
}

const data = JSON.parse(document.getElementById("data").textContent);
const sections = document.getElementById("sections");
for (const section of data.sections) {
  sections.append(make("h2", {}, section.setting), make("pre", {}, section.table));
  for (const shown of section.cases) sections.append(make("h3", {}, shown.name), panels(shown));
}
document.getElementById("over").addEventListener("change", (event) => {
  document.body.classList.toggle("show-truth", event.target.checked);
});
