// SPDX-License-Identifier: Apache-2.0
// This header makes data that are no vectors, the same on every machine: ragged series, strings, graphs, and
// objects that only a callback knows. Each is a task of two classes that are easily told apart.
#ifndef DK_TESTS_ABI_STRUCTURES_HPP
#define DK_TESTS_ABI_STRUCTURES_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "handles.hpp"

namespace dk_test {

inline void label(const Data& data, const std::vector<int64_t>& labels) {
    check(dk_data_set_labels(data.get(), labels.data(), static_cast<int64_t>(labels.size())));
}

/// Gives labels of two classes that take turns; the second one comes first.
inline std::vector<int64_t> alternating_labels(int64_t rows) {
    std::vector<int64_t> labels;
    for (int64_t row = 0; row < rows; ++row) labels.push_back(label_of_class(1 - row % 2));
    return labels;
}

struct SeriesProblem {
    int64_t channels = 1;
    std::vector<double> values;
    std::vector<int64_t> lengths;
    std::vector<int64_t> labels;

    int64_t rows() const { return static_cast<int64_t>(lengths.size()); }
};

/// Makes ramps of 4 to 9 steps with noise. One class rises and the other falls; in every second channel it is
/// reversed.
inline SeriesProblem make_series(int64_t rows, int64_t channels, uint64_t seed) {
    SeriesProblem problem{channels, {}, {}, alternating_labels(rows)};
    Random random(seed);
    for (int64_t row = 0; row < rows; ++row) {
        const auto length = static_cast<int64_t>(4 + random.below(6));
        problem.lengths.push_back(length);
        for (int64_t step = 0; step < length; ++step) {
            const double place = static_cast<double>(step) / static_cast<double>(length - 1) - 0.5;
            for (int64_t channel = 0; channel < channels; ++channel) {
                const double direction = (row + channel) % 2 == 0 ? 4.0 : -4.0;
                problem.values.push_back(direction * place + 0.2 * random.normal());
            }
        }
    }
    return problem;
}

inline Data unlabelled(const SeriesProblem& problem) {
    return create<Data>(dk_data_from_series, problem.values.data(), problem.lengths.data(), problem.rows(),
                        problem.channels);
}

inline Data series(int64_t rows, int64_t channels, uint64_t seed) {
    const SeriesProblem problem = make_series(rows, channels, seed);
    Data data = unlabelled(problem);
    label(data, problem.labels);
    return data;
}

inline Data from_texts(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return create<Data>(dk_data_from_strings, pointers.data(), static_cast<int64_t>(texts.size()));
}

/// Makes texts of three words, each one of the two words of the class, with a random letter before each word.
inline std::vector<std::string> make_texts(int64_t rows, uint64_t seed) {
    const std::vector<std::string> words{"gata", "tagä", "ccgc", "cgcc"};
    std::vector<std::string> texts;
    Random random(seed);
    for (int64_t row = 0; row < rows; ++row) {
        std::string text;
        for (int word = 0; word < 3; ++word) {
            text += "acgt"[random.below(4)];
            text += words[2 * static_cast<std::size_t>(row % 2) + random.below(2)];
        }
        texts.push_back(text);
    }
    return texts;
}

inline Data strings(int64_t rows, uint64_t seed) {
    Data data = from_texts(make_texts(rows, seed));
    label(data, alternating_labels(rows));
    return data;
}

struct GraphProblem {
    std::vector<int64_t> node_counts, node_labels, edge_counts, edges;

    int64_t rows() const { return static_cast<int64_t>(node_counts.size()); }
};

/// Makes circles and stars of 5 to 9 nodes, labelled 0 or -7 in turns.
inline GraphProblem make_graphs(int64_t rows, uint64_t seed) {
    GraphProblem problem;
    Random random(seed);
    for (int64_t row = 0; row < rows; ++row) {
        const auto nodes = static_cast<int64_t>(5 + random.below(5));
        const bool circle = row % 2 == 0;
        problem.node_counts.push_back(nodes);
        problem.edge_counts.push_back(circle ? nodes : nodes - 1);
        for (int64_t node = 0; node < nodes; ++node) {
            problem.node_labels.push_back(node % 2 == 0 ? 0 : -7);
            if (!circle && node == 0) continue;
            problem.edges.push_back(node);
            problem.edges.push_back(circle ? (node + 1) % nodes : 0);
        }
    }
    return problem;
}

inline Data unlabelled(const GraphProblem& problem) {
    return create<Data>(dk_data_from_graphs, problem.node_counts.data(), problem.node_labels.data(),
                        problem.edge_counts.data(), problem.edges.data(), problem.rows());
}

inline Data graphs(int64_t rows, uint64_t seed) {
    Data data = unlabelled(make_graphs(rows, seed));
    label(data, alternating_labels(rows));
    return data;
}

/// Similarities are values that a callback looks up, and what it saw of its callers.
struct Similarities {
    std::vector<double> matrix;
    int64_t rows = 0;
    int64_t training_rows = 0;
    int fail_at_call = -1;
    int32_t failure = 1;
    dk_control* cancel_at_first_call = nullptr;
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> calls{0};
    std::atomic<int64_t> pairs{0};  // how many similarities were asked for, again and again
    std::atomic<int> running{0};
    std::atomic<bool> other_thread{false}, at_once{false}, outside{false};

    Similarities(std::vector<double> values, int64_t row_count, int64_t training_count)
        : matrix(std::move(values)), rows(row_count), training_rows(training_count) {}

    static int32_t look_up(double* out, const int64_t* left, int64_t left_count, const int64_t* right,
                           int64_t right_count, void* user) {
        auto& self = *static_cast<Similarities*>(user);
        const int call = ++self.calls;
        if (++self.running > 1) self.at_once = true;
        if (std::this_thread::get_id() != self.caller) self.other_thread = true;
        if (left_count < 1 || right_count < 1) self.outside = true;
        self.pairs += left_count * right_count;
        for (int64_t i = 0; i < left_count; ++i) {
            for (int64_t j = 0; j < right_count; ++j) {
                const bool inside =
                    left[i] >= 0 && left[i] < self.rows && right[j] >= 0 && right[j] < self.training_rows;
                if (!inside) self.outside = true;
                const int64_t element = inside ? left[i] * self.training_rows + right[j] : 0;
                out[i * right_count + j] = self.matrix[static_cast<std::size_t>(element)];
            }
        }
        if (self.cancel_at_first_call != nullptr && call == 1) dk_control_cancel(self.cancel_at_first_call);
        --self.running;
        return call == self.fail_at_call ? self.failure : 0;
    }

    Data data(const double* self_similarities = nullptr, int32_t concurrent = 0) {
        return create<Data>(dk_data_from_similarity, rows, training_rows, &Similarities::look_up,
                            static_cast<void*>(this), self_similarities, concurrent);
    }
};

}  // namespace dk_test

#endif  // DK_TESTS_ABI_STRUCTURES_HPP
