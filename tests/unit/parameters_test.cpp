// SPDX-License-Identifier: Apache-2.0
#include "base/parameters.hpp"

#include "base/scanning/assignments.hpp"

#include "pipeline/machine_specification.hpp"
#include "support.hpp"

namespace dk::test::parameters_test {
namespace {

enum class Loss { hinge, hard };

constexpr IntegerKey folds{"folds", 5, {2, 100}, "folds"};
constexpr RealKey cost{"C", 1, Range::positive(), "cost"};
constexpr RealKey offset{"offset", -0.5, {-1, 1}, "offset"};
constexpr ChoiceKey<Loss> loss{"loss", {"hinge", "hard"}, "loss"};
constexpr ChoiceKey<> loss_word{"loss", {"hinge", "hard"}, "loss"};
constexpr FlagKey probability{"probability", false, "probabilities"};
constexpr TextKey column{"column", "auto", "column", ParameterType::text, [](const std::string& value) {
                             if (value.empty()) fail(Status::invalid_parameter, "column is empty");
                         }};

Parameters sample() {
    return {"machine test", {folds, cost, offset, loss, probability, column}};
}

TEST(Parameters, Defaults) {
    const Parameters parameters = sample();
    EXPECT_EQ(parameters[folds], 5);
    EXPECT_EQ(parameters[cost], 1);
    EXPECT_EQ(parameters[offset], -0.5);
    EXPECT_EQ(parameters[loss], Loss::hinge);
    EXPECT_FALSE(parameters[probability]);
}

TEST(Parameters, ValuesOfEveryType) {
    Parameters parameters = sample();
    parameters.set("folds", " 007 ");
    EXPECT_EQ(parameters[folds], 7);
    parameters.set("C", "1e-3");
    EXPECT_EQ(parameters[cost], 0.001);
    parameters.set("offset", "+1");
    EXPECT_EQ(parameters[offset], 1);
    parameters.set("loss", "hard");
    EXPECT_EQ(parameters[loss], Loss::hard);
    for (const char* yes : {"yes", "true", "1"}) {
        parameters.set("probability", "no");
        parameters.set("probability", yes);
        EXPECT_TRUE(parameters[probability]) << yes;
    }
    for (const char* no : {"no", "false", "0"}) {
        parameters.set("probability", "yes");
        parameters.set("probability", no);
        EXPECT_FALSE(parameters[probability]) << no;
    }
}

TEST(Parameters, KeysDescribeThemselves) {
    const ParameterSpec integer = folds;
    EXPECT_EQ(integer.name, "folds");
    EXPECT_EQ(integer.type, ParameterType::integer);
    EXPECT_EQ(allowed_values(integer), "an integer, at least 2 and at most 100");
    EXPECT_EQ(allowed_values(cost), "a number, greater than 0");
    EXPECT_EQ(allowed_values(loss), "one of hinge, hard");
    EXPECT_EQ(ParameterSpec(loss).default_value, "hinge");
    EXPECT_EQ(ParameterSpec(column).default_value, "auto");
}

TEST(Parameters, TextAndWords) {
    Parameters parameters = sample();
    EXPECT_EQ(parameters[column], "auto");
    EXPECT_EQ(parameters[loss_word], "hinge");
    message_of(Status::invalid_parameter, [&] { parameters.set("column", " "); });
    parameters.set("column", "x 1");
    EXPECT_EQ(parameters[column], "x 1");
    EXPECT_TRUE(parameters.has("column"));
    EXPECT_FALSE(parameters.has("columns"));
}

TEST(Parameters, RefusalsNameRangeAndDefault) {
    Parameters parameters = sample();
    const std::vector<std::vector<std::string>> refused{
        {"folds", "1", "'1'", "machine test", "at least 2 and at most 100", "default 5"},
        {"folds", "101", "at most 100"},
        {"folds", "5.5", "integer"},
        {"folds", "", "integer"},
        {"C", "0", "greater than 0", "default 1"},
        {"C", "-1", "greater than 0"},
        {"C", "nan", "a number"},
        {"C", "inf", "a number"},
        {"C", "1e999", "a number"},
        {"offset", "1.0001", "at least -1 and at most 1", "default -0.5"},
        {"loss", "Hinge", "hinge, hard", "default hinge"},
        {"probability", "maybe", "yes or no", "default no"},
    };
    for (const auto& parts : refused) {
        const auto message =
            message_of(Status::invalid_parameter, [&] { parameters.set(parts[0], parts[1]); });
        EXPECT_NE(message.find(parts[0]), std::string::npos) << message;
        for (std::size_t p = 2; p < parts.size(); ++p) {
            EXPECT_NE(message.find(parts[p]), std::string::npos)
                << "lacks \"" << parts[p] << "\": " << message;
        }
    }
    EXPECT_EQ(parameters[folds], 5);  // What was refused left nothing behind.
    EXPECT_EQ(parameters[loss], Loss::hinge);
}

TEST(Parameters, UnknownKeysNameTheNearest) {
    Parameters parameters = sample();
    EXPECT_NE(message_of(Status::invalid_parameter, [&] { parameters.set("fold", "3"); }).find("'folds'"),
              std::string::npos);
    EXPECT_NE(message_of(Status::invalid_parameter, [&] { parameters.set("c", "3"); }).find("'C'"),
              std::string::npos);
    EXPECT_NE(
        message_of(Status::invalid_parameter, [&] { parameters.text("probabilty"); }).find("'probability'"),
        std::string::npos);
    Parameters none("kernel linear", {});
    EXPECT_NE(
        message_of(Status::invalid_parameter, [&] { none.set("gamma", "1"); }).find("has no parameters"),
        std::string::npos);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(Assignments, PairsBetweenBlanks) {
    EXPECT_EQ(split_assignments("C=10 kernel=rbf(gamma=0.5)"),
              (Pairs{{"C", "10"}, {"kernel", "rbf(gamma=0.5)"}}));
    EXPECT_EQ(split_assignments("  a=1\tb=2\n\nc= "), (Pairs{{"a", "1"}, {"b", "2"}, {"c", ""}}));
    EXPECT_EQ(split_assignments("label=\"Sepal Length\" ignore=\"a b,c\" x=\"\" y=\"open"),
              (Pairs{{"label", "Sepal Length"}, {"ignore", "a b,c"}, {"x", ""}, {"y", "\"open"}}));
    EXPECT_TRUE(split_assignments("").empty());
    EXPECT_TRUE(split_assignments(" \n ").empty());
    EXPECT_EQ(split_assignments("a=b=c"), (Pairs{{"a", "b=c"}}));
}

TEST(Assignments, BlanksInBracketsBelongToTheValue) {
    EXPECT_EQ(split_assignments("kernel=[rbf(gamma = 1), linear] C=1"),
              (Pairs{{"kernel", "[rbf(gamma = 1), linear]"}, {"C", "1"}}));
    EXPECT_EQ(split_assignments("weights=fixed(0.3, 0.7)"), (Pairs{{"weights", "fixed(0.3, 0.7)"}}));
}

TEST(Assignments, WhatIsNoPairIsNamedWithItsPosition) {
    for (const char* wrong : {"C", "=1", "a=1 b"}) {
        message_of(Status::invalid_parameter, [&] { split_assignments(wrong); });
    }
    const auto message = message_of(Status::invalid_parameter, [] { split_assignments("a=1 bcd e=2"); });
    EXPECT_NE(message.find("character 5"), std::string::npos) << message;
    EXPECT_NE(message.find("'bcd'"), std::string::npos) << message;
}

TEST(Assignments, AKeyThatStandsTwiceIsRefused) {
    const auto message =
        message_of(Status::invalid_parameter, [] { split_assignments("C=10 kernel=linear C=20"); });
    EXPECT_NE(message.find("'C' stands twice"), std::string::npos) << message;
    EXPECT_NE(message.find("character 20"), std::string::npos) << message;
}

TEST(Settings, EveryDefaultIsAllowed) {
    for (const auto& machine : machines()) {
        auto settings = default_specification(machine.name);
        for (const auto& spec : settings.parameters.specs()) {
            EXPECT_NO_THROW(set_parameter(settings, spec.name, spec.default_value))
                << machine.name << ", " << spec.name;
            EXPECT_FALSE(spec.doc.empty()) << machine.name << ", " << spec.name;
        }
    }
}

TEST(Settings, MistakesShowWhenSet) {
    auto settings = default_specification("svm");
    message_of(Status::invalid_kernel, [&] { set_parameter(settings, "kernel", "rbff"); });
    message_of(Status::invalid_kernel, [&] { set_parameter(settings, "weights", "dimkl0"); });
    EXPECT_NE(message_of(Status::invalid_parameter, [] { default_specification("smv"); }).find("'svm'"),
              std::string::npos);
    EXPECT_EQ(settings.parameters[parameter::kernel],
              settings.parameters.spec(parameter::kernel.name).default_value);
}

}  // namespace
}  // namespace dk::test::parameters_test
