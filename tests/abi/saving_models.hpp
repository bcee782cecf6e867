// SPDX-License-Identifier: Apache-2.0
// This fixture has two models and a directory in which the second takes the place of the first.
#ifndef DK_TESTS_ABI_SAVING_MODELS_HPP
#define DK_TESTS_ABI_SAVING_MODELS_HPP

#include <gtest/gtest.h>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test {

class SavingModels : public testing::Test {
  protected:
    TemporaryDirectory directory;
    const Data data = dense(make_problem(40, 3, 2, 3.0, 1));
    const Model old_model = train(data, "mean_of_class");
    const Model model = train(data, "svm");
};

}  // namespace dk_test

#endif  // DK_TESTS_ABI_SAVING_MODELS_HPP
