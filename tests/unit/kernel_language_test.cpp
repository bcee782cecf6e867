// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel/language/expression.hpp"
#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::kernel_language_test {
namespace {

using Kind = Expression::Kind;

const Dataset& four_columns() {
    static const Dataset data = random_dense(6, 4, 1);
    return data;
}

/// Gives the value between the points 2 and 3 of one column, where linear is 6.
double arithmetic(const std::string& specification) {
    const Dataset left = dense(1, 1, {2});
    const Dataset right = dense(1, 1, {3});
    return gram_matrix(make_kernel(specification, left), left, right).front();
}

std::string refusal(const std::string& specification) {
    return message_of(Status::invalid_kernel, [&] { make_bank(specification, four_columns()); });
}

TEST(KernelLanguage, TreeOfAProductInASum) {
    const Expression tree = parse_expression("0.5*linear + rbf(gamma=5/d)");
    ASSERT_EQ(tree.kind, Kind::sum);
    ASSERT_EQ(tree.children.size(), 2U);
    const Expression& product = tree.children[0];
    ASSERT_EQ(product.kind, Kind::product);
    ASSERT_EQ(product.children.size(), 2U);
    EXPECT_EQ(product.children[0].kind, Kind::number);
    EXPECT_EQ(product.children[0].number, 0.5);
    EXPECT_EQ(product.children[1].name, "linear");
    EXPECT_EQ(product.children[1].position, 5);
    const Expression& call = tree.children[1];
    EXPECT_EQ(call.kind, Kind::call);
    EXPECT_EQ(call.position, 14);
    ASSERT_EQ(call.arguments.size(), 1U);
    EXPECT_EQ(call.arguments[0].key, "gamma");
    EXPECT_EQ(call.arguments[0].position, 18);
    ASSERT_EQ(call.arguments[0].values.size(), 1U);
    EXPECT_EQ(call.arguments[0].values[0].kind, WrittenValue::Kind::per_column);
    EXPECT_EQ(call.arguments[0].values[0].number, 5);
}

TEST(KernelLanguage, ListsOfValuesAndKernelsAsArguments) {
    const Expression tree = parse_expression("on(0:9, 12, grid(rbf, gamma=auto:1e-3:2/d))");
    ASSERT_EQ(tree.arguments.size(), 3U);
    ASSERT_EQ(tree.arguments[0].values.size(), 2U);
    EXPECT_EQ(tree.arguments[0].values[1].number, 9);
    EXPECT_EQ(tree.arguments[1].values.size(), 1U);
    ASSERT_TRUE(tree.arguments[2].expression);
    const Expression& grid = *tree.arguments[2].expression;
    ASSERT_EQ(grid.arguments.size(), 2U);
    EXPECT_EQ(grid.arguments[0].expression->name, "rbf");
    const auto& values = grid.arguments[1].values;
    ASSERT_EQ(values.size(), 3U);
    EXPECT_EQ(values[0].kind, WrittenValue::Kind::rule);
    EXPECT_EQ(values[1].number, 1e-3);
    EXPECT_EQ(values[2].kind, WrittenValue::Kind::per_column);
}

TEST(KernelLanguage, ProductsBindTighterThanSums) {
    EXPECT_DOUBLE_EQ(arithmetic("2*linear + 3"), 15);
    EXPECT_DOUBLE_EQ(arithmetic("3 + linear*2"), 15);
    EXPECT_DOUBLE_EQ(arithmetic("linear + linear*linear"), 42);
    EXPECT_DOUBLE_EQ(arithmetic("(linear + linear)*linear"), 72);
    EXPECT_DOUBLE_EQ(arithmetic("2*(linear + 3)"), 18);
    EXPECT_DOUBLE_EQ(arithmetic("2*3*linear*0.5"), 18);
    EXPECT_DOUBLE_EQ(arithmetic("2*3"), 6);
    EXPECT_DOUBLE_EQ(arithmetic("1 + 2*3 + 4"), 11);
    EXPECT_DOUBLE_EQ(arithmetic("((((linear))))"), 6);
    EXPECT_DOUBLE_EQ(arithmetic("(2)*(linear)"), 12);
    EXPECT_DOUBLE_EQ(arithmetic("-1*linear + +7 + -3"), -2);
}

TEST(KernelLanguage, PowersBindTighterThanProducts) {
    EXPECT_DOUBLE_EQ(arithmetic("linear^2"), 36);
    EXPECT_DOUBLE_EQ(arithmetic("2*linear^2"), 72);
    EXPECT_DOUBLE_EQ(arithmetic("(2*linear)^2"), 144);
    EXPECT_DOUBLE_EQ(arithmetic("(linear + 1)^3 + 1"), 344);
    EXPECT_DOUBLE_EQ(arithmetic("linear ^ 1"), 6);
    EXPECT_DOUBLE_EQ(arithmetic("-1*linear^2"), -36);
    EXPECT_DOUBLE_EQ(arithmetic("(-1*linear)^3"), -216);
    EXPECT_DOUBLE_EQ(arithmetic("((linear)^2)^2"), 1296);
    EXPECT_DOUBLE_EQ(arithmetic("2^3*linear"), 48);
    EXPECT_DOUBLE_EQ(arithmetic("linear^2*linear^3"), 7776);
    EXPECT_DOUBLE_EQ(arithmetic("normalize(linear^2)"), 1);
    EXPECT_EQ(make_kernel("linear^2*poly(degree=2)^1", four_columns())->text(),
              make_kernel("(linear)^2*poly(degree=2)", four_columns())->text());
    for (const char* wrong : {"linear^0", "linear^-1", "linear^0.5", "linear^101", "linear^", "linear^linear",
                              "linear^2^2", "^2", "[linear, rbf]^2", "linear^d"}) {
        EXPECT_FALSE(refusal(wrong).empty()) << wrong;
    }
    EXPECT_NE(refusal("linear^0").find("character 8"), std::string::npos) << refusal("linear^0");
}

TEST(KernelLanguage, RulesAndTheirMultiples) {
    const Expression tree = parse_expression("grid(rbf, gamma=0.5*median:mean:2*auto)");
    const auto& values = tree.arguments[1].values;
    ASSERT_EQ(values.size(), 3U);
    for (const auto& value : values) EXPECT_EQ(value.kind, WrittenValue::Kind::rule);
    EXPECT_EQ(values[0].word, "median");
    EXPECT_EQ(values[0].number, 0.5);
    EXPECT_EQ(values[1].word, "mean");
    EXPECT_EQ(values[1].number, 1);
    EXPECT_EQ(values[2].word, "auto");
    EXPECT_EQ(values[2].number, 2);
    for (const char* wrong : {"rbf(gamma=2*)", "rbf(gamma=median*median)", "rbf(gamma=2*medium)",
                              "rbf(gamma=2*3*median)", "rbf(gamma=0.5*d)", "poly(degree=median)"}) {
        EXPECT_FALSE(refusal(wrong).empty()) << wrong;
    }
}

TEST(KernelLanguage, NumbersInEveryForm) {
    EXPECT_DOUBLE_EQ(arithmetic(".5*linear"), 3);
    EXPECT_DOUBLE_EQ(arithmetic("5.*linear"), 30);
    EXPECT_DOUBLE_EQ(arithmetic("1e1*linear"), 60);
    EXPECT_DOUBLE_EQ(arithmetic("1.5E+1*linear"), 90);
    EXPECT_DOUBLE_EQ(arithmetic("25e-1*linear"), 15);
    EXPECT_DOUBLE_EQ(arithmetic("poly(degree=2, gamma=1, coef0=-1)"), 25);
    EXPECT_DOUBLE_EQ(arithmetic("poly(degree=1, coef0=+2)"), 8);
}

TEST(KernelLanguage, BlanksMeanNothing) {
    const auto tight =
        make_kernel("0.5*poly(degree=2,gamma=1,coef0=1)+on(0:2,linear)", four_columns())->text();
    EXPECT_EQ(make_kernel(" 0.5 * poly ( degree = 2 ,\tgamma=1,\n coef0 = 1 ) + on( 0 : 2 , linear ) \r\n",
                          four_columns())
                  ->text(),
              tight);
    EXPECT_EQ(make_kernel("rbf(gamma=1 / d)", four_columns())->text(), "rbf(gamma=0.25)");
}

TEST(KernelLanguage, Defaults) {
    EXPECT_EQ(make_kernel("poly", four_columns())->text(), "poly(degree=3, gamma=1, coef0=1)");
    EXPECT_EQ(make_kernel("poly()", four_columns())->text(), "poly(degree=3, gamma=1, coef0=1)");
    EXPECT_EQ(make_kernel("arccos", four_columns())->text(), "arccos(1)");
}

TEST(KernelLanguage, AutoIsOneOverTheTotalVariance) {
    // The population variances of the columns are 1 and 4.
    const Dataset data = dense(4, 2, {1, 4, -1, 0, 1, 0, -1, 4});
    EXPECT_EQ(make_kernel("rbf", data)->text(), "rbf(gamma=0.2)");
    EXPECT_EQ(make_kernel("rbf(gamma=auto)", to_sparse(data))->text(), "rbf(gamma=0.2)");
    EXPECT_EQ(make_kernel("on(1, laplacian)", data)->text(), "on(1, laplacian(gamma=0.25))");
    const Dataset constant = dense(3, 2, {1, 1, 1, 1, 1, 1});
    EXPECT_EQ(make_kernel("rbf", constant)->text(), "rbf(gamma=0.5)");
}

TEST(KernelLanguage, BanksInOrder) {
    const auto texts = [](const std::string& specification) {
        std::vector<std::string> list;
        for (const auto& kernel : make_bank(specification, four_columns())) list.push_back(kernel->text());
        return list;
    };
    using List = std::vector<std::string>;
    EXPECT_EQ(texts("[linear, 2*linear, [arccos(1), linear + 1]]"),
              (List{"linear", "2*linear", "arccos(1)", "linear + 1"}));
    EXPECT_EQ(texts("grid(rbf, gamma=0.5:1/d:8)"),
              (List{"rbf(gamma=0.5)", "rbf(gamma=0.25)", "rbf(gamma=8)"}));
    EXPECT_EQ(texts("grid(poly(gamma=2), degree=1:2, coef0=0:3)"),
              (List{"poly(degree=1, gamma=2, coef0=0)", "poly(degree=1, gamma=2, coef0=3)",
                    "poly(degree=2, gamma=2, coef0=0)", "poly(degree=2, gamma=2, coef0=3)"}));
    EXPECT_EQ(texts("each_feature(rbf(gamma=1))").size(), 4U);
    EXPECT_EQ(texts("each_feature(rbf(gamma=1))")[2], "on(2, rbf(gamma=1))");
    EXPECT_EQ(texts("each_feature([linear, rbf(gamma=1)])").size(), 8U);
    EXPECT_EQ(texts("normalize([linear, rbf(gamma=1)])"), (List{"normalize(linear)", "rbf(gamma=1)"}));
    EXPECT_EQ(texts("on(3, 0:1, grid(rbf, gamma=1:2))"),
              (List{"on(0:1, 3, rbf(gamma=1))", "on(0:1, 3, rbf(gamma=2))"}));
}

TEST(KernelLanguage, ErrorsNameThePositionAndWhatWasExpected) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> refused{
        {"", {"character 1:", "expected", "the end"}},
        {"   ", {"character 4:"}},
        {"linear +", {"character 9:", "the end"}},
        {"linear linear", {"character 8:", "'+', '*' or the end", "'linear'"}},
        {"(linear", {"character 8:", "')'"}},
        {"[linear", {"character 8:", "']'"}},
        {"[]", {"character 2:"}},
        {"linear)", {"character 7:"}},
        {"rbf(gamma=", {"character 11:", "a value"}},
        {"rbf(gamma=1", {"character 12:", "')'"}},
        {"rbf(gamma=1/x)", {"'d'"}},
        {"rbf(gamma=1e999)", {"character 11:", "'1e999'"}},
        {"1..2*linear", {"character 1:", "'1..2'"}},
        {"2 ** linear", {"character 4:"}},
        {"rbff", {"character 1:", "'rbff'", "'rbf'"}},
        {"linear + polly", {"character 10:", "'polly'", "'poly'"}},
        {"rbf(gama=1)", {"character 5:", "'gama'", "'gamma'"}},
        {"rbf(gamma=-1)", {"character 5:", "greater than 0"}},
        {"rbf(gamma=0)", {"character 5:", "greater than 0"}},
        {"poly(degree=2.5)", {"character 6:", "integer"}},
        {"poly(degree=0)", {"character 6:", "at least 1 and at most 100"}},
        {"poly(degree=auto)", {"character 6:", "no auto"}},
        {"rbf(gamma=wide)", {"character 5:", "'wide'"}},
        {"rbf(1)", {"character 5:", "key=value"}},
        {"rbf(linear)", {"character 5:", "takes no kernel"}},
        {"rbf(gamma=1:2)", {"character 5:", "grid()"}},
        {"arccos(4)", {"character 1:", "degree 4", "0, 1, 2 and 3"}},
        {"arccos(0.5)", {"character 1:", "degree 0.5"}},
        {"linear + exp()", {"character 10:", "exp takes one kernel"}},
        {"normalize(linear, linear)", {"character 1:", "normalize takes one kernel"}},
        {"linear * [linear, rbf]", {"character 10:", "bank"}},
        {"on(4, linear)", {"character 4:", "from 0 to 3"}},
        {"on(2:1, linear)", {"character 4:", "empty"}},
        {"on(0, 0:1, linear)", {"character 1:", "twice"}},
        {"on(linear)", {"character 1:", "on takes columns and a kernel"}},
        {"on(0, on(1, linear))", {"character 7:"}},
        {"on(0.5, linear)", {"character 4:", "integers"}},
        {"grid(rbf)", {"character 1:", "grid"}},
        {"grid(rbf, 1:2)", {"character 11:", "key="}},
        {"grid(rbf, sigma=1:2)", {"character 11:", "'sigma'"}},
        {"\xff\xfe", {"character 1:"}},
    };
    for (const auto& [specification, parts] : refused) {
        const std::string message = refusal(specification);
        for (const auto& part : parts) {
            EXPECT_NE(message.find(part), std::string::npos)
                << "'" << specification << "' lacks \"" << part << "\": " << message;
        }
    }
}

TEST(KernelLanguage, CheckingNeedsNoData) {
    EXPECT_NO_THROW(check_kernel_text("on(0:1000, rbf(gamma=1/d)) + 0.5*arccos(0, 1)"));
    EXPECT_NO_THROW(check_kernel_text("[each_feature(rbf), gram(3)]"));
    for (const char* wrong : {"rbff", "rbf(", "poly(degree=0)", "arccos(7)", "on(1:0, linear)"}) {
        message_of(Status::invalid_kernel, [&] { check_kernel_text(wrong); });
    }
}

TEST(KernelLanguage, HostileTextIsRefusedQuickly) {
    refusal(std::string(10000, '('));
    refusal(std::string(10000, '['));
    std::string nested;
    for (int i = 0; i < 10000; ++i) nested += "exp(";
    refusal(nested);
    refusal(std::string((std::size_t{1} << 20U) + 1, ' '));
    EXPECT_NO_THROW(make_kernel(std::string(20, '(') + "linear" + std::string(20, ')'), four_columns()));
    EXPECT_LT(refusal(std::string(500000, 'x')).size(), 500U);  // The message quotes only a part of the text.
    std::string list = "grid(rbf";
    for (int axis = 0; axis < 3; ++axis) {
        list += ", gamma=1";
        for (int i = 0; i < 100; ++i) list += ":1";
    }
    refusal(list + ")");
}

TEST(KernelLanguage, KernelsAndDataMustFit) {
    const Dataset similarities = gram_data(2, {1, 0, 0, 1});
    message_of(Status::unsupported, [&] { make_bank("rbf", similarities); });
    message_of(Status::unsupported, [&] { make_bank("gram(0)", four_columns()); });
    message_of(Status::unsupported, [&] { make_bank("linear + spectrum", to_sparse(four_columns())); });
    message_of(Status::invalid_kernel, [&] { make_kernel("[linear, rbf]", four_columns()); });
    EXPECT_NO_THROW(make_bank("gram(0) + 0.5", similarities));
}

TEST(KernelLanguage, WeightSpecifications) {
    EXPECT_EQ(parse_weights("dimkl3").strategy->name, "dimkl3");
    EXPECT_EQ(parse_weights(" fixed( 0.25 , 0.75 ) ").arguments, (std::vector<double>{0.25, 0.75}));
    for (const char* wrong : {"dimkl9", "uniform(1)", "fixed(a)", "fixed(1", "0.5", ""}) {
        message_of(Status::invalid_kernel, [&] { parse_weights(wrong); });
    }
}

}  // namespace
}  // namespace dk::test::kernel_language_test
