// The works with dependent iterations.
#include "codelets/benchmarks/wavefronts.hpp"
#include "loops/works/draw.hpp"
#include "loops/works/shared_data.hpp"
#include "loops/works/work_kinds.hpp"

namespace starpath {
namespace {

using codelets::array;
using codelets::image;

// One step of heat over a plate of side x side elements, with one element of border on each side.
class Heat2D final : public TileWork {
 public:
  explicit Heat2D(std::size_t side)
      : TileWork(side),
        before_(*this, side + 2, side + 2),
        now_(*this, side + 2, side + 2),
        side_(static_cast<int>(side)) {
    Draw draw(5);
    for (float& value : before_.values) value = static_cast<float>(draw(0, 100));
    now_.values = expected_ = before_.values;  // the border stays
  }
  std::vector<TileData> data() override {
    return {{.handle = before_.handle, .mode = STARPU_R, .margin = {.below = 1, .right = 1}, .row = 1, .column = 1},
            {.handle = now_.handle, .part = TilePart::above, .margin = {.above = 1}, .row = 1, .column = 1},
            {.handle = now_.handle, .part = TilePart::left, .margin = {.left = 1}, .row = 1, .column = 1},
            {.handle = now_.handle, .mode = STARPU_W, .row = 1, .column = 1}};
  }
  std::vector<loops::Dependency> dependencies() const override { return {{1, 0}, {0, 1}}; }
  void run(const Device& on, void* buffers[], const LoopTile&) const override {
    on.choose<cpu::heat_step, cuda::heat_step>()(on.context, {.before = image<const float>(buffers[0]),
                                                              .above = image<const float>(buffers[1]),
                                                              .left = image<const float>(buffers[2]),
                                                              .now = image<float>(buffers[3])});
  }
  void run_serially() override {
    const std::ptrdiff_t wide = side_ + 2;
    float* const all = expected_.data();
    cpu::heat_step(cpu_device().context, {.before = {before_.values.data() + wide + 1, side_ + 1, side_ + 1, wide},
                                          .above = {all + 1, side_, 1, wide},
                                          .left = {all + wide, 1, side_, wide},
                                          .now = {all + wide + 1, side_, side_, wide}});
  }
  bool same() const override { return now_.values == expected_; }

 private:
  SharedMatrix<float> before_, now_;
  std::vector<float> expected_;
  int side_;
};

// Two strings of side symbols; the scores have one row and one column of zeros in front.
class StrMatch final : public TileWork {
 public:
  explicit StrMatch(std::size_t side)
      : TileWork(side),
        down_(*this, side),
        across_(*this, side),
        scores_(*this, side + 1, side + 1),
        expected_(scores_.values.size()),
        side_(static_cast<int>(side)) {
    Draw draw(6);
    for (auto* text : {&down_, &across_})
      for (auto& symbol : text->values) symbol = static_cast<std::uint8_t>(draw.byte() % 4);
  }
  std::vector<TileData> data() override {
    return {
        {.handle = down_.handle, .whole = true},
        {.handle = across_.handle, .whole = true},
        {.handle = scores_.handle, .part = TilePart::above, .margin = {.above = 1, .left = 1}, .row = 1, .column = 1},
        {.handle = scores_.handle, .part = TilePart::left, .margin = {.left = 1}, .row = 1, .column = 1},
        {.handle = scores_.handle, .mode = STARPU_W, .row = 1, .column = 1}};
  }
  std::vector<loops::Dependency> dependencies() const override { return {{1, 0}, {0, 1}, {1, 1}}; }
  void run(const Device& on, void* buffers[], const LoopTile& part) const override {
    on.choose<cpu::match_strings, cuda::match_strings>()(
        on.context, {.down = array<const std::uint8_t>(buffers[0]).subspan(part.tile.row, part.tile.rows),
                     .across = array<const std::uint8_t>(buffers[1]).subspan(part.tile.column, part.tile.columns),
                     .above = image<const std::int32_t>(buffers[2]),
                     .left = image<const std::int32_t>(buffers[3]),
                     .scores = image<std::int32_t>(buffers[4])});
  }
  void run_serially() override {
    const std::ptrdiff_t wide = side_ + 1;
    std::int32_t* const all = expected_.data();
    cpu::match_strings(cpu_device().context, {.down = down_.values,
                                              .across = across_.values,
                                              .above = {all, side_ + 1, 1, wide},
                                              .left = {all + wide, 1, side_, wide},
                                              .scores = {all + wide + 1, side_, side_, wide}});
  }
  bool same() const override { return scores_.values == expected_; }

 private:
  SharedVector<std::uint8_t> down_, across_;
  SharedMatrix<std::int32_t> scores_;
  std::vector<std::int32_t> expected_;
  int side_;
};

}  // namespace

std::vector<LoopWorkName> tile_works() {
  return {
      {"heat2d", "a step of heat over n x n elements, a wavefront", 8'000, make_work<Heat2D>},
      {"strmatch", "scores of two strings of n symbols (Smith-Waterman), a wavefront", 8'000, make_work<StrMatch>},
  };
}

}  // namespace starpath
