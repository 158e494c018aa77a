// A classifier of nuclei in tasks: that workers and policies decide nothing.
#include "pipelines/classification/classify_nuclei.hpp"

#include <gtest/gtest.h>

#include "pipelines/run/starpu_session.hpp"
#include "tests/pipelines/training_set.hpp"

namespace starpath {
namespace {

using test::set_of;

TEST(NucleusClassifier, VotesAreThoseOfTheReferenceWhoeverComputes) {
  const NucleusModel model = train_nuclei(set_of(200, 2, 0.7)).model;
  const TrainingSet all = set_of(kNucleiOfBlock + 300, 1, 0.7, 9);
  const int width = model.row_numbers();
  std::vector<std::int16_t> rows(all.nuclei.size() * static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < all.nuclei.size(); ++i)
    model.put_row(all.nuclei[i].features,
                  std::span(rows).subspan(i * static_cast<std::size_t>(width), static_cast<std::size_t>(width)));
  const std::vector<std::int16_t> samples = model.sample_rows();
  std::vector<ClassVote> expected(all.nuclei.size());
  Scratch scratch;
  reference::nearest_classes(KernelContext{scratch}, {rows.data(), width, static_cast<int>(expected.size()), width},
                             {samples.data(), width, static_cast<int>(model.samples()), width}, model.labels, expected,
                             model.k);
  for (const std::string policy : {"eager", "lws", "random"})
    for (const int cpus : {1, 2}) {
      const StarpuSession session({.policy = policy, .cpus = cpus, .gpus = 0});
      NucleusClassifier classifier(model);
      EXPECT_TRUE(classifier.finish().empty());
      for (int again = 0; again < 2; ++again) {
        for (const AnnotatedNucleus& nucleus : all.nuclei) classifier.add(nucleus.features);
        EXPECT_EQ(classifier.finish(), expected);
      }
      classifier.add(all.nuclei[0].features);  // and is left alone
    }
}

}  // namespace
}  // namespace starpath
