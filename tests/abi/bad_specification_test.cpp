// SPDX-License-Identifier: Apache-2.0
// These tests try machines and keys that do not exist, values of the wrong type or out of range, and
// everything that dk_describe says of parameters: its defaults, ranges and choices must be those of the
// setters.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::bad_specification_test {
namespace {

using nlohmann::json;
constexpr dk_status bad_parameter = DK_ERR_INVALID_PARAMETER;

const std::vector<std::string> machines{"svm", "fisher", "mean_of_class"};

std::string value_of(const Params& params, const std::string& key) {
    return text_of(dk_params_get, params.get(), key.c_str());
}

TEST(BadSpecification, UnknownMachineNamesTheNearest) {
    for (const auto& [wrong, nearest] : std::vector<std::pair<const char*, const char*>>{
             {"swm", "svm"}, {"SVM", "svm"}, {"fischer", "fisher"}, {"mean_of_clas", "mean_of_class"}}) {
        const char* const name = wrong;  // Clang 14 captures no structured bindings.
        expect_no_handle<dk_params>([&](dk_params** out) { return dk_params_create(out, name); },
                                    bad_parameter, {name, nearest});
    }
    const std::string long_name(1 << 20, 'm');
    for (const std::string& name :
         {std::string(), long_name, std::string("\xff\xfe\x01"), std::string("svm ")}) {
        expect_no_handle<dk_params>([&](dk_params** out) { return dk_params_create(out, name.c_str()); },
                                    bad_parameter);
    }
}

TEST(BadSpecification, UnknownKeyNamesTheNearest) {
    const Params params = parameters("svm");
    const std::vector<std::pair<const char*, const char*>> keys{{"c", "C"},
                                                                {"kernal", "kernel"},
                                                                {"tolerence", "tolerance"},
                                                                {"multi_class", "multiclass"},
                                                                {"weight", "weights"},
                                                                {"neighbors", "neighbours"},
                                                                {"memory", "memory_mb"}};
    for (const auto& [wrong, nearest] : keys) {
        std::vector<char> text(64);
        int64_t needed = 0;
        const Words words{wrong, nearest};
        expect_failure([&, w = wrong] { return dk_params_set(params.get(), w, "1"); }, bad_parameter, words);
        expect_failure([&, w = wrong] { return dk_params_set_int(params.get(), w, 1); }, bad_parameter,
                       words);
        expect_failure([&, w = wrong] { return dk_params_set_double(params.get(), w, 1.0); }, bad_parameter,
                       words);
        expect_failure(
            [&, w = wrong] { return dk_params_parse(params.get(), (std::string(w) + "=1").c_str()); },
            bad_parameter, words);
        expect_failure([&, w = wrong] { return dk_params_get(text.data(), 64, &needed, params.get(), w); },
                       bad_parameter, words);
    }
    expect_failure([&] { return dk_params_set(params.get(), "", "1"); }, bad_parameter);
    expect_failure([&] { return dk_params_set(parameters("mean_of_class").get(), "C", "1"); }, bad_parameter,
                   {"C"});
    const std::string long_key(1 << 20, 'k');
    expect_failure([&] { return dk_params_set(params.get(), long_key.c_str(), "1"); }, bad_parameter);
}

TEST(BadSpecification, ValuesOfTheWrongTypeOrOutOfRangeKeepTheOldOne) {
    const Params params = parameters("svm");
    struct Setting {
        const char* key;
        std::vector<const char*> values;
    };
    const std::vector<Setting> settings{
        {"C",
         {"0", "-1", "nan", "inf", "-inf", "1e999", "", "ten", "1,5", "0x10", "1 2", "1e", "--1", "1\n;"}},
        {"tolerance", {"-1", "nan", "small", ""}},
        {"loss", {"", "hing", "HINGE", "hinge,hard", "0"}},
        {"max_iterations", {"-1", "1.5", "nan", "many", "99999999999999999999", ""}},
        {"multiclass", {"", "all", "ova"}},
        {"probability", {"", "maybe", "2"}},
        {"scale", {"", "standart", "yes"}},
        {"precision", {"", "half", "32"}},
        {"memory_mb", {"-1", "nan", "lots", ""}},
        {"neighbours", {"-1", "1.5", "few", "99999999999999999999"}},
        {"folds", {"1", "0", "-5", "2.5", "five", ""}},
        {"repeats", {"0", "-1", "1.5", ""}},
        {"seed", {"x", "1.5", ""}},
        {"class_weight",
         {"", "balance", "1", "1:", "1:-2", "1:nan", "1:inf", "1:2,", "1:2,,3:4", "1:2;3:4"}}};
    for (const Setting& setting : settings) {
        const std::string before = value_of(params, setting.key);
        for (const char* value : setting.values) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(setting.key) + "=" + value);
            expect_failure([&] { return dk_params_set(params.get(), setting.key, value); }, bad_parameter,
                           {setting.key});
            EXPECT_EQ(value_of(params, setting.key), before);
        }
    }
}

TEST(BadSpecification, MessagesNameValueRangeAndDefault) {
    const Params params = parameters("svm");
    expect_failure([&] { return dk_params_set(params.get(), "C", "-3.25"); }, bad_parameter,
                   {"C", "-3.25", "0", "1"});
    expect_failure([&] { return dk_params_set(params.get(), "folds", "1"); }, bad_parameter,
                   {"folds", "1", "2", "5"});
    expect_failure([&] { return dk_params_set(params.get(), "scale", "standart"); }, bad_parameter,
                   {"scale", "standart", "standard", "none"});
    expect_failure([&] { return dk_params_set(params.get(), "C", "ten"); }, bad_parameter, {"C", "ten"});
    const std::string long_value(1 << 20, '9');
    expect_failure([&] { return dk_params_set(params.get(), "folds", long_value.c_str()); }, bad_parameter);
    expect_failure([&] { return dk_params_set(params.get(), "scale", long_value.c_str()); }, bad_parameter);
}

TEST(BadSpecification, TypedSettersCheckTypeAndRange) {
    const Params params = parameters("svm");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -1.5, nan, infinity, -infinity}) {
        expect_failure([&] { return dk_params_set_double(params.get(), "C", value); }, bad_parameter, {"C"});
    }
    for (const double value : {2.5, nan, infinity, 1e300}) {
        expect_failure([&] { return dk_params_set_double(params.get(), "folds", value); }, bad_parameter,
                       {"folds"});
    }
    for (const int64_t value : {int64_t{1}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
        expect_failure([&] { return dk_params_set_int(params.get(), "folds", value); }, bad_parameter,
                       {"folds", std::to_string(value)});
    }
    expect_failure([&] { return dk_params_set_int(params.get(), "loss", 1); }, bad_parameter, {"loss"});
    expect_failure([&] { return dk_params_set_double(params.get(), "loss", 1.0); }, bad_parameter, {"loss"});
    for (const char* key : {"kernel", "weights"}) {
        expect_failure_in([&] { return dk_params_set_int(params.get(), key, 1); },
                          {bad_parameter, DK_ERR_INVALID_KERNEL});
    }
    EXPECT_EQ(value_of(params, "C"), "1");
    EXPECT_EQ(dk_params_set_int(params.get(), "C", 10), DK_OK)
        << "a whole number is a number: " << dk_last_error();
    EXPECT_EQ(value_of(params, "C"), "10");
    EXPECT_EQ(dk_params_set_double(params.get(), "C", 0.1), DK_OK) << dk_last_error();
    EXPECT_EQ(value_of(params, "C"), "0.1") << "the shortest text that reads back to the same number";
    EXPECT_EQ(dk_params_set_int(params.get(), "folds", 7), DK_OK) << dk_last_error();
    EXPECT_EQ(value_of(params, "folds"), "7");
}

TEST(BadSpecification, ParsingSetsAllOrNothing) {
    const Params params = parameters("svm", "C=3 folds=4");
    const std::vector<const char*> broken{"C=5 folds=0",       "C=5 bogus=1",
                                          "C=5 kernel=bogus",  "C=5 kernel=rbf(gamma=1",
                                          "C=5 folds",         "C=5 =7",
                                          "C=5 folds=",        "C = 5",
                                          "C=5 kernel=)",      "C=5 kernel=[linear",
                                          "C=5 weights=bogus", "C=5 kernel=rbf(gamma=1)) folds=3"};
    for (const char* text : broken) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, text);
        expect_failure_in([&] { return dk_params_parse(params.get(), text); },
                          {bad_parameter, DK_ERR_INVALID_KERNEL});
        EXPECT_EQ(value_of(params, "C"), "3");
        EXPECT_EQ(value_of(params, "folds"), "4");
    }
    for (const char* nothing : {"", " ", "\t\n "}) EXPECT_EQ(dk_params_parse(params.get(), nothing), DK_OK);
    EXPECT_EQ(value_of(params, "C"), "3");
    EXPECT_EQ(dk_params_parse(params.get(), "\n C=6\t kernel=rbf( gamma = 0.5 )\nfolds=3 "), DK_OK)
        << dk_last_error();
    EXPECT_EQ(value_of(params, "C"), "6");
    EXPECT_EQ(value_of(params, "folds"), "3");
    EXPECT_NE(value_of(params, "kernel").find("0.5"), std::string::npos);
}

TEST(BadSpecification, WeightStrategies) {
    const Params params = parameters("svm");
    for (const char* wrong :
         {"dimkl9", "dimkl", "fixd(1)", "", "fixed", "fixed()", "fixed(nan)", "fixed(inf,1)", "fixed(-1,2)",
          "fixed(0,0)", "fixed(1,2", "uniform(3)", "uniform uniform"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, wrong);
        expect_failure_in([&] { return dk_params_set(params.get(), "weights", wrong); },
                          {DK_ERR_INVALID_KERNEL, bad_parameter});
    }
    expect_failure_in([&] { return dk_params_set(params.get(), "weights", "uniforn"); },
                      {DK_ERR_INVALID_KERNEL, bad_parameter}, {"uniform"});
    const Data data = dense(make_problem(8, 2, 2, 3.0, 1));
    expect_no_handle_in<dk_model>(
        [&](dk_model** out) {
            return dk_train(out, data.get(),
                            parameters("svm", "kernel=[linear,rbf(gamma=1)] weights=fixed(1,2,3)").get(),
                            nullptr);
        },
        {DK_ERR_INVALID_KERNEL, DK_ERR_DIMENSION, bad_parameter}, {"2", "3"});
}

TEST(BadSpecification, ClassWeightsOfUnknownLabels) {
    const Data data = dense(make_problem(8, 2, 2, 3.0, 1));
    const Params params = parameters("svm", "class_weight=77:2");
    expect_no_handle_in<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
        {bad_parameter, DK_ERR_INVALID_DATA}, {"77"});
}

TEST(BadSpecification, NeighboursBeyondTheTrainingRows) {
    const Data data = dense(make_problem(8, 2, 2, 3.0, 1));
    dk_model* out = nullptr;
    const dk_status status = dk_train(&out, data.get(), parameters("svm", "neighbours=50").get(), nullptr);
    const Model model(out);
    if (status == DK_OK) {
        const int64_t neighbours = dk_model_prototype_neighbours(model.get());
        EXPECT_LE(neighbours, 8);
        for (const int64_t row : values_of<int64_t>(2 * neighbours, [&](int64_t*rows, int64_t length) {
                 return dk_model_prototype_nearest(rows, nullptr, length, model.get());
             })) {
            EXPECT_TRUE(row >= 0 && row < 8) << row;
        }
    } else {
        EXPECT_EQ(status, bad_parameter) << dk_last_error();
    }
}

/// Gives all parameters that dk_describe lists for a machine, the common ones included.
std::vector<json> described_parameters(const std::string& machine) {
    const json all = json::parse(text_of(dk_describe));
    std::vector<json> found = all.at("common").get<std::vector<json>>();
    for (const json& one : all.at("machines")) {
        if (one.at("name") != machine) continue;
        for (const json& parameter : one.at("parameters")) found.push_back(parameter);
    }
    return found;
}

TEST(BadSpecification, DescribedDefaultsAreTheDefaults) {
    for (const std::string& machine : machines) {
        const Params params = parameters(machine.c_str());
        for (const json& parameter : described_parameters(machine)) {
            const std::string key = parameter.at("name");
            const std::string text = parameter.at("default");
            EXPECT_EQ(value_of(params, key), text) << machine << " " << key;
            EXPECT_EQ(dk_params_set(params.get(), key.c_str(), text.c_str()), DK_OK) << dk_last_error();
            EXPECT_FALSE(parameter.at("doc").get<std::string>().empty()) << key;
        }
    }
}

TEST(BadSpecification, DescribedChoicesAndRangesAreThoseOfTheSetters) {
    for (const std::string& machine : machines) {
        const Params params = parameters(machine.c_str());
        for (const json& parameter : described_parameters(machine)) {
            const std::string key = parameter.at("name");
            const testing::ScopedTrace trace(__FILE__, __LINE__, machine + " " + key);
            for (const json& choice : parameter.value("choices", json::array())) {
                EXPECT_EQ(dk_params_set(params.get(), key.c_str(), choice.get<std::string>().c_str()), DK_OK);
            }
            for (const char* bound : {"minimum", "maximum"}) {
                if (!parameter.contains(bound)) continue;
                const double outside = parameter.at(bound).get<double>() + (bound[1] == 'i' ? -1.0 : 1e18);
                expect_failure([&] { return dk_params_set_double(params.get(), key.c_str(), outside); },
                               bad_parameter, {key});
            }
        }
    }
}

}  // namespace
}  // namespace dk_test::bad_specification_test
