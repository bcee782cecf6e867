// SPDX-License-Identifier: Apache-2.0
// The Weisfeiler-Lehman subtree kernel of two graphs whose nodes have labels is
//   k(G, G') = sum_{i = 0..h} sum_s count_i(s, G) count_i(s, G'),
// where count_i(s, G) is the number of nodes of G that have the label s after i rounds. A round gives each
// node a new label, which stands for its own label and the sorted labels of its neighbours:
//   l_i(v) = f(l_{i-1}(v), sorted l_{i-1}(w) of the neighbours w of v).
// So a label of round i stands for a subtree pattern of height i, and k counts the patterns that G and G'
// share.
//
//   paper        code
//   h            iterations
//   l_i(v)       labels[v] in round i
//   f            number(), which maps signatures to numbers, the same for all graphs
//
// Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, Weisfeiler-Lehman graph kernels, JMLR 12, 2011.
#include <algorithm>

#include "base/text.hpp"
#include "kernel/family/count_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey iterations{
    "iterations",
    3,
    {0, 100},
    "The labels are refined in this many rounds, which is the greatest height of a pattern."};
}  // namespace parameter

namespace {

/// Counts the labels of all rounds, which it numbers in the order in which they first occur.
class Relabelling {
  public:
    explicit Relabelling(Index iterations) : iterations_(iterations) {}

    SparseMatrix count(const GraphSet& set) {
        CountCollector collector;
        for (Index g = 0; g < set.rows(); ++g) {
            std::vector<Index> labels;
            const auto neighbours = neighbour_lists(set, g);
            for (Index v = 0; v < set.nodes(g); ++v)
                labels.push_back(number({set.node_labels[set.node_offsets[g] + v]}));
            for (Index round = 0;; ++round) {
                for (const Index label : labels) collector.add(label);
                if (round == iterations_) break;
                labels = next_labels(labels, neighbours, round);
            }
            collector.finish_row();
        }
        return collector.take(std::ssize(numbers_));
    }

  private:
    using Neighbours = std::vector<std::vector<Index>>;

    static Neighbours neighbour_lists(const GraphSet& set, Index g) {
        Neighbours lists(set.nodes(g));
        for (Index e = set.edge_offsets[g]; e < set.edge_offsets[g + 1]; ++e) {
            const Index a = set.edges[2 * e];
            const Index b = set.edges[2 * e + 1];
            lists[a].push_back(b);
            if (a != b) lists[b].push_back(a);
        }
        return lists;
    }

    std::vector<Index> next_labels(const std::vector<Index>& labels, const Neighbours& neighbours,
                                   Index round) {
        std::vector<Index> next;
        for (std::size_t v = 0; v < labels.size(); ++v) {
            std::vector<Index> signature;
            for (const Index w : neighbours[v]) signature.push_back(labels[w]);
            std::ranges::sort(signature);
            signature.push_back(labels[v]);
            signature.push_back(round);  // so that no signature is that of a given label
            next.push_back(number(signature));
        }
        return next;
    }

    Index number(const std::vector<Index>& signature) {
        return numbers_.try_emplace(signature, std::ssize(numbers_)).first->second;
    }

    Index iterations_;
    std::map<std::vector<Index>, Index> numbers_;
};

KernelPointer make_weisfeiler_lehman(const KernelArguments& a) {
    const Index iterations = a[parameter::iterations];
    return make_count_kernel({text("weisfeiler_lehman(iterations=", iterations, ")"), DataKind::graphs,
                              [iterations](const Dataset& left, const Dataset* right) {
                                  Relabelling relabelling(iterations);
                                  PartCounts counts;
                                  counts.left = relabelling.count(left.graphs());
                                  if (right) counts.right = relabelling.count(right->graphs());
                                  return counts;
                              }});
}

}  // namespace

KernelEntry weisfeiler_lehman_kernel() {
    return {.name = "weisfeiler_lehman",
            .doc = "k(x, z) counts the common subtree patterns of two labelled graphs up to a height.",
            .reference =
                "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, Weisfeiler-Lehman graph "
                "kernels, JMLR 12, 2011",
            .facts = {.data = {DataKind::graphs},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .parameters = {parameter::iterations},
            .make = make_weisfeiler_lehman};
}

}  // namespace dk
