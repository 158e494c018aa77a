// Tests of reconstruction and operation 4: the reference by hand, the CPU kernels against the reference.
#include "codelets/kernels/reconstruct.hpp"

#include <cmath>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;
using Deep = Image<std::uint16_t>;

Gray capped(Rng& rng, const Gray& mask, int padding) {
  Gray marker(mask.width(), mask.height(), padding);
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x)
      if (rng() % 64 == 0) marker.at(x, y) = static_cast<std::uint8_t>(rng() % 256);
  return marker;
}

Deep deepened(const Gray& image, int padding) {
  Deep deep(image.width(), image.height(), padding);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) deep.at(x, y) = static_cast<std::uint16_t>(image.at(x, y) * 257);
  return deep;
}

constexpr Connectivity kBothConnectivities[] = {Connectivity::four, Connectivity::eight};

TEST(Reconstruct, FloodsUnderTheMaskThroughCorners) {
  const Gray mask{{5, 0, 9, 9, 9}, {0, 4, 0, 0, 0}, {0, 0, 7, 0, 8}, {0, 7, 0, 0, 8}, {7, 0, 0, 6, 0}};
  const Gray marker{{9, 0, 0, 0, 2}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 8}, {0, 0, 0, 0, 0}};
  const Gray expected{{5, 0, 4, 4, 4}, {0, 4, 0, 0, 0}, {0, 0, 4, 0, 8}, {0, 4, 0, 0, 8}, {4, 0, 0, 6, 0}};
  Gray out(5, 5);
  reference::reconstruct8_bounded(TestContext(), marker.view(), mask.view(), 25, out.view());
  EXPECT_TRUE(same(expected, out));
  Deep deep(5, 5);
  reference::reconstruct_u16(TestContext(), deepened(marker, 0).view(), deepened(mask, 0).view(), Connectivity::eight,
                             deep.view());
  EXPECT_TRUE(same(deepened(expected, 0), deep));
  reference::reconstruct_u8(TestContext(), marker.view(), mask.view(), Connectivity::eight, out.view());
  EXPECT_TRUE(same(expected, out));
}

TEST(Reconstruct, FourNeighboursStopAtCorners) {
  const Gray mask{{5, 0, 9, 9, 9}, {0, 4, 0, 0, 3}, {0, 0, 7, 0, 8}, {0, 7, 0, 0, 8}, {7, 0, 0, 6, 0}};
  const Gray marker{{9, 0, 7, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}};
  const Gray expected{{5, 0, 7, 7, 7}, {0, 0, 0, 0, 3}, {0, 0, 0, 0, 3}, {0, 0, 0, 0, 3}, {1, 0, 0, 0, 0}};
  Gray out(5, 5);
  reference::reconstruct_u8(TestContext(), marker.view(), mask.view(), Connectivity::four, out.view());
  EXPECT_TRUE(same(expected, out));
  Deep deep(5, 5);
  reference::reconstruct_u16(TestContext(), deepened(marker, 0).view(), deepened(mask, 0).view(), Connectivity::four,
                             deep.view());
  EXPECT_TRUE(same(deepened(expected, 0), deep));
}

TEST(Reconstruct, BinaryKeepsTheObjectsThatHoldAMarker) {
  const Gray mask = mask_of({"#.##.", "#.#..", ".#..#", "...##", "##..."});
  const Gray marker = mask_of({"...#.", "#....", "..#..", "...#.", "....."});
  const Gray four = mask_of({"#.##.", "#.#..", "....#", "...##", "....."});
  const Gray eight = mask_of({"#.##.", "#.#..", ".#..#", "...##", "....."});
  for (const auto& [connectivity, expected] : {std::pair{Connectivity::four, four}, {Connectivity::eight, eight}}) {
    Gray out(5, 5);
    reference::reconstruct_binary(TestContext(), marker.view(), mask.view(), connectivity, out.view());
    EXPECT_TRUE(same(expected, out));
  }
}

TEST(Reconstruct, AStepGoesOnePixel) {
  const Gray mask{{9, 9, 9, 9, 9}, {0, 0, 0, 0, 3}, {9, 9, 9, 9, 9}},
      marker{{200, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 9}};
  const std::vector<Gray> expected{
      Gray{{9, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 9}}, Gray{{9, 9, 0, 0, 0}, {0, 0, 0, 0, 3}, {0, 0, 0, 9, 9}},
      Gray{{9, 9, 9, 3, 3}, {0, 0, 0, 0, 3}, {0, 0, 9, 9, 9}}, Gray{{9, 9, 9, 9, 3}, {0, 0, 0, 0, 3}, {0, 9, 9, 9, 9}},
      Gray{{9, 9, 9, 9, 9}, {0, 0, 0, 0, 3}, {9, 9, 9, 9, 9}}};
  for (std::size_t steps = 0; steps < expected.size(); ++steps) {
    Gray out(5, 3);
    reference::reconstruct8_bounded(TestContext(), marker.view(), mask.view(), static_cast<int>(steps), out.view());
    EXPECT_TRUE(same(expected[steps], out)) << steps << " steps";
  }
}

TEST(Reconstruct, NucleiAreWhatTheMarkerDoesNotReach) {
  const Gray inverted{{10, 10, 10}, {10, 90, 10}}, opened{{10, 10, 10}, {10, 10, 10}};
  Gray difference(3, 2);
  reference::recon_to_nuclei(TestContext(), inverted.view(), opened.view(), kPaperPixels.reconstruction_steps,
                             difference.view());
  EXPECT_TRUE(same(Gray{{0, 0, 0}, {0, 80, 0}}, difference));
}

/// Both kernels, the second in place too.
template <class Kernel, class T>
void expect_limit(Kernel* reference, Kernel* cpu, const Image<T>& marker, const Image<T>& mask, int padding,
                  Connectivity connectivity) {
  Image<T> expected(mask.width(), mask.height(), padding), actual = expected, in_place = marker;
  reference(TestContext(), marker.view(), mask.view(), connectivity, expected.view());
  cpu(TestContext(), marker.view(), mask.view(), connectivity, actual.view());
  EXPECT_TRUE(same(expected, actual));
  cpu(TestContext(), in_place.view(), mask.view(), connectivity, in_place.view());
  EXPECT_TRUE(same(expected, in_place)) << "in place";
}

void expect_cpu_is_reference(const Gray& marker, const Gray& mask, int padding, std::vector<int> all_steps) {
  const int width = mask.width(), height = mask.height();
  for (const int steps : all_steps) {
    SCOPED_TRACE(std::to_string(steps) + " steps");
    Gray expected(width, height, padding, 7), actual(width, height, padding, 7);
    reference::reconstruct8_bounded(TestContext(), marker.view(), mask.view(), steps, expected.view());
    cpu::reconstruct8_bounded(TestContext(), marker.view(), mask.view(), steps, actual.view());
    EXPECT_TRUE(same(expected, actual));
    Gray in_place = marker;
    cpu::reconstruct8_bounded(TestContext(), in_place.view(), mask.view(), steps, in_place.view());
    EXPECT_TRUE(same(expected, in_place));
  }
  for (const int steps : {0, 7, kPaperPixels.reconstruction_steps}) {
    Gray difference(width, height, padding, 7), cpu_difference(width, height, padding, 7);
    reference::recon_to_nuclei(TestContext(), mask.view(), marker.view(), steps, difference.view());
    cpu::recon_to_nuclei(TestContext(), mask.view(), marker.view(), steps, cpu_difference.view());
    EXPECT_TRUE(same(difference, cpu_difference)) << steps << " steps";
  }
  for (const Connectivity connectivity : kBothConnectivities) {
    SCOPED_TRACE(static_cast<int>(connectivity));
    expect_limit(reference::reconstruct_u8, cpu::reconstruct_u8, marker, mask, padding, connectivity);
    expect_limit(reference::reconstruct_u16, cpu::reconstruct_u16, deepened(marker, padding), deepened(mask, padding),
                 padding, connectivity);
  }
}

TEST(Reconstruct, CpuIsTheReferenceOnMasks) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Gray markers[] = {Gray(width, height, padding, 0), Gray(width, height, padding, 255),
                            mask_noise(rng, width, height, padding, 0.02), dots(width, height, padding)};
    for_mask_kinds(rng, width, height, padding, [&](const Gray& mask) {
      for (const Gray& marker : markers)
        for (const Connectivity connectivity : kBothConnectivities) {
          expect_limit(reference::reconstruct_binary, cpu::reconstruct_binary, marker, mask, padding, connectivity);
          Gray expected(width, height, padding), over_mask = mask;
          reference::reconstruct_binary(TestContext(), marker.view(), mask.view(), connectivity, expected.view());
          cpu::reconstruct_binary(TestContext(), marker.view(), over_mask.view(), connectivity, over_mask.view());
          EXPECT_TRUE(same(expected, over_mask)) << "over the mask";
        }
    });
  });
}

TEST(Reconstruct, CpuIsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    for_mask_kinds(rng, width, height, padding, [&](const Gray& mask) {
      expect_cpu_is_reference(capped(rng, mask, padding), mask, padding, {static_cast<int>(rng() % 130)});
    });
    const Gray rough = noise<std::uint8_t>(rng, width, height, padding, 255);
    const Gray flat = blobs(rng, width, height, padding, 6);
    expect_cpu_is_reference(capped(rng, rough, padding), rough, padding, {0, 1, 300});
    expect_cpu_is_reference(capped(rng, flat, padding), flat, padding, {0, 2, 300});
    expect_cpu_is_reference(rough, flat, padding, {0, 2, 300});
    expect_cpu_is_reference(flat, rough, padding, {1, 300});
  });
}

TEST(Reconstruct, CpuFollowsALongPath) {
  for (const bool from_middle : {false, true}) {
    const Gray mask = spiral(301, 203, 2);
    Gray marker(301, 203, 2);
    int last_x = 0, last_y = 0;
    for (int y = 0; y < 203; ++y)
      if (mask.at(150, y) != 0 && std::abs(y - 101) < std::abs(last_y - 101)) last_x = 150, last_y = y;
    (from_middle ? marker.at(last_x, last_y) : marker.at(0, 0)) = 200;
    expect_cpu_is_reference(marker, mask, 2, {1, 64, 65, 300});
  }
}

/// The pixels of `image` from (x0, y0) on.
Gray cropped(const Gray& image, int x0, int y0, int width, int height) {
  Gray crop(width, height);
  for (int y = 0; y < height; ++y) std::copy_n(image.view().row(y0 + y) + x0, width, crop.view().row(y));
  return crop;
}

TEST(Reconstruct, BeyondItsReachNothingMatters) {
  Rng rng(test_seed());
  const Gray mask = spiral(301, 203, 2), rough = noise<std::uint8_t>(rng, 301, 203, 2, 255);
  const Gray seeds = capped(rng, mask, 2);
  for (const Gray* const limit : {&mask, &rough})
    for (const int steps : {0, 1, 20, 50}) {
      Gray whole(301, 203), part(180, 150);
      cpu::reconstruct8_bounded(TestContext(), seeds.view(), limit->view(), steps, whole.view());
      const Gray marker_part = cropped(seeds, 70, 30, 180, 150), mask_part = cropped(*limit, 70, 30, 180, 150);
      cpu::reconstruct8_bounded(TestContext(), marker_part.view(), mask_part.view(), steps, part.view());
      const int width = 180 - 2 * steps, height = 150 - 2 * steps;
      EXPECT_TRUE(
          same(cropped(whole, 70 + steps, 30 + steps, width, height), cropped(part, steps, steps, width, height)))
          << steps << " steps";
    }
}

TEST(Reconstruct, NucleiDependOnWhatIsInReachOnly) {
  constexpr int steps = 192, length = 2 * steps;
  const Gray inverted(length, 3, 0, 90);
  Gray opened(length, 3, 0, 10), difference(length, 3);
  opened.at(0, 1) = 60;
  cpu::recon_to_nuclei(TestContext(), inverted.view(), opened.view(), steps, difference.view());
  EXPECT_EQ(difference.at(steps, 0), 30);
  EXPECT_EQ(difference.at(steps + 1, 0), 80);
}

TEST(Reconstruct, CpuHandlesEveryBitOf16) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Deep mask = noise<std::uint16_t>(rng, width, height, padding, 65535);
    const Deep marker = noise<std::uint16_t>(rng, width, height, padding, 40000);
    for (const Connectivity connectivity : kBothConnectivities)
      expect_limit(reference::reconstruct_u16, cpu::reconstruct_u16, marker, mask, padding, connectivity);
  });
}

}  // namespace
}  // namespace starpath
