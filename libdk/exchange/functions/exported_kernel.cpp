// SPDX-License-Identifier: Apache-2.0
#include <span>

#include "base/error.hpp"
#include "exchange/functions/exported_layer.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/construction.hpp"

namespace dk {

namespace {

bool is_learned(const Expression& call) {
    return call.name == "center" || call.name == "lowrank" || call.name == "corrected";
}

const Expression* inner_of(const Expression& call) {
    for (const Argument& argument : call.arguments) {
        if (argument.expression) return argument.expression.get();
    }
    return nullptr;
}

/// Goes through an expression in the order in which kernels give their states (Kernel::collect_states()).
class LearnedParts {
  public:
    LearnedParts(std::span<const KernelState* const> states, const Dataset& points)
        : states_(states), points_(points) {}

    void visit(const Expression& expression, const Columns& columns,
               std::vector<std::shared_ptr<LearnedFeatures>>& out) {
        for (const Expression& child : expression.children) visit(child, columns, out);
        const Expression* inner = inner_of(expression);
        if (inner == nullptr) return;
        const std::size_t first = next_;
        visit(*inner, expression.name == "on" ? columns_named_by(expression) : columns, out);
        if (!is_learned(expression)) return;
        if (next_ == states_.size()) fail(Status::internal, "kernel ", expression.name, " without state");
        const std::span<const KernelState* const> within = states_.subspan(first, next_ - first);
        out.push_back(std::make_shared<LearnedFeatures>(
            learned(expression, *inner, columns, within, *states_[next_++])));
    }
    bool has_visited_all() const { return next_ == states_.size(); }

  private:
    LearnedFeatures learned(const Expression& call, const Expression& inner, const Columns& columns,
                            std::span<const KernelState* const> within, const KernelState& state) {
        const bool centred = call.name == "center";
        if (!centred && state.rows.empty() && state.shape.empty())
            fail(Status::unsupported,
                 "other formats have no corrected(method=shift), which knows rows alone");
        if (!centred && state.rows.empty()) {
            const RandomNetwork network = random_network_of(state);
            return {&call, network, features_of(call, columns, within, state)};
        }
        const Dataset& rows = state.rows.front();
        ExportedExpansion layer{.points = rows, .columns = columns};
        layer.kernel.expression = std::make_shared<const Expression>(inner);
        LearnedParts parts(within, rows);
        parts.visit(*layer.kernel.expression, columns, layer.kernel.learned);
        const Index count = rows.rows();
        if (centred) {
            layer.weights = Matrix::Constant(count, 1, 1 / static_cast<double>(count));
            Control control;
            const KernelPointer kernel = restored(inner, columns, within, nullptr);
            Matrix means(points_.rows(), 1);
            GramEngine<double>(kernel, points_, rows, &control)
                .product(layer.weights.data(), 1, means.data(), control);
            layer.offsets = {0};
            return {&call, std::move(layer), std::move(means), state.numbers.front()};
        }
        layer.weights = state.numbers.empty()
                            ? Matrix(Matrix::Identity(count, count))
                            : Matrix(view(state.numbers.data(), count, std::ssize(state.numbers) / count));
        layer.offsets.assign(static_cast<std::size_t>(layer.weights.cols()), 0.0);
        return {&call, std::move(layer), features_of(call, columns, within, state)};
    }

    /// Makes the kernel of a part of the expression again.
    KernelPointer restored(const Expression& part, const Columns& columns,
                           std::span<const KernelState* const> within, const KernelState* last) const {
        std::vector<KernelState> states;
        for (const KernelState* state : within) states.push_back(*state);
        if (last != nullptr) states.push_back(*last);
        Control control;
        return Construction(&points_, &control, &states).expand(part, columns).front();
    }

    /// Computes the features of the points.
    Matrix features_of(const Expression& call, const Columns& columns,
                       std::span<const KernelState* const> within, const KernelState& state) const {
        Control control;
        const KernelPointer kernel = restored(call, columns, within, &state);
        const FeatureMap& map = *kernel->feature_map();
        const LargeArray<double> features = map.features(points_, control);
        return view(features.data(), points_.rows(), map.dimension());
    }

    std::span<const KernelState* const> states_;
    const Dataset& points_;
    std::size_t next_ = 0;
};

}  // namespace

Columns columns_named_by(const Expression& call) {
    Columns columns;
    for (const Argument& argument : call.arguments) {
        if (argument.expression) continue;
        const auto last = static_cast<Index>(argument.values.back().number);
        for (auto j = static_cast<Index>(argument.values.front().number); j <= last; ++j)
            columns.push_back(j);
    }
    return columns;
}

bool is_product_of_features(const Kernel& kernel) {
    const Expression expression = parse_expression(kernel.text());
    return (expression.name == "lowrank" || expression.name == "corrected") &&
           kernel.feature_map() != nullptr;
}

ExportedKernel exported_kernel(const Kernel& kernel, const Dataset& points) {
    ExportedKernel out{std::make_shared<const Expression>(parse_expression(kernel.text()))};
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    if (states.empty()) return out;
    LearnedParts parts(states, points);
    parts.visit(*out.expression, {}, out.learned);
    if (!parts.has_visited_all())
        fail(Status::unsupported, "other formats have no place for what kernel ", kernel.text(),
             " has learned");
    return out;
}

}  // namespace dk
