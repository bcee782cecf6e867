// SPDX-License-Identifier: Apache-2.0
// These tests expect every machine that dk_describe lists to give a row the same bits alone and in batches of
// several sizes, whatever the number of training rows: sums over these are taken in tiles, whose width is
// another one for each size of a batch, and at more rows in pieces of a thousand and of 8192.
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

#include "expectations.hpp"

namespace dk_test::batch_sizes_test {
namespace {

using nlohmann::json;

const json& machines() {
    static const json described = json::parse(text_of(dk_describe)).at("machines");
    return described;
}

std::vector<std::string> machine_names() {
    std::vector<std::string> names;
    for (const json& machine : machines()) names.push_back(machine.at("name"));
    return names;
}

const json& machine_named(const std::string& name) {
    return *std::ranges::find_if(machines(), [&](const json& machine) { return machine.at("name") == name; });
}

bool has(const json& machine, const std::string& name) {
    return std::ranges::any_of(machine.at("parameters"),
                               [&](const json& one) { return one.at("name") == name; });
}

/// Settings with which training is short. What is learned does not matter.
std::string brief_settings(const json& machine) {
    std::string settings = "kernel=rbf(gamma=0.05)";
    for (const char* brief : {"epochs=2", "max_rounds=3", "folds=2", "atoms=4"}) {
        const std::string name(brief, std::strchr(brief, '='));
        if (has(machine, name)) settings.append(" ").append(brief);
    }
    // A search that ends early has no margin in terms of nu, nor have classes that overlap where nu is small,
    // and a basis of all rows has no number.
    const bool margin_by_nu = has(machine, "nu") && !has(machine, "atoms");
    if (has(machine, "max_iterations"))
        settings += margin_by_nu ? " tolerance=0.1 nu=0.9" : " max_iterations=3";
    if (has(machine, "prototypes") && !has(machine, "basis")) settings += " prototypes=4";
    if (has(machine, "basis")) settings += " lambda=1";
    return settings;
}

constexpr int64_t cols = 16;
constexpr int64_t largest_batch = 300;

Problem problem_of(int64_t rows, uint64_t seed) {
    return make_problem(rows, cols, 2, 1.0, seed);
}

/// Keeps a tenth of the values, since sparse rows with more of them are computed as dense ones.
Data sparse(Problem problem) {
    Random random(5);
    for (double& value : problem.x) value = random.uniform() < 0.1 ? value : 0;
    return compressed(problem);
}

Data with_targets(Data data, int64_t rows) {
    std::vector<double> targets(static_cast<std::size_t>(rows));
    Random random(9);
    for (double& target : targets) target = random.uniform();
    check(dk_data_set_targets(data.get(), targets.data(), rows));
    return data;
}

Problem first_rows(const Problem& problem, int64_t rows) {
    return {rows,
            problem.cols,
            {problem.x.begin(), problem.x.begin() + rows * problem.cols},
            {problem.labels.begin(), problem.labels.begin() + rows}};
}

std::vector<double> decisions_of(const dk_model* model, const Data& data) {
    const int64_t rows = dk_data_rows(data.get());
    return values_of<double>(rows * dk_model_decision_count(model), dk_decision, model, data.get(), nullptr);
}

class BatchSizes : public testing::TestWithParam<std::tuple<std::string, int64_t>> {
  protected:
    static void expect_the_same_bits(const std::string& name, int64_t rows, Data (*data_of)(Problem),
                                     const std::string& precision) {
        SCOPED_TRACE(precision);
        const json& machine = machine_named(name);
        Data training = data_of(problem_of(rows, 1));
        if (machine.at("task") == "regression") training = with_targets(std::move(training), rows);
        const Params params = parameters(name.c_str(), brief_settings(machine) + " " + precision);
        const Model model = create<Model>(dk_train, training.get(), params.get(), nullptr);
        const Problem test = problem_of(largest_batch, 2);
        const auto whole = decisions_of(model.get(), data_of(test));
        for (const int64_t batch : {1, 2, 5, 8, 40, 100, 143, 145}) {
            const auto some = decisions_of(model.get(), data_of(first_rows(test, batch)));
            const std::vector<double> expected(whole.begin(),
                                               whole.begin() + static_cast<std::ptrdiff_t>(some.size()));
            EXPECT_TRUE(same_bits(some, expected)) << "a batch of " << batch;
        }
    }
};

TEST_P(BatchSizes, OfDenseRowsDoNotChangeABit) {
    const auto& [name, rows] = GetParam();
    for (const char* precision : {"precision=double", "precision=single"})
        expect_the_same_bits(
            name, rows, [](Problem problem) { return dense(problem); }, precision);
}

TEST_P(BatchSizes, OfSparseRowsDoNotChangeABit) {
    const auto& [name, rows] = GetParam();
    for (const char* precision : {"precision=double", "precision=single"})
        expect_the_same_bits(name, rows, sparse, precision);
}

constexpr auto name_of_case = [](const auto& one) {
    return std::get<0>(one.param) + "_" + std::to_string(std::get<1>(one.param));
};
INSTANTIATE_TEST_SUITE_P(Every, BatchSizes,
                         testing::Combine(testing::ValuesIn(machine_names()), testing::Values(100, 1500)),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Soak, BatchSizes,
                         testing::Combine(testing::ValuesIn(machine_names()), testing::Values(10000)),
                         name_of_case);

}  // namespace
}  // namespace dk_test::batch_sizes_test
