// SPDX-License-Identifier: Apache-2.0
// These functions compare all that two models say, to the last bit.
#ifndef DK_TESTS_ABI_ANSWERS_HPP
#define DK_TESTS_ABI_ANSWERS_HPP

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test {

using Bytes = std::vector<unsigned char>;

inline Model read_model(const Bytes& bytes) {
    return create<Model>(dk_model_read, static_cast<const void*>(bytes.data()),
                         static_cast<int64_t>(bytes.size()), nullptr);
}

/// Expects two models to say the same of data and of themselves.
inline void expect_same_answers(const Model& left, const Model& right, const Data& data,
                                bool with_probabilities) {
    EXPECT_EQ(text_of(dk_model_info, left.get()), text_of(dk_model_info, right.get()));
    EXPECT_EQ(bytes_of(left.get()), bytes_of(right.get()));
    EXPECT_TRUE(same_bits(predictions(left, data), predictions(right, data)));
    EXPECT_TRUE(same_bits(decisions(left, data), decisions(right, data)));
    EXPECT_TRUE(same_bits(explanations(left, data), explanations(right, data)));
    if (with_probabilities) {
        EXPECT_TRUE(same_bits(probabilities(left, data), probabilities(right, data)));
    }
    const int64_t prototypes = dk_model_prototype_count(left.get());
    ASSERT_EQ(dk_model_prototype_count(right.get()), prototypes);
    ASSERT_EQ(dk_model_training_rows(right.get()), dk_model_training_rows(left.get()));
    const int64_t coefficients = prototypes * dk_model_training_rows(left.get());
    EXPECT_TRUE(same_bits(values_of<double>(coefficients, dk_model_prototype_coefficients, left.get()),
                          values_of<double>(coefficients, dk_model_prototype_coefficients, right.get())));
    const int64_t nearest = prototypes * dk_model_prototype_neighbours(left.get());
    ASSERT_EQ(prototypes * dk_model_prototype_neighbours(right.get()), nearest);
    const auto rows = [nearest](const Model& model) {
        std::vector<double> distances(static_cast<std::size_t>(nearest));
        std::vector<int64_t> found(distances.size());
        check(dk_model_prototype_nearest(found.data(), distances.data(), nearest, model.get()));
        return std::pair(found, distances);
    };
    EXPECT_EQ(rows(left), rows(right));
    const int64_t kernels = dk_model_kernel_count(left.get());
    EXPECT_TRUE(same_bits(values_of<double>(kernels, dk_model_kernel_weights, left.get()),
                          values_of<double>(kernels, dk_model_kernel_weights, right.get())));
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_ANSWERS_HPP
