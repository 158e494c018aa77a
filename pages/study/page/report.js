// Draws the study that the element "data" holds. pages/study/study_page.hpp describes it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const plain = "#777777";  // of what has no group
const boxRatio = 4 / 3;  // of .picture in report.css

/** Makes an element of attributes and children, which are elements or text: no name can be taken for HTML. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const isKnown = (value) => value !== null && value !== undefined;
const grouped = (number) => isKnown(number) ? Math.round(number).toLocaleString("en-US") : "–";
const short = (number) => isKnown(number) ? `${Number(number.toPrecision(4))}` : "–";
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
const colourOf = (group) => data.groups.find((each) => each.name === group)?.colour ?? plain;
const key = (colour) => make("i", {style: `--colour:${colour}`});
const show = (id) => { byId(id).hidden = false; };

/** Cells are text, numbers or elements; `texts` says which columns are of text. */
function fillTable(id, titles, rows, texts = []) {
  const line = (kind, cells) => make("tr", {}, ...cells.map((cell, i) =>
    make(kind, texts.includes(i) ? {class: "text"} : {}, cell instanceof Node ? cell : `${cell}`)));
  byId(id).append(line("th", titles), ...rows.map((row) => line("td", row)));
}

function writeFacts() {
  const {study, slides} = data;
  byId("name").textContent = study.folder;
  document.title = `Study ${study.folder}`;
  const done = slides.filter((slide) => slide.state === "done");
  const patients = new Set(slides.map((slide, i) => slide.patient || `slide ${i}`)).size;
  byId("facts").textContent = `${counted(slides.length, "slide")} (${done.length} done) of ` +
    `${counted(patients, "patient")}, ${grouped(sum(done.map((slide) => slide.nuclei ?? 0)))} nuclei. ` +
    `Made by starpath ${study.starpath}; this page: ${study.date}.`;
}

function writeWarnings() {
  const lines = data.slides.flatMap((slide) => [
    ...(slide.state === "done" ? [] : [`${slide.folder} is ${slide.state}${slide.error ? `: ${slide.error}` : ""}`]),
    ...slide.warnings.map((warning) => `${slide.folder}: ${warning}`),
  ]);
  if (data.clusters?.warning) lines.push(`clusters: ${data.clusters.warning}`);
  for (const line of lines) byId("warning-list").append(make("li", {}, line));
  if (lines.length > 0) show("warnings");
}

/** One unit for all slides: square millimetres only where the resolution of each that is shown is known. */
const byArea = data.slides.every((slide) => !slide.picture || isKnown(slide.picture.density.cell_mm2));
const densityUnit = byArea ? "nuclei a mm²" : "nuclei a million working pixels, as the resolution of a slide is not known";

/** Nuclei by cell, in that unit. */
function densities(slide) {
  const map = slide.picture?.density;
  return map ? map.nuclei.map((count) => count / (byArea ? map.cell_mm2 : map.cell_pixels / 1e6)) : [];
}

/** One scale for all slides: single cells do not decide about it. */
function densest() {
  const all = data.slides.flatMap(densities).filter((density) => density > 0).sort((a, b) => a - b);
  return all.length > 0 ? all[Math.floor(0.99 * (all.length - 1))] : 1;
}

function densityMap(slide, most) {
  const map = slide.picture.density;
  const canvas = make("canvas", {width: map.columns, height: map.rows,
    style: `width:${100 * map.wide}%;height:${100 * map.tall}%`});
  const context = canvas.getContext("2d");
  const image = context.createImageData(map.columns, map.rows);
  densities(slide).forEach((density, i) => {
    image.data.set([0, 130, 90, 255 * 0.75 * Math.min(1, density / most)], 4 * i);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

function picture(slide, most) {
  const shown = slide.picture;
  if (!shown) return make("div", {class: "picture"}, make("span", {class: "absent"}, slide.error || "no results"));
  const ratio = shown.width / shown.height, share = Math.min(1, ratio / boxRatio);  // fits into its box
  const frame = make("div", {class: "frame", style: `aspect-ratio:${ratio};width:${100 * share}%`});
  if (shown.href) frame.append(make("img", {src: shown.href, alt: slide.folder}));
  frame.append(densityMap(slide, most));
  const box = make("div", {class: "picture"}, frame);
  if (shown.problem) frame.append(make("span", {class: "absent"}, shown.problem));
  return box;
}

function card(slide, most) {
  const about = [slide.patient, slide.group, ...Object.entries(slide.labels).map(([name, value]) => `${name} ${value}`)];
  const caption = make("figcaption", {}, make("b", {}, slide.folder), about.filter(Boolean).join(" · "));
  if (caption.lastChild !== caption.firstChild && about.some(Boolean)) caption.append(make("br"));
  const density = isKnown(slide.nuclei_per_mm2) ? `${grouped(slide.nuclei_per_mm2)} a mm²` : "density unknown";
  caption.append(`${grouped(slide.nuclei)} nuclei, ${density}`);
  if (slide.state !== "done") caption.append(make("b", {class: "bad"}, slide.state));
  return make("figure", {class: "card"}, picture(slide, most), caption);
}

function drawSlides() {
  const most = densest();
  byId("densest").textContent = `${grouped(most)} or more ${densityUnit}`;  // a cell in a hundred has more
  byId("cards").append(...data.slides.map((slide) => card(slide, most)));
  byId("density").addEventListener("change", (event) =>
    document.body.classList.toggle("no-density", !event.target.checked));
  fillTable("counts", ["slide", "patient", "group", "state", "nuclei", "mm²", "nuclei a mm²", "median area, µm²", "µm a pixel", "from",
    "tiles", "failed", "seconds"], data.slides.map((slide) => [slide.folder, slide.patient, slide.group, slide.state,
    grouped(slide.nuclei), short(slide.analysed_mm2), grouped(slide.nuclei_per_mm2), short(slide.median_area_um2),
    short(slide.mpp), slide.mpp_source, grouped(slide.tiles), grouped(slide.tiles_failed), slide.seconds.toFixed(1)]),
    [1, 2, 3, 9]);
  const regions = data.slides.flatMap((slide) => slide.regions.map((region) => [slide.folder, region.name, region.class,
    grouped(region.nuclei), short(region.mm2), region.mm2 ? grouped(region.nuclei / region.mm2) : "–"]));
  if (regions.length === 0) return;
  fillTable("region-counts", ["slide", "region", "class", "nuclei", "mm²", "nuclei a mm²"], regions, [1, 2]);
  show("regions");
}

/** Four to ten marks at round numbers. */
function marks(low, high) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const all = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) all.push(i * step);
  return all;
}

function axis(feature) {
  const place = (value) => 100 * (value - feature.low) / (feature.high - feature.low);
  return make("div", {class: "axis"}, ...marks(feature.low, feature.high).map((value) =>
    make("span", {style: `left:${place(value)}%`}, `${Number(value.toPrecision(6))}`)));
}

function box(slide, feature, spread) {
  const place = (value) => Math.min(100, Math.max(0, 100 * (value - feature.low) / (feature.high - feature.low)));
  const plot = make("div", {class: "plot", style: `--colour:${colourOf(slide.group)}`});
  if (spread) {
    const {q1, median, q3, mean} = spread;
    plot.title = `quartiles ${short(q1)}, ${short(median)}, ${short(q3)}; mean ${short(mean)}`;
    plot.append(make("i", {style: `left:${place(q1)}%;width:${place(q3) - place(q1)}%`}),
      make("u", {style: `left:${place(median)}%`}), make("s", {style: `left:${place(mean)}%`}));
  }
  return make("div", {class: "row"}, make("span", {title: slide.folder}, slide.folder), plot);
}

/** Counts of the slides of a group, as shares of all that are counted. */
function line(feature, slides, most) {
  const counts = slides.reduce((total, i) => total.map((count, bin) => count + feature.slides[i].counts[bin]),
    feature.slides[slides[0]].counts.map(() => 0));
  const all = sum(counts) || 1, wide = 600 / counts.length;
  return {top: Math.max(...counts) / all, path: (top) => `M0 160` + counts.map((count, bin) =>
    `V${(160 - 150 * count / all / top).toFixed(1)}H${(wide * (bin + 1)).toFixed(1)}`).join("") + "V160"};
}

function drawHistogram(feature) {
  const counted = data.slides.map((_, i) => i).filter((i) => feature.slides[i]);
  const names = [...data.groups.map((group) => group.name), ""];
  const lines = names.map((name) => [name, counted.filter((i) => data.slides[i].group === name)])
    .filter(([, slides]) => slides.length > 0).map(([name, slides]) => ({name, ...line(feature, slides)}));
  const top = Math.max(...lines.map((each) => each.top), 0) || 1;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 600 160");
  svg.setAttribute("preserveAspectRatio", "none");
  for (const each of lines) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", each.path(top));
    path.style.setProperty("--colour", colourOf(each.name));
    svg.append(path);
  }
  byId("histogram").replaceChildren(svg, axis(feature));
  const outside = sum(counted.map((i) => feature.slides[i].outside));
  const all = outside + sum(counted.map((i) => sum(feature.slides[i].counts)));
  byId("outside").textContent = all === 0 ? "No nuclei." :
    `Shares of each line's nuclei. ${grouped(outside)} of ${grouped(all)} lie outside of the axis (${percent(outside / all)}).`;
}

function drawFeature(index) {
  const feature = data.features[index];
  byId("boxes").replaceChildren(...data.slides.map((slide, i) => box(slide, feature, feature.slides[i])),
    make("div", {class: "row"}, make("span"), axis(feature)));
  drawHistogram(feature);
}

function drawFeatures() {
  byId("feature").append(...data.features.map(({title}, i) => make("option", {value: i}, title)));
  const named = data.groups.length > 0, others = named && data.slides.some((slide) => !slide.group);
  byId("by-group").textContent = named ? " by group" : "";
  byId("groups").append(...[...data.groups, ...(others ? [{name: "no group", colour: plain}] : [])]
    .map(({name, colour}) => make("span", {}, key(colour), name)));
  byId("feature").addEventListener("change", (event) => drawFeature(Number(event.target.value)));
  if (data.features.length > 0) drawFeature(0);
}

/** Parts are {share, colour, title}; shares of one. */
function bar(parts) {
  return make("div", {class: "bar"}, ...parts.filter((part) => part.share > 0).map((part) =>
    make("i", {style: `width:${100 * part.share}%;--colour:${part.colour}`, title: part.title})));
}

/** The legend of clusters or classes, and a bar a slide and, below them, one a group. `kind`: of slide.clusters and the like. */
function drawShares(list, kind, names, bars) {
  const all = sum(list.map((part) => part.nuclei));
  byId(names).append(...list.map(({name, colour, nuclei}) =>
    make("span", {}, key(colour), `${name}: ${grouped(nuclei)} (${percent(nuclei / (all || 1))})`)));
  const row = (name, slides) => {
    const counts = list.map((_, i) => sum(slides.map((slide) => slide[kind][i]))), total = sum(counts) || 1;
    return make("div", {class: "row"}, make("span", {title: name}, name), bar(list.map((part, i) => ({
      share: counts[i] / total, colour: part.colour,
      title: `${part.name}: ${grouped(counts[i])} (${percent(counts[i] / total)})`}))));
  };
  byId(bars).append(...data.slides.map((slide) => row(slide.folder, [slide])));
  if (data.groups.length === 0) return;
  byId(bars).append(make("h3", {}, "By group"), ...data.groups.map(({name}) =>
    row(name, data.slides.filter((slide) => slide.group === name))));
}

function drawClusters() {
  if (!data.clusters) return;
  const {list, about, sheet} = data.clusters;
  const all = sum(list.map((cluster) => cluster.nuclei));
  const sample = about.sample?.find((choice) => choice.k === list.length);
  byId("clustering").textContent = `k-means of ${grouped(all)} nuclei by ${counted(about.features.length, "feature")}, ` +
    `k = ${list.length}${about.auto ? " (chosen by the silhouette)" : ""}, seed ${about.seed}` +
    (sample ? `; silhouette of a sample ${sample.silhouette.toFixed(2)}.` : ".");
  drawShares(list, "clusters", "cluster-names", "shares");
  if (sheet) {
    byId("sheet").lastElementChild.append(make("img", {src: sheet, alt: "typical nuclei"}));
    show("sheet");
  }
  show("clusters");
}

function drawClasses() {
  if (!data.classes) return;
  const {list, about} = data.classes;
  byId("classifying").textContent = `${grouped(sum(list.map((each) => each.nuclei)))} nuclei, each by the votes of its k = ` +
    `${about.k} nearest annotated ones. The last part is of nuclei that are unlike all of them: what the model says of those is not to be believed.`;
  drawShares(list, "classes", "class-names", "class-shares");
  show("classes");
}

function writeGroupTable({groups, patients}, branches) {
  if (groups.length === 0 || branches === 0) return;
  const numbers = Array.from({length: branches}, (_, i) => i);
  fillTable("group-table", ["", ...numbers.map((b) => `branch ${b + 1}`), "all"],
    groups.map((group, g) => [make("span", {}, make("i", {class: "key", style: `--colour:${colourOf(group)}`}), group),
      ...numbers.map((b) => patients[g][b]), sum(patients[g])]));
}

function drawPatients() {
  const cohort = data.cohort;
  if (!cohort) return;
  const best = cohort.silhouettes.find((choice) => choice.k === cohort.k);
  byId("tree").textContent = cohort.k === 0 ? `${counted(cohort.patients.length, "patient")}, and no tree.` :
    `${counted(cohort.patients.length, "patient")}, compared by ${counted(cohort.values.length, "value")}; ${cohort.linkage} linkage, ` +
    `${cohort.k} branches${cohort.auto ? " (chosen by the silhouette)" : ""}, mean silhouette ${best.silhouette.toFixed(2)}.`;
  if (cohort.heat_map) {
    byId("heat-map").lastElementChild.append(make("img", {src: cohort.heat_map, alt: "heat map of patients"}));
    show("heat-map");
  }
  writeGroupTable(cohort.group_table, cohort.k);
  byId("verdict").textContent = `Permutation test: ${cohort.group_table.verdict}.`;
  const notes = [cohort.group_table.warning, ...cohort.notes].filter(Boolean);
  byId("notes").append(...notes.map((note) => make("li", {}, note)));
  const ordered = [...cohort.patients].sort((a, b) => (a.place || Infinity) - (b.place || Infinity) || 0);
  fillTable("patient-table", ["patient", "group", "branch", "slides", "nuclei", "nuclei a mm²"], ordered.map((patient) =>
    [patient.name, patient.group, patient.branch || "–", patient.slides, grouped(patient.nuclei),
      grouped(patient.nuclei_per_mm2)]), [1]);
  show("patients");
}

const kindColours = ["#4c78a8", "#f58518", "#54a24b", "#b279a2"];

function drawRun(run, number) {
  const kinds = Object.keys(run.shares);
  const stages = [...new Set(kinds.flatMap((kind) => Object.keys(run.shares[kind])))];
  const devices = run.devices.map(({name, workers}) => `${counted(workers, "worker")} (${name})`).join(", ");
  const about = make("p", {}, make("b", {}, `Run ${number + 1}`), `, ended ${run.ended}${run.interrupted ? ", interrupted" : ""}: ` +
    `${counted(run.slides, "slide")}, ${counted(run.tiles, "tile")} in ${run.seconds.toFixed(1)} s under policy ${run.policy}; ${devices}.`);
  const legend = make("p", {class: "legend"}, ...kinds.map((kind, k) => {
    const shares = Object.values(run.shares[kind]);
    return make("span", {}, key(kindColours[k % 4]), `${kind}: ${counted(sum(shares.map((share) => share.tasks)), "task")}, ` +
      `${sum(shares.map((share) => share.seconds)).toFixed(1)} s`);
  }));
  const secondsOf = (stage) => kinds.map((kind) => run.shares[kind][stage]?.seconds ?? 0);
  const most = Math.max(...stages.map((stage) => sum(secondsOf(stage)))) || 1;
  const bars = stages.map((stage) => {
    const parts = secondsOf(stage).map((seconds, k) => ({share: seconds / most, colour: kindColours[k % 4],
      title: `${stage} on ${kinds[k]}: ${counted(run.shares[kinds[k]][stage]?.tasks ?? 0, "task")}, ${short(seconds)} s`}));
    return make("div", {class: "row"}, make("span", {title: stage}, stage), bar(parts));
  });
  return [about, legend, ...bars];
}

function drawRuns() {
  if (data.runs.length === 0) return;
  byId("run-list").append(...data.runs.flatMap(drawRun));
  show("runs");
}

function writeParameters() {
  const flat = (value, name) => value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => flat(inner, name ? `${name}.${key}` : key))
    : [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  fillTable("parameters", ["parameter", "value"], flat(data.study.parameters, ""), [1]);
}

function writeContents() {
  for (const section of document.querySelectorAll("section:not([hidden])"))
    byId("contents").append(make("a", {href: `#${section.id}`}, section.querySelector("h2").textContent));
}

writeFacts();
writeWarnings();
drawSlides();
drawFeatures();
drawClusters();
drawClasses();
drawPatients();
drawRuns();
writeParameters();
writeContents();
