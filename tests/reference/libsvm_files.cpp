// SPDX-License-Identifier: Apache-2.0
#include "libsvm_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

namespace dk_reference {
namespace {

double with_three_decimals(double value) {
    return std::round(value * 1000) / 1000;
}

/// Rows as LIBSVM takes them; the serial number of a row comes first with a precomputed kernel.
std::vector<svm_node> nodes_of(const double* row, std::size_t cols, bool precomputed, std::size_t serial) {
    std::vector<svm_node> nodes;
    if (precomputed) nodes.push_back({0, static_cast<double>(serial)});
    for (std::size_t j = 0; j < cols; ++j) {
        if (row[j] != 0 || precomputed) nodes.push_back({static_cast<int>(j) + 1, row[j]});
    }
    nodes.push_back({-1, 0});
    return nodes;
}

void print_nothing(const char*) {}

}  // namespace

Rows random_rows(std::size_t count, std::size_t cols, const std::vector<int>& labels, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> centres(cols * std::max<std::size_t>(labels.size(), 1));
    for (double& centre : centres) centre = normal(random);
    Rows rows{.cols = cols};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t c = labels.empty() ? 0 : random() % labels.size();
        double sum = 0;
        for (std::size_t j = 0; j < cols; ++j) {
            const bool zero = random() % 3 == 0;
            const double value = zero ? 0.0 : with_three_decimals(centres[c * cols + j] + normal(random));
            rows.values.push_back(value);
            sum += std::sin(value);
        }
        rows.targets.push_back(labels.empty() ? sum : labels[c]);
    }
    return rows;
}

Rows inner_products(const Rows& rows, const Rows& others) {
    Rows products{.cols = others.count(), .values = {}, .targets = rows.targets};
    for (std::size_t i = 0; i < rows.count(); ++i) {
        for (std::size_t k = 0; k < others.count(); ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < rows.cols; ++j) sum += rows.row(i)[j] * others.row(k)[j];
            products.values.push_back(sum);
        }
    }
    return products;
}

LibsvmModel trained_file(const Rows& rows, svm_parameter parameters, const std::string& path) {
    svm_set_print_string_function(print_nothing);
    std::vector<std::vector<svm_node>> nodes;
    std::vector<svm_node*> pointers;
    for (std::size_t i = 0; i < rows.count(); ++i)
        nodes.push_back(nodes_of(rows.row(i), rows.cols, parameters.kernel_type == PRECOMPUTED, i + 1));
    for (auto& row : nodes) pointers.push_back(row.data());
    std::vector<double> targets = rows.targets;
    svm_problem problem{static_cast<int>(rows.count()), targets.data(), pointers.data()};
    const char* refused = svm_check_parameter(&problem, &parameters);
    EXPECT_EQ(refused, nullptr) << refused;
    const LibsvmModel model(svm_train(&problem, &parameters));
    EXPECT_EQ(svm_save_model(path.c_str(), model.get()), 0);
    return loaded(path);
}

LibsvmModel loaded(const std::string& path) {
    LibsvmModel model(svm_load_model(path.c_str()));
    EXPECT_NE(model, nullptr) << path;
    return model;
}

std::vector<double> libsvm_decisions(const svm_model& model, const double* row, std::size_t cols) {
    const auto nodes = nodes_of(row, cols, model.param.kernel_type == PRECOMPUTED, 0);
    const int classes = svm_get_nr_class(&model);
    std::vector<double> values(std::max(1, classes * (classes - 1) / 2));
    svm_predict_values(&model, nodes.data(), values.data());
    return values;
}

std::vector<double> libsvm_probabilities(const svm_model& model, const double* row, std::size_t cols) {
    const auto nodes = nodes_of(row, cols, model.param.kernel_type == PRECOMPUTED, 0);
    std::vector<double> by_file(static_cast<std::size_t>(svm_get_nr_class(&model)));
    svm_predict_probability(&model, nodes.data(), by_file.data());
    std::map<int, double> ascending;
    for (std::size_t c = 0; c < by_file.size(); ++c) ascending[model.label[c]] = by_file[c];
    std::vector<double> values;
    for (const auto& [label, value] : ascending) values.push_back(value);
    return values;
}

double libsvm_prediction(const svm_model& model, const double* row, std::size_t cols) {
    const auto nodes = nodes_of(row, cols, model.param.kernel_type == PRECOMPUTED, 0);
    std::vector<double> ignored(static_cast<std::size_t>(svm_get_nr_class(&model)));
    return model.probA != nullptr && model.probB != nullptr
               ? svm_predict_probability(&model, nodes.data(), ignored.data())
               : svm_predict(&model, nodes.data());
}

std::vector<double> in_order_of_libdk(const svm_model& model, const std::vector<double>& decisions) {
    if (model.label == nullptr) return decisions;
    const int classes = svm_get_nr_class(&model);
    std::map<std::pair<int, int>, double> positive_for_smaller;
    std::size_t f = 0;
    for (int i = 0; i < classes; ++i) {
        for (int j = i + 1; j < classes; ++j, ++f) {
            const int first = model.label[i];
            const int second = model.label[j];
            positive_for_smaller[std::minmax(first, second)] = first < second ? decisions[f] : -decisions[f];
        }
    }
    std::vector<double> values;
    for (const auto& [pair, value] : positive_for_smaller) values.push_back(classes == 2 ? -value : value);
    return values;
}

double coefficient_sum(const svm_model& model) {
    double sum = 0;
    for (int c = 0; c < svm_get_nr_class(&model) - 1; ++c) {
        for (int s = 0; s < svm_get_nr_sv(&model); ++s) sum += std::abs(model.sv_coef[c][s]);
    }
    return sum;
}

std::string file_name(const std::string& name) {
    return (std::filesystem::temp_directory_path() / ("dk_exchange_" + std::to_string(getpid()) + "_" + name))
        .string();
}

void expect_same_decisions(const svm_model& theirs, const libdk::Model& ours, const Rows& rows,
                           const libdk::Data& data, double tolerance) {
    const libdk::Matrix found = ours.decision(data);
    const double allowed = tolerance * coefficient_sum(theirs);
    ASSERT_GT(allowed, 0);
    double worst = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const auto expected = in_order_of_libdk(theirs, libsvm_decisions(theirs, rows.row(i), rows.cols));
        ASSERT_EQ(static_cast<std::size_t>(ours.decision_count()), expected.size());
        const auto own = found.row(static_cast<std::int64_t>(i));
        for (std::size_t f = 0; f < expected.size(); ++f)
            worst = std::max(worst, std::abs(own[f] - expected[f]));
    }
    EXPECT_LE(worst, allowed);
}

}  // namespace dk_reference
