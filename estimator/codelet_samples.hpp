// The samples of one codelet.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "estimator/features.hpp"
#include "estimator/sample_set.hpp"

namespace starpath {

/// A set of samples for each device class, and the scale of their parameters, which the classes share.
/// Calls of const functions may overlap each other. Source: anthill-2010 section 4.
class CodeletSamples {
 public:
  /// `capacity`: samples kept a class; `seed`: of their choice.
  CodeletSamples(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), seed_(seed) {}

  /// Takes in samples. Returns whether those that are kept, or their distances, are other ones now.
  bool learn(std::span<const Sample> samples);

  /// nullptr when there is no sample of the class.
  const SampleSet* of(unsigned device_class) const {
    return device_class < classes_.size() ? &classes_[device_class] : nullptr;
  }
  const Scale& scale() const { return scale_; }

 private:
  static bool widen(Scale& scale, const Features& features);
  bool place(const Sample& sample);

  std::size_t capacity_;
  std::uint64_t seed_;
  Scale scale_{};
  std::vector<SampleSet> classes_;
};

}  // namespace starpath
