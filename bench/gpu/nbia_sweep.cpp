// Tiles in pinned memory, lanes of a stream and its buffers, and the three ways to do them.
#include "bench/gpu/nbia_sweep.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "bench/gpu/measure.hpp"
#include "bench/gpu/nbia_samples.hpp"
#include "bench/kernels/tile.hpp"
#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::bench {
namespace {

constexpr int kRounds = 3;

/// Memory that the device can copy from and to by itself.
template <class T>
class Pinned {
 public:
  explicit Pinned(std::size_t count) {
    void* data = nullptr;
    check(cudaMallocHost(&data, count * sizeof(T)), "pinned memory");
    data_ = static_cast<T*>(data);
  }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* data() const { return data_; }

 private:
  T* data_;
};

/// `count` tiles, some of them the same: as many as fit are different.
class Tiles {
 public:
  explicit Tiles(int the_side)
      : side(the_side),
        count(static_cast<std::size_t>(std::clamp((1 << 26) / (side * side), 8, 4096))),
        votes(count),
        different_(std::clamp<std::size_t>((std::size_t{1} << 26) / pixels(), 1, count)),
        rgb_(different_ * pixels()) {
    const RgbView whole = tile().view();
    const int columns = std::max(1, whole.width / side), rows = std::max(1, whole.height / side);
    for (std::size_t i = 0; i < different_; ++i) {
      const int place = static_cast<int>(i) % (columns * rows);
      for (int y = 0; y < side; ++y)
        std::copy_n(whole.row(place / columns * side + y) + place % columns * side, side,
                    rgb_.data() + i * pixels() + static_cast<std::size_t>(y) * static_cast<std::size_t>(side));
    }
  }
  std::size_t pixels() const { return static_cast<std::size_t>(side) * static_cast<std::size_t>(side); }
  RgbView operator[](std::size_t i) const { return {rgb_.data() + i % different_ * pixels(), side, side, side}; }

  const int side;
  const std::size_t count;
  Pinned<NbiaVote> votes;

 private:
  const std::size_t different_;
  Pinned<Rgb> rgb_;
};

/// A stream, and what one tile needs on the device.
class Lane {
 public:
  Lane(int side, std::size_t samples)
      : rgb_(std::vector<Rgb>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side))),
        scratch_(support::device_memory()) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    scratch_.reserve(nbia_gpu_scratch_bytes(samples));
  }
  ~Lane() { cudaStreamDestroy(stream_); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void copy_in(RgbView from) const {
    check(cudaMemcpyAsync(rgb_.data(), from.data, static_cast<std::size_t>(from.pixels()) * sizeof(Rgb),
                          cudaMemcpyHostToDevice, stream_),
          "copy to the device");
  }
  void judge(int side, const NbiaSamples& known) {
    const KernelContext context{scratch_, stream_};
    cuda::nbia_statistics(context, {rgb_.data(), side, side, side}, counts_.data());
    cuda::nbia_classify(context, *counts_.data(), known, vote_.data());
  }
  void copy_out(NbiaVote* to) const {
    check(cudaMemcpyAsync(to, vote_.data(), sizeof *to, cudaMemcpyDeviceToHost, stream_), "copy from the device");
  }
  void wait() const { check(cudaStreamSynchronize(stream_), "a tile"); }

 private:
  support::DeviceArray<Rgb> rgb_;
  support::DeviceArray<NbiaCounts> counts_{std::vector<NbiaCounts>(1)};
  support::DeviceArray<NbiaVote> vote_{std::vector<NbiaVote>(1)};
  Scratch scratch_;
  cudaStream_t stream_ = nullptr;
};

void in_turn(const Tiles& tiles, Lane& lane, const NbiaSamples& known) {
  for (std::size_t i = 0; i < tiles.count; ++i) {
    lane.copy_in(tiles[i]);
    lane.wait();
    lane.judge(tiles.side, known);
    lane.wait();
    lane.copy_out(tiles.votes.data() + i);
    lane.wait();
  }
}

void beside(const Tiles& tiles, const std::vector<std::unique_ptr<Lane>>& lanes, const NbiaSamples& known) {
  for (std::size_t i = 0; i < tiles.count; ++i) {
    Lane& lane = *lanes[i % lanes.size()];
    lane.copy_in(tiles[i]);
    lane.judge(tiles.side, known);
    lane.copy_out(tiles.votes.data() + i);
  }
  for (const auto& lane : lanes) lane->wait();
}

std::vector<NbiaVote> votes_of(const Tiles& tiles) { return {tiles.votes.data(), tiles.votes.data() + tiles.count}; }

SweepRow measure(int side, const BothSamples& known) {
  const Tiles tiles(side);
  SweepRow row{side, 0, 0, std::numeric_limits<double>::max(), 0, true};
  const auto all = static_cast<double>(tiles.count);
  // The first tiles are enough to time a core by; the votes of all are compared.
  const std::size_t timed = std::clamp<std::size_t>((1 << 23) / tiles.pixels(), 1, tiles.count);
  std::vector<NbiaVote> expected(tiles.count);
  Scratch scratch;
  const auto judge = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Scratch::Mark mark(scratch);
      NbiaCounts counts;
      cpu::nbia_statistics({scratch}, tiles[i], &counts);
      cpu::nbia_classify({scratch}, counts, known.host.view(), &expected[i]);
    }
  };
  row.cpu_ms = wall_ms(kRounds, [&] { judge(0, timed); }) / static_cast<double>(timed);
  judge(timed, tiles.count);

  const std::size_t samples = known.host.labels.size();
  Lane alone(side, samples);
  row.in_turn_ms = wall_ms(kRounds, [&] { in_turn(tiles, alone, known.device()); }) / all;
  row.equal = votes_of(tiles) == expected;
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const int streams : {2, 4, 8, 16}) {
    while (lanes.size() < static_cast<std::size_t>(streams)) lanes.push_back(std::make_unique<Lane>(side, samples));
    std::fill_n(tiles.votes.data(), tiles.count, NbiaVote{});
    const double ms = wall_ms(kRounds, [&] { beside(tiles, lanes, known.device()); }) / all;
    row.equal = row.equal && votes_of(tiles) == expected;
    if (ms >= row.beside_ms) continue;
    row.beside_ms = ms;
    row.streams = streams;
  }
  return row;
}

}  // namespace

std::vector<SweepRow> sweep_nbia() {
  const BothSamples known;
  std::vector<SweepRow> rows;
  for (int side = 32; side <= 4096; side *= 2) rows.push_back(measure(side, known));
  return rows;
}

}  // namespace starpath::bench
