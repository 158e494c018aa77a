// One object of a relief, cut up along steepest ascent: the common part of h-minima and the watershed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "codelets/cpu/components.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

/// Objects can be worked on one by one, each in a copy of its bounding box. The result at a pixel depends on its
/// 8-connected object only, and raster order inside an object does not depend on where the object stands.
///
/// Pixels have the total order of kernels/watershed.hpp: the deeper first, and the earlier in raster order among
/// equals. Each pixel points to the first, in that order, of its neighbours and itself. The pointers end in a root,
/// which is first among its neighbours. The pixels of one root are a catchment. Every pixel's pointer is the lightest
/// edge at that pixel, hence in the minimum spanning forest. The remaining work is to join whole catchments, over the
/// few pixels that have neighbours in another one.
class Catchments {
 public:
  /// For objects of up to `max_pixels` in their bounding boxes with a ring of one pixel around.
  Catchments(Scratch& scratch, std::size_t max_pixels)
      : scratch_(scratch),
        values_(scratch.take<std::int32_t>(max_pixels)),
        roots_(scratch.take<std::int32_t>(max_pixels)),
        joined_(scratch.take<std::int32_t>(max_pixels)) {}

  static std::size_t pixels_of(const Object& object) {
    return static_cast<std::size_t>(object.width() + 2) * static_cast<std::size_t>(object.height() + 2);
  }

  /// Starts on an object: all values are `outside`, which is less than any depth.
  void begin(const Object& object) {
    object_ = &object;
    stride_ = object.width() + 2;
    size_ = stride_ * (object.height() + 2);
    std::fill_n(values_.data(), size_, kOutside);
  }

  static constexpr std::int32_t kOutside = -1;
  std::int32_t stride() const { return stride_; }
  std::int32_t size() const { return size_; }
  /// Where the first pixel of a segment is.
  std::int32_t index_of(const Segment& segment) const {
    return (segment.y - object_->y0 + 1) * stride_ + segment.x0 - object_->x0 + 1;
  }
  std::int32_t* values() { return values_.data(); }
  std::int32_t value(std::int32_t p) const { return values_[static_cast<std::size_t>(p)]; }
  void set_value(std::int32_t p, std::int32_t value) { values_[static_cast<std::size_t>(p)] = value; }

  /// Finds every pixel's root.
  void climb();
  /// How many groups of joined catchments there are; each catchment is a group at first.
  std::int32_t groups() const { return groups_; }
  std::int32_t root(std::int32_t p) const { return roots_[static_cast<std::size_t>(p)]; }

  /// Whether p comes before q.
  bool before(std::int32_t p, std::int32_t q) const { return value(p) != value(q) ? value(p) > value(q) : p < q; }

  /// The first root among the catchments joined with that of root `r`.
  std::int32_t first_root(std::int32_t r) {
    while (joined(r) != r) r = joined(r) = joined(joined(r));
    return r;
  }

  /// Visits the edges between catchments in the order of their weights until all are joined. visit(a, b, p) gets the
  /// first roots of two groups of catchments that meet at pixel p, a before b. It returns whether to join them.
  template <class Visit>
  void join(Visit visit);

 private:
  std::int32_t& joined(std::int32_t r) { return joined_[static_cast<std::size_t>(r)]; }
  std::int32_t point_upwards();
  void follow_pointers();
  /// flags[p] = 1 for the pixels that crossings() gives, else 0. Returns how many.
  std::size_t flag_crossings(std::int32_t* flags) const;
  /// Pixels with a neighbour before them in another catchment, in the total order, as (65535 - value) << 32 | index.
  std::span<const std::uint64_t> crossings();
  /// Those neighbours of p, in the total order.
  int other_catchments_before(std::int32_t p, std::int32_t* lower) const;

  Scratch& scratch_;
  std::span<std::int32_t> values_, roots_, joined_;
  const Object* object_ = nullptr;
  std::int32_t stride_ = 0, size_ = 0, groups_ = 0;
};

template <class Visit>
void Catchments::join(Visit visit) {
  if (groups_ == 1) return;
  const Scratch::Mark mark(scratch_);
  for (const std::uint64_t key : crossings()) {
    if (groups_ == 1) break;
    const auto p = static_cast<std::int32_t>(key & 0xFFFFFFFF);
    std::int32_t lower[8];
    const int count = other_catchments_before(p, lower);
    for (int i = 0; i < count; ++i) {
      std::int32_t a = first_root(root(p)), b = first_root(root(lower[i]));
      if (a == b) continue;
      if (before(b, a)) std::swap(a, b);
      if (!visit(a, b, p)) continue;
      joined(b) = a;
      --groups_;
    }
  }
}

/// The most that any of the objects needs.
inline std::size_t largest_catchments(std::span<const Object> objects) {
  std::size_t largest = 0;
  for (const Object& object : objects) largest = std::max(largest, Catchments::pixels_of(object));
  return largest;
}

}  // namespace starpath::cpu
