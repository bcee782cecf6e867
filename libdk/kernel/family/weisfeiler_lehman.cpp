// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "kernel/family/count_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

/// Numbers node labels as they come: the given ones, then in each round the pairs of a node's label and its
/// neighbours' sorted ones. A label of round h stands for a subtree of height h.
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
            signature.push_back(round);  // never mistaken for a given label
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
    const Index iterations = a.integer("iterations");
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
            .doc = "The number of common subtree patterns of labelled graphs up to a height.",
            .reference = "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, JMLR 12, 2011",
            .facts = {.data = {DataKind::graphs},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .parameters = {integer_parameter(
                "iterations", 3, 0, 100,
                "The rounds of relabelling, which are the greatest height of a pattern.")},
            .make = make_weisfeiler_lehman};
}

}  // namespace dk
