// SPDX-License-Identifier: Apache-2.0
// This header has owners for the handles of dk.h, calls that throw where a test needs success, and data that
// is the same on every machine.
#ifndef DK_TESTS_ABI_HANDLES_HPP
#define DK_TESTS_ABI_HANDLES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "dk/dk.h"

namespace dk_test {

/// Frees a handle with the function of dk.h that belongs to it.
template <auto Free>
struct Release {
    template <typename Handle>
    void operator()(Handle* handle) const noexcept {
        Free(handle);
    }
};

using Data = std::unique_ptr<dk_data, Release<&dk_data_free>>;
using Params = std::unique_ptr<dk_params, Release<&dk_params_free>>;
using Model = std::unique_ptr<dk_model, Release<&dk_model_free>>;
using Control = std::unique_ptr<dk_control, Release<&dk_control_free>>;

/// Throws what libdk said unless the call succeeded; GoogleTest reports it as the test's failure.
inline void check(dk_status status) {
    if (status != DK_OK)
        throw std::runtime_error(std::string(dk_status_name(status)) + ": " + dk_last_error());
}

/// Gives the handle that a function such as dk_data_from_dense makes of its arguments.
template <typename Owner, typename Function, typename... Arguments>
Owner create(Function function, Arguments... arguments) {
    typename Owner::pointer handle = nullptr;
    check(function(&handle, arguments...));
    return Owner(handle);
}

/// Makes a control with so many threads.
inline Control control_with(int32_t threads) {
    Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), threads));
    return control;
}

/// Gives the text that a function such as dk_model_info writes. It asks for the size, then reads.
template <typename Function, typename... Arguments>
std::string text_of(Function function, Arguments... arguments) {
    int64_t needed = 0;
    check(function(nullptr, 0, &needed, arguments...));
    std::string text(static_cast<std::size_t>(needed), '\0');
    check(function(text.data(), needed, &needed, arguments...));
    text.resize(static_cast<std::size_t>(needed) - 1);
    return text;
}

/// Gives the buffer that a function such as dk_predict(out, length, ...) fills.
template <typename Element, typename Function, typename... Arguments>
std::vector<Element> values_of(int64_t length, Function function, Arguments... arguments) {
    std::vector<Element> values(static_cast<std::size_t>(length));
    check(function(values.data(), length, arguments...));
    return values;
}

/// Gives the bytes of a model file.
inline std::vector<unsigned char> bytes_of(const dk_model* model) {
    int64_t needed = 0;
    check(dk_model_write(nullptr, 0, &needed, model));
    std::vector<unsigned char> bytes(static_cast<std::size_t>(needed));
    check(dk_model_write(bytes.data(), needed, &needed, model));
    return bytes;
}

/// Random is a linear congruential generator with Knuth's MMIX constants, which gives the same numbers
/// everywhere. The standard library's distributions differ between implementations.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed * 2862933555777941757U + 3037000493U) {}

    uint64_t bits() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return state_ >> 11U;
    }

    /// Gives a number in [0, 1), which is a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits()) * 0x1.0p-53; }

    /// Gives an integer in [0, bound).
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>((bits() >> 8U) % bound); }

    /// Gives a nearly normal number, the sum of twelve uniform ones, so that no mathematical library has a
    /// say in the bits.
    double normal() {
        double sum = -6.0;
        for (int term = 0; term < 12; ++term) sum += uniform();
        return sum;
    }

  private:
    uint64_t state_;
};

/// A Problem has rows in row-major order and the label of each.
struct Problem {
    int64_t rows = 0;
    int64_t cols = 0;
    std::vector<double> x;
    std::vector<int64_t> labels;
};

/// Gives the labels of make_problem, -2, 3, 8, ...: they are neither sorted by appearance nor equal to
/// positions.
inline int64_t label_of_class(int64_t position) {
    return 5 * position - 2;
}

/// Makes one cloud for each class, `separation` apart along different axes. The classes take turns row by
/// row.
inline Problem make_problem(int64_t rows, int64_t cols, int64_t classes, double separation, uint64_t seed) {
    Problem problem{rows, cols, {}, {}};
    Random random(seed);
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t position = (classes - 1) - row % classes;
        problem.labels.push_back(label_of_class(position));
        for (int64_t col = 0; col < cols; ++col) {
            const double centre = col == position % cols ? separation : 0.0;
            problem.x.push_back(random.normal() + centre);
        }
    }
    return problem;
}

/// Makes data of the problem without its labels.
inline Data unlabelled(const Problem& problem) {
    return create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols, problem.cols,
                        DK_ROW_MAJOR);
}

inline Data dense(const Problem& problem) {
    Data data = unlabelled(problem);
    check(dk_data_set_labels(data.get(), problem.labels.data(), problem.rows));
    return data;
}

/// Makes data of the same values as compressed sparse rows that store every element.
inline Data sparse(const Problem& problem) {
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> columns;
    for (int64_t row = 0; row < problem.rows; ++row) {
        for (int64_t col = 0; col < problem.cols; ++col) columns.push_back(col);
        offsets.push_back(static_cast<int64_t>(columns.size()));
    }
    Data data = create<Data>(dk_data_from_csr, offsets.data(), columns.data(), problem.x.data(), problem.rows,
                             problem.cols, offsets.back());
    check(dk_data_set_labels(data.get(), problem.labels.data(), problem.rows));
    return data;
}

/// Makes sparse data that store only what is not zero.
inline Data compressed(const Problem& problem) {
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> columns;
    std::vector<double> values;
    for (int64_t row = 0; row < problem.rows; ++row) {
        for (int64_t col = 0; col < problem.cols; ++col) {
            const double value = problem.x[static_cast<std::size_t>(row * problem.cols + col)];
            if (value == 0) continue;
            columns.push_back(col);
            values.push_back(value);
        }
        offsets.push_back(static_cast<int64_t>(columns.size()));
    }
    Data data = create<Data>(dk_data_from_csr, offsets.data(), columns.data(), values.data(), problem.rows,
                             problem.cols, offsets.back());
    check(dk_data_set_labels(data.get(), problem.labels.data(), problem.rows));
    return data;
}

/// Makes data of one square or rectangular matrix of similarities, without labels.
inline Data gram(const std::vector<double>& matrix, int64_t rows, int64_t cols) {
    return create<Data>(dk_data_from_gram, matrix.data(), int64_t{1}, rows, cols, cols, DK_ROW_MAJOR,
                        rows * cols, nullptr);
}

inline Params parameters(const char* machine, const std::string& settings = "") {
    Params params = create<Params>(dk_params_create, machine);
    check(dk_params_parse(params.get(), settings.c_str()));
    return params;
}

inline Model train(const Data& data, const char* machine, const std::string& settings = "",
                   dk_control* control = nullptr) {
    return create<Model>(dk_train, data.get(), parameters(machine, settings).get(), control);
}

inline std::vector<double> predictions(const Model& model, const Data& data) {
    return values_of<double>(dk_data_rows(data.get()), dk_predict, model.get(), data.get(), nullptr);
}

inline std::vector<double> decisions(const Model& model, const Data& data) {
    const int64_t length = dk_data_rows(data.get()) * dk_model_decision_count(model.get());
    return values_of<double>(length, dk_decision, model.get(), data.get(), nullptr);
}

inline std::vector<double> explanations(const Model& model, const Data& data) {
    const int64_t length = dk_data_rows(data.get()) * dk_model_prototype_count(model.get());
    return values_of<double>(length, dk_explain, model.get(), data.get(), nullptr);
}

inline std::vector<double> probabilities(const Model& model, const Data& data) {
    const int64_t length = dk_data_rows(data.get()) * dk_model_class_count(model.get());
    return values_of<double>(length, dk_probability, model.get(), data.get(), nullptr);
}

inline std::vector<int64_t> labels_of(const Data& data) {
    return values_of<int64_t>(dk_data_rows(data.get()), dk_data_labels, data.get());
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_HANDLES_HPP
