// Labels, areas and objects from runs.
#include "codelets/cpu/components.hpp"

namespace starpath::cpu {

Components label_runs(Scratch& scratch, const RunRows& rows, Connectivity connectivity) {
  const auto labels = scratch.take<std::int32_t>(rows.runs.size());
  const Scratch::Mark mark(scratch);
  const RunSets sets = join_runs(scratch, rows, connectivity == Connectivity::eight ? 1 : 0);
  std::int32_t count = 0;
  for (std::int32_t i = 0; i < rows.size(); ++i)
    labels[static_cast<std::size_t>(i)] = sets.root(i) == i ? ++count : labels[static_cast<std::size_t>(sets.root(i))];
  return {rows, labels, count};
}

Components find_components(Scratch& scratch, MaskView mask, Connectivity connectivity) {
  return label_runs(scratch, find_runs(scratch, mask), connectivity);
}

std::span<std::int32_t> component_areas(Scratch& scratch, const Components& components) {
  const auto areas = scratch.take<std::int32_t>(static_cast<std::size_t>(components.count) + 1);
  std::fill(areas.begin(), areas.end(), 0);
  for (std::int32_t i = 0; i < components.rows.size(); ++i)
    areas[static_cast<std::size_t>(components.label(i))] += components.rows[i].x1 - components.rows[i].x0;
  return areas;
}

void keep_marked(Scratch& scratch, const Components& components, MaskView marker, View<std::uint8_t> kept) {
  const Scratch::Mark mark(scratch);
  const RunRows& rows = components.rows;
  const auto marked = scratch.take<bool>(static_cast<std::size_t>(components.count) + 1);
  std::fill(marked.begin(), marked.end(), false);
  for (int y = 0; y < rows.height(); ++y)
    for (std::int32_t i = rows.begin(y); i < rows.end(y); ++i) {
      bool& known = marked[static_cast<std::size_t>(components.label(i))];
      const auto length = static_cast<std::size_t>(rows[i].x1 - rows[i].x0);
      known = known || std::memchr(marker.row(y) + rows[i].x0, 255, length) != nullptr;
    }
  write_runs(rows, kept, [&](std::int32_t i) { return marked[static_cast<std::size_t>(components.label(i))]; });
}

std::span<const Object> group_objects(Scratch& scratch, const Components& components) {
  const RunRows& rows = components.rows;
  const auto objects = scratch.take<Object>(static_cast<std::size_t>(components.count));
  const auto grouped = scratch.take<Segment>(rows.runs.size());
  const Scratch::Mark mark(scratch);
  const auto ends = scratch.take<std::size_t>(objects.size() + 1);
  std::fill(ends.begin(), ends.end(), std::size_t{0});
  for (const std::int32_t label : components.labels) ++ends[static_cast<std::size_t>(label)];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  for (int y = 0; y < rows.height(); ++y)
    for (std::int32_t i = rows.begin(y); i < rows.end(y); ++i)
      grouped[ends[static_cast<std::size_t>(components.label(i)) - 1]++] = {y, rows[i].x0, rows[i].x1};
  // Each end has moved from where its label's runs begin to where they stop.
  std::size_t begin = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::span<const Segment> segments = grouped.subspan(begin, ends[i] - begin);
    Object object{segments, segments.front().x0, segments.front().y, segments.front().x1, segments.back().y + 1};
    for (const Segment& segment : segments) {
      object.x0 = std::min(object.x0, segment.x0);
      object.x1 = std::max(object.x1, segment.x1);
    }
    objects[i] = object;
    begin = ends[i];
  }
  return objects;
}

}  // namespace starpath::cpu
