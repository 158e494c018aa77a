// Draws the preview that the element "data" holds.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

/** An element with attributes and children, which are nodes or text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function makeSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const grouped = (number) => number.toLocaleString("en-US");
/** Of nuclei, in working pixels; 0: there are none. */
const area = (pixels) => pixels === 0 ? "–" :
  data.pixel_um2 > 0 ? `${(pixels * data.pixel_um2).toFixed(1)} µm²` : `${pixels.toFixed(1)} px`;

function drawing(shown, ...children) {
  return makeSvg("svg", {viewBox: `0 0 ${shown.width} ${shown.height}`, role: "img"},
    makeSvg("image", {href: shown.picture, width: shown.width, height: shown.height}), ...children);
}

function drawOverview() {
  const size = Math.max(data.overview.width, data.overview.height) / 32;
  const marks = data.fields.map((field, i) => {
    const group = makeSvg("a", {class: "mark", href: `#field-${i + 1}`});
    group.append(makeSvg("rect", field.mark),
      makeSvg("text", {x: field.mark.x, y: Math.max(field.mark.y - size / 5, size * .8), "font-size": size}, `${i + 1}`));
    return group;
  });
  byId("overview").prepend(drawing(data.overview, ...marks));
}

function writeFacts() {
  byId("slide").textContent = data.slide.path.split("/").pop();
  document.title = `Preview of ${byId("slide").textContent}`;
  const facts = [
    ["Slide", data.slide.path],
    ["Size", `${grouped(data.slide.width)} × ${grouped(data.slide.height)} px, ${data.slide.format}`],
    ["Resolution", data.resolution],
    ...data.survey.map((text, i) => [i === 0 ? "Survey" : "", text.replace(/^survey: /, "")]),
  ];
  for (const [name, value] of facts) byId("facts").append(make("tr", {}, make("th", {}, name), make("td", {}, value)));
  for (const warning of data.warnings) byId("warnings").append(make("li", {}, warning));
  byId("warnings").hidden = data.warnings.length === 0;
}

/** One row a variant: all fields together, then one column a field. */
function writeCounts() {
  const table = byId("counts");
  table.append(make("tr", {}, make("th", {}, "field"), make("th", {}, "all"), make("th", {}, data.pixel_um2 > 0 ? "per mm²" : "per million px"),
    make("th", {}, "median area"), ...data.fields.map((_, i) => make("th", {}, `${i + 1}`))));
  const pixels = data.fields.reduce((sum, field) => sum + field.width * field.height, 0);
  const unit = 1e6 / (data.pixel_um2 || 1);
  data.variants.forEach((label, v) => {
    const found = data.fields.map((field) => field.variants[v]);
    if (found.some((one) => one.refused)) {
      const columns = data.fields.length + 3;
      table.append(make("tr", {}, make("td", {}, label), make("td", {colspan: columns}, "not possible, see below")));
      return;
    }
    const all = found.reduce((sum, one) => sum + one.nuclei, 0);
    const areas = found.filter((one) => one.nuclei > 0).map((one) => one.median_area_px).sort((a, b) => a - b);
    const middle = areas.length ? areas[Math.floor(areas.length / 2)] : 0;
    table.append(make("tr", {}, make("td", {}, label), make("td", {class: "user"}, grouped(all)),
      make("td", {}, grouped(Math.round(all / pixels * unit))), make("td", {}, area(middle)),
      ...found.map((one) => make("td", {}, grouped(one.nuclei)))));
  });
}

function panel(field, variant) {
  if (variant.refused)
    return make("figure", {}, make("div", {class: "refused"}, variant.refused), make("figcaption", {}, variant.label));
  const text = `${variant.label}: ${grouped(variant.nuclei)} nuclei, median ${area(variant.median_area_px)}`;
  return make("figure", {}, drawing(field, makeSvg("path", {d: variant.path})), make("figcaption", {}, text));
}

function drawFields() {
  data.fields.forEach((field, i) => {
    const place = field.place;
    byId("fields").append(
      make("h3", {id: `field-${i + 1}`}, `Field ${i + 1}: --roi ${place.x},${place.y},${place.width},${place.height}`),
      make("div", {class: "panels"},
        make("figure", {class: "raw"}, drawing(field), make("figcaption", {}, "as scanned")),
        ...field.variants.map((variant) => panel(field, variant))));
  });
}

function drawHistogram(histogram) {
  const width = 600, height = 180, floor = 20, top = 24;
  const most = Math.log1p(Math.max(1, ...histogram.counts));
  const x = (value) => value * width / 256;
  let bars = "";
  histogram.counts.forEach((count, value) => {
    const tall = Math.log1p(count) / most * height;
    if (count > 0) bars += `M${x(value)} ${top + height}v${-tall}h${width / 256}v${tall}z`;
  });
  const svg = makeSvg("svg", {viewBox: `0 0 ${width} ${top + height + floor}`, role: "img"},
    makeSvg("path", {class: "bars", d: bars}));
  for (const value of [0, 50, 100, 150, 200, 250])
    svg.append(makeSvg("text", {class: "axis", x: Math.max(4, x(value)), y: top + height + 14}, `${value}`));
  histogram.levels.forEach((level, i) => {
    const at = x(level.value + 1), right = at < width * .8;
    svg.append(makeSvg("line", {class: "level", x1: at, x2: at, y1: 4 + 16 * i, y2: top + height}),
      makeSvg("text", {class: "name", x: right ? at + 4 : at - 4, y: 14 + 16 * i,
        "text-anchor": right ? "start" : "end"}, `${level.name} = ${level.value}`));
  });
  return make("figure", {}, make("figcaption", {}, make("b", {}, histogram.title)), svg,
    make("figcaption", {}, histogram.note));
}

function writeStains() {
  for (const stain of data.stains)
    byId("stains").append(make("span", {}, make("i", {class: "swatch", style: `background:${stain.colour}`}),
      `${stain.name} (optical densities ${stain.densities})`));
}

function writeParameters() {
  const row = (kind, ...cells) => make("tr", {}, ...cells.map((cell) => make(kind, {}, `${cell}`)));
  byId("parameters").append(row("th", "name", "value", "unit", "from", "meaning"));
  for (const p of data.parameters) {
    const line = row("td", p.name, p.value, p.unit, p.origin, p.meaning);
    if (p.origin !== "default") line.children[1].className = line.children[3].className = "user";
    byId("parameters").append(line);
  }
}

function listen() {
  const root = document.documentElement.style;
  byId("colour").addEventListener("input", (event) => root.setProperty("--outline", event.target.value));
  byId("zoom").addEventListener("input", (event) => root.setProperty("--width", `${event.target.value}px`));
  for (const name of ["outlines", "raw"])
    byId(name).addEventListener("change", (event) => {
      document.body.classList.toggle(`no-${name}`, !event.target.checked);
    });
}

writeFacts();
drawOverview();
writeCounts();
drawFields();
data.histograms.forEach((histogram) => byId("histograms").append(drawHistogram(histogram)));
writeStains();
writeParameters();
listen();
