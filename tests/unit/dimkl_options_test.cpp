// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::dimkl_options_test {
namespace {

KernelWeights weigh(const std::string& text, const Dataset& data) {
    BegunControl control;
    const auto specification = parse_weights(text);
    const Bank bank = make_bank("gram(0)", data);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, 1, 1, MemoryBudget(0), control});
}

std::vector<double> entry(const KernelWeights& result, const std::string& wanted) {
    for (const auto& [name, value] : result.report.entries()) {
        if (name == wanted) return std::get<std::vector<double>>(value);
    }
    ADD_FAILURE() << "no " << wanted << " in the report";
    return {0};
}

double index_of(const std::string& text, const Dataset& data) {
    return entry(weigh(text, data), "index").front();
}

/// The classes are rows {1, 2, 3} and {4, 5}; the first is positive.
Dataset fixture() {
    const std::vector<double> matrix{1,  .8, .6, .2, .1, .8, 1,  .7, .3, .2, .6, .7, 1,
                                     .1, .4, .2, .3, .1, 1,  .5, .1, .2, .4, .5, 1};
    return with_labels(gram_data(5, matrix), {1, 1, 1, -1, -1});
}

TEST(DimklOptions, WithTheDiagonal) {
    EXPECT_NEAR(index_of("dimkl1(diagonal=yes)", fixture()), .9858872, 1e-7);
    EXPECT_NEAR(index_of("dimkl3(diagonal=yes)", fixture()), .4333333, 1e-7);
    EXPECT_NEAR(index_of("dimkl4(diagonal=yes)", fixture()), .8695820, 1e-7);
    EXPECT_NEAR(index_of("dimkl5(diagonal=yes)", fixture()), .9052947, 1e-7);
}

TEST(DimklOptions, FormsOfTheExponent) {
    // Quadrant q1 has the mean .7 and the deviation .0816497; q2 has the mean .2166667, the deviation
    // .1067187 and the interquartile range .15.
    const double distance = .2166667 - .15;
    EXPECT_NEAR(index_of("dimkl1(form=variance)", fixture()),
                std::exp(-distance * distance / (2 * .0816497 * .0816497)), 1e-6);
    EXPECT_NEAR(index_of("dimkl1(form=absolute)", fixture()), std::exp(-distance / (2 * .0816497)), 1e-6);
    const double second = .2166667 - .1067187;
    EXPECT_NEAR(index_of("dimkl2(form=absolute)", fixture()), std::exp(-second / (2 * .0816497)), 1e-6);
}

TEST(DimklOptions, SymmetrisedIsTheMeanOfBothOrders) {
    Dataset turned = fixture();
    turned.labels = labels_from_integers(std::vector<std::int64_t>{-1, -1, -1, 1, 1});
    for (const std::string name : {"dimkl1", "dimkl2", "dimkl3", "dimkl4", "dimkl5"}) {
        const double both = index_of(name + "(symmetrise=yes)", fixture());
        EXPECT_NEAR(both, 0.5 * (index_of(name, fixture()) + index_of(name, turned)), 1e-15) << name;
        EXPECT_EQ(both, index_of(name + "(symmetrise=yes)", turned)) << name;
    }
}

double spread(std::vector<double> values) {
    double mean = 0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    double squares = 0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(DimklOptions, ColumnwiseSpreadsAreMeansOverColumns) {
    const auto report = weigh("dimkl3(columnwise=yes, diagonal=yes)", fixture());
    // The columns of q1 with the diagonal are (1 .8 .6), (.8 1 .7) and (.6 .7 1).
    EXPECT_NEAR(entry(report, "within_first_deviation").front(),
                (spread({1, .8, .6}) + spread({.8, 1, .7}) + spread({.6, .7, 1})) / 3, 1e-15);
    // Without the diagonal they are (.8 .6), (.8 .7) and (.6 .7), whose interquartile ranges are half of
    // their differences.
    const auto without = weigh("dimkl3(columnwise=yes)", fixture());
    EXPECT_NEAR(entry(without, "within_first_interquartile_range").front(), (.1 + .05 + .05) / 3, 1e-15);
    // The columns of q2, one for each row of class 2, are (.2 .3 .1) and (.1 .2 .4).
    EXPECT_NEAR(entry(without, "between_deviation").front(),
                (spread({.2, .3, .1}) + spread({.1, .2, .4})) / 2, 1e-15);
    EXPECT_NEAR(entry(without, "within_first_mean").front(), .7, 1e-15);
}

TEST(DimklOptions, TheReportHasTheQuadrants) {
    const auto report = weigh("dimkl4", fixture());
    EXPECT_NEAR(entry(report, "within_first_mean").front(), .7, 1e-15);
    EXPECT_NEAR(entry(report, "between_interquartile_range").front(), .15, 1e-15);
    EXPECT_NEAR(entry(report, "within_second_mean").front(), .5, 1e-15);
}

TEST(DimklOptions, WrongOnesAreRefused) {
    const auto refused = [](const std::string& text, Status status) {
        return message_of(status, [&] { static_cast<void>(parse_weights(text)); });
    };
    EXPECT_NE(refused("dimkl1(from=variance)", Status::invalid_parameter).find("form"), std::string::npos);
    refused("dimkl3(form=variance)", Status::invalid_parameter);
    refused("dimkl1(form=odd)", Status::invalid_parameter);
    refused("dimkl1(diagonal=2)", Status::invalid_parameter);
    refused("dimkl1(0.5)", Status::invalid_kernel);
    refused("dimkl6(rho=0)", Status::invalid_parameter);
    refused("dimkl6(rank=0.5)", Status::invalid_parameter);
    refused("mklgl(p=0.9)", Status::invalid_parameter);
    refused("mklgl(p=1:2)", Status::invalid_kernel);
    refused("mklgl(gap=0)", Status::invalid_parameter);
    refused("fixed(weights=1)", Status::invalid_parameter);
}

}  // namespace
}  // namespace dk::test::dimkl_options_test
