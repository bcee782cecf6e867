// SPDX-License-Identifier: Apache-2.0
// These tests check the Weisfeiler and Lehman kernel of labelled graphs.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.hpp"
#include "support.hpp"

namespace dk::test::graph_kernel_test {
namespace {

struct Graph {
    std::vector<Index> labels;
    std::vector<std::pair<Index, Index>> edges;
};

Dataset graphs(const std::vector<Graph>& all) {
    GraphSet set{{0}, {}, {0}, {}};
    for (const auto& graph : all) {
        set.node_labels.insert(set.node_labels.end(), graph.labels.begin(), graph.labels.end());
        set.node_offsets.push_back(std::ssize(set.node_labels));
        for (const auto& [a, b] : graph.edges) set.edges.insert(set.edges.end(), {a, b});
        set.edge_offsets.push_back(std::ssize(set.edges) / 2);
    }
    return Dataset(std::move(set));
}

double value(Index iterations, const Graph& x, const Graph& z) {
    const Dataset left = graphs({x});
    const Dataset right = graphs({z});
    const auto kernel = make_kernel(text("weisfeiler_lehman(iterations=", iterations, ")"), left);
    return gram_matrix(kernel, left, right).front();
}

const Graph triangle{{0, 0, 0}, {{0, 1}, {1, 2}, {2, 0}}};
const Graph path{{0, 0, 0}, {{0, 1}, {1, 2}}};

std::vector<Graph> random_graphs(std::size_t count, Index labels, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<Graph> all(count);
    for (auto& graph : all) {
        const auto nodes = static_cast<Index>(generator() % 9);
        for (Index v = 0; v < nodes; ++v) {
            graph.labels.push_back(static_cast<Index>(generator() % labels) - 1);
            for (Index w = 0; w < v; ++w) {
                if (generator() % 3 == 0) graph.edges.emplace_back(v, w);
            }
        }
    }
    return all;
}

/// Writes a node's subtree pattern of a height out in full, so that patterns are equal as texts are.
std::string pattern(const Graph& graph, Index node, Index height) {
    const std::string own = std::to_string(graph.labels[node]);
    if (height == 0) return own;
    std::vector<std::string> below;
    for (const auto& [a, b] : graph.edges) {
        if (a == node) below.push_back(pattern(graph, b, height - 1));
        if (b == node && a != b) below.push_back(pattern(graph, a, height - 1));
    }
    std::ranges::sort(below);
    return pattern(graph, node, height - 1) + "[" + join(below, ";") + "]";
}

double by_patterns(Index iterations, const Graph& x, const Graph& z) {
    double sum = 0;
    for (Index height = 0; height <= iterations; ++height) {
        std::map<std::string, double> counts;
        for (Index v = 0; v < std::ssize(x.labels); ++v) counts[pattern(x, v, height)] += 1;
        for (Index v = 0; v < std::ssize(z.labels); ++v) {
            const auto found = counts.find(pattern(z, v, height));
            if (found != counts.end()) sum += found->second;
        }
    }
    return sum;
}

TEST(GraphKernels, TriangleAndPathByHand) {
    // At height 0 both have three equal nodes. At height 1 the path's middle has two neighbours, as all nodes
    // of the triangle have, and its ends have one. At height 2 the middle's neighbours are ends, so nothing
    // is common.
    EXPECT_EQ(value(0, triangle, path), 9);
    EXPECT_EQ(value(1, triangle, path), 9 + 3);
    EXPECT_EQ(value(2, triangle, path), 9 + 3);
    EXPECT_EQ(value(0, triangle, triangle), 9);
    EXPECT_EQ(value(2, triangle, triangle), 27);
    EXPECT_EQ(value(1, path, path), 9 + 5);  // The ends add 2 * 2, the middle 1.
    EXPECT_EQ(value(2, path, path), 9 + 5 + 5);
}

TEST(GraphKernels, WithoutIterationsItCountsLabels) {
    const Graph x{{1, 1, 2, 7}, {{0, 1}, {1, 2}}};
    const Graph z{{1, 2, 2, 2, -5}, {{0, 4}}};
    EXPECT_EQ(value(0, x, z), 2 * 1 + 1 * 3);
    EXPECT_EQ(value(0, x, x), 4 + 1 + 1);
}

TEST(GraphKernels, EveryGraphByItsPatterns) {
    const auto left = random_graphs(30, 3, 1);
    const auto right = random_graphs(35, 4, 2);
    for (const Index iterations : {0, 1, 2, 4}) {
        const Dataset left_data = graphs(left);
        const Dataset right_data = graphs(right);
        const auto kernel = make_kernel(text("weisfeiler_lehman(iterations=", iterations, ")"), left_data);
        const auto across = gram_matrix(kernel, left_data, right_data);
        const auto back = gram_matrix(kernel, right_data, left_data);
        const auto own = gram_matrix(kernel, left_data, left_data);
        for (std::size_t i = 0; i < 30; ++i) {
            for (std::size_t j = 0; j < 35; ++j) {
                const double expected = by_patterns(iterations, left[i], right[j]);
                EXPECT_EQ(across[i * 35 + j], expected) << iterations << " " << i << " " << j;
                EXPECT_EQ(back[j * 30 + i], expected) << iterations << " " << i << " " << j;
            }
            for (std::size_t j = 0; j < 30; ++j)
                EXPECT_EQ(own[i * 30 + j], by_patterns(iterations, left[i], left[j])) << i << " " << j;
        }
    }
}

TEST(GraphKernels, NumbersOfNodesDoNotMatter) {
    const auto all = random_graphs(40, 3, 3);
    auto renumbered = all;
    Random random(4);
    for (auto& graph : renumbered) {
        std::vector<Index> to(graph.labels.size());
        std::iota(to.begin(), to.end(), Index{0});
        random.shuffle(std::span(to));
        const auto labels = graph.labels;
        for (std::size_t v = 0; v < to.size(); ++v) graph.labels[to[v]] = labels[v];
        for (auto& [a, b] : graph.edges) {
            a = to[a];
            b = to[b];
            if (random.below(2) == 0) std::swap(a, b);
        }
        random.shuffle(std::span(graph.edges));
    }
    const Dataset data = graphs(all);
    const Dataset other = graphs(renumbered);
    const auto kernel = make_kernel("weisfeiler_lehman(iterations=3)", data);
    EXPECT_EQ(gram_matrix(kernel, data, other), gram_matrix(kernel, data, data));
}

TEST(GraphKernels, LabelsMatter) {
    const Graph other{{0, 0, 1}, triangle.edges};
    EXPECT_EQ(value(0, triangle, other), 6);
    // No node of `other` has only equal neighbours and the same label as in the triangle.
    EXPECT_EQ(value(3, triangle, other), 6);
    const Graph ends{{0, 1, 0}, path.edges};
    const Graph middle{{1, 0, 0}, path.edges};
    EXPECT_EQ(value(0, ends, middle), 2 * 2 + 1);
    EXPECT_LT(value(2, ends, middle), value(2, ends, ends));
}

TEST(GraphKernels, GraphsOfFewNodes) {
    const Graph nothing{{}, {}};
    const Graph single{{3}, {}};
    EXPECT_EQ(value(3, nothing, triangle), 0);
    EXPECT_EQ(value(3, nothing, nothing), 0);
    EXPECT_EQ(value(3, single, single), 4);
    // These labels are as large and as small as integers get.
    const Graph extreme{{9223372036854775807, -9223372036854775807}, {{0, 1}}};
    EXPECT_EQ(value(1, extreme, extreme), 4);
    // A given label is never mistaken for one that a round made.
    const Graph numbered{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {}};
    EXPECT_EQ(value(2, numbered, numbered), 27);
    EXPECT_EQ(value(5, numbered, Graph{{100, 101}, {{0, 1}}}), 0);
}

/// All nodes of two triangles and a ring of six look alike at every height.
TEST(GraphKernels, RegularGraphsAreNotToldApart) {
    const Graph ring{{0, 0, 0, 0, 0, 0}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}};
    const Graph triangles{{0, 0, 0, 0, 0, 0}, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}};
    EXPECT_EQ(value(4, ring, triangles), 5 * 36);
    EXPECT_EQ(value(4, ring, ring), 5 * 36);
}

TEST(GraphKernels, SemidefiniteAndTheSameForThreads) {
    const Dataset data = graphs(random_graphs(150, 3, 5));
    for (const char* text : {"weisfeiler_lehman", "weisfeiler_lehman(iterations=0)",
                             "normalize(weisfeiler_lehman(iterations=2))"}) {
        const auto kernel = make_kernel(text, data);
        EXPECT_TRUE(kernel->positive_semidefinite()) << text;
        const auto values = gram_matrix(kernel, data, data);
        const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), 150, 150);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
        EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * solver.eigenvalues().maxCoeff()) << text;
        for (const int threads : {2, 3}) EXPECT_EQ(gram_matrix(kernel, data, data, threads), values) << text;
    }
    EXPECT_EQ(make_kernel("weisfeiler_lehman", data)->text(), "weisfeiler_lehman(iterations=3)");
    message_of(Status::unsupported, [&] { make_kernel("spectrum", data); });
}

}  // namespace
}  // namespace dk::test::graph_kernel_test
