// SPDX-License-Identifier: Apache-2.0
// The kernels of infinite networks as formulas. kernel/family/network_kernel.cpp has their papers; here, as
// there, the angle theta between two rows passes through the layers as the gaps
//
//     g = 1 - cos theta,   h = 1 + cos theta,
//
// of which theta, sin theta = sqrt(g h) and cos theta = (h - g) / 2 keep their digits where rows are nearly
// parallel or opposite. A layer of degree n turns the cosine into J_n(theta) / J_n(0), and g into
//
//     n = 0    theta / pi
//     n = 1    g - (s - theta c) / pi
//     n = 2    (3 (theta - s c) + 2 (pi - theta) s^2) / (3 pi)
//     n = 3    (15 (theta - s) + 11 s^3 + (pi - theta) (9 g + 6 g (1 + c + c^2))) / (15 pi)
//
// with s = sin theta and c = cos theta. Where units have biases, each layer sees the cosine w_x w_z c + b_x
// b_z, where w and b are the shares of weights and biases in the length of a row.
#include <algorithm>
#include <array>
#include <numbers>

#include "exchange/formula/kernel_formula.hpp"

namespace dk {

namespace {

constexpr double pi = std::numbers::pi;

struct Gaps {
    Quantity g;
    Quantity h;
};

struct NetworkOfCall {
    std::vector<int> degrees;
    double weight_variance;
    double bias_variance;
    bool tangent;
};

double parameter_or(const Expression& call, std::string_view key, double otherwise) {
    return std::ranges::count(call.arguments, key, &Argument::key) > 0 ? parameter_of(call, key) : otherwise;
}

NetworkOfCall network_of(const Expression& call) {
    NetworkOfCall network{.degrees = {},
                          .weight_variance = parameter_or(call, "weight_variance", 1),
                          .bias_variance = parameter_or(call, "bias_variance", 0),
                          .tangent = call.name == "neural_tangent"};
    if (network.tangent) network.degrees.assign(static_cast<std::size_t>(parameter_or(call, "depth", 1)), 1);
    for (const Argument& argument : call.arguments) {
        if (argument.key.empty()) network.degrees.push_back(static_cast<int>(argument.values.front().number));
    }
    return network;
}

/// The length of a row or of a point, and what it is made of, from layer to layer.
struct Passage {
    Quantity scale;                      // |x| behind the last layer
    std::vector<Quantity> weights = {};  // empty where there are no biases
    std::vector<Quantity> biases = {};
};

Passage passage_of(const KernelTerms& own, const NetworkOfCall& network) {
    constexpr std::array<double, 4> odd_factorial{1, 1, 3, 15};
    Quantity length = own.sum(ColumnSum::inner);  // |x|^2
    Passage passage{.scale = length};
    const auto see = [&] {
        const Quantity from_weights = network.weight_variance * length;
        Quantity seen = network.bias_variance + from_weights;
        if (network.bias_variance > 0) {
            // Ratios stay right where lengths overflow.
            const Quantity bias = own.number(network.bias_variance);
            passage.weights.push_back(sqrt(own.number(1) / (1 + bias / from_weights)));
            passage.biases.push_back(sqrt(own.number(1) / (1 + from_weights / bias)));
        }
        return seen;
    };
    if (network.tangent) length = see();
    for (const int degree : network.degrees) {
        const Quantity seen = see();
        if (network.tangent) {
            length = seen;
        } else {
            length = degree == 0 ? own.number(1) : odd_factorial[degree] * power(seen, degree);
        }
    }
    passage.scale = sqrt(length);
    return passage;
}

/// Gives the tangent kernel of a row with itself, apart from its length.
Quantity own_tangent(const KernelTerms& own, const NetworkOfCall& network, const Passage& passage) {
    Quantity tangent = own.number(1);
    for (std::size_t layer = 1; layer <= network.degrees.size(); ++layer)
        tangent = 1 + (passage.weights.empty() ? tangent : power(passage.weights[layer], 2) * tangent);
    return tangent;
}

/// Gives the gaps of the rows' own angle. A row of zeros is a direction of its own, which is one more column.
Gaps gaps_of_rows(const KernelTerms& terms, bool exact) {
    const Quantity left = terms.of_row().sum(ColumnSum::inner);
    const Quantity right = terms.of_point().sum(ColumnSum::inner);
    const Quantity a = reciprocal_root(left);
    const Quantity b = reciprocal_root(right);
    const Quantity left_zero = 1 - positive(left);
    const Quantity right_zero = 1 - positive(right);
    if (!exact) {
        const Quantity cosine = terms.sum(ColumnSum::inner) * a * b + left_zero * right_zero;
        return {at_least(0, 1 - cosine), at_least(0, 1 + cosine)};
    }
    return {0.5 * (terms.sum(ColumnSum::scaled_differences, {a, b}) + power(left_zero - right_zero, 2)),
            0.5 * (terms.sum(ColumnSum::scaled_sums, {a, b}) + power(left_zero + right_zero, 2))};
}

/// Lets a layer see its biases.
Gaps seen_by_layer(const Gaps& gaps, const Passage& left, const Passage& right, std::size_t layer) {
    if (left.weights.empty()) return gaps;
    const Quantity weights = left.weights[layer] * right.weights[layer];
    const Quantity apart = power(left.weights[layer] - right.weights[layer], 2) +
                           power(left.biases[layer] - right.biases[layer], 2);
    const Quantity g = weights * gaps.g + 0.5 * apart;
    return {g, 2 - g};
}

Quantity cosine_of(const Gaps& gaps) {
    return 0.5 * (gaps.h - gaps.g);
}

Gaps behind_layer(const Gaps& gaps, const Quantity& theta, int degree) {
    const Quantity s = sqrt(gaps.g * gaps.h);
    const Quantity c = cosine_of(gaps);
    const Quantity rest = pi - theta;
    const auto new_gap = [&] {
        if (degree == 0) return 1 / pi * theta;
        if (degree == 1) return gaps.g - 1 / pi * (s - theta * c);
        if (degree == 2) return 1 / (3 * pi) * (3 * (theta - s * c) + 2 * (rest * power(s, 2)));
        const Quantity cubes = 9 * gaps.g + 6 * (gaps.g * (1 + (c + power(c, 2))));
        return 1 / (15 * pi) * (15 * (theta - s) + 11 * power(s, 3) + rest * cubes);
    };
    const Quantity g = at_least(0, new_gap());
    return {g, at_least(0, 2 - g)};
}

}  // namespace

Quantity network_formula(const Expression& call, const KernelTerms& terms, bool normalised) {
    const NetworkOfCall network = network_of(call);
    if (terms.compared != RowPair::row_and_point) {
        if (normalised) return terms.number(1);
        const Passage own = passage_of(terms, network);
        const Quantity value = power(own.scale, 2);
        return network.tangent ? value * own_tangent(terms, network, own) : value;
    }
    const Passage left = passage_of(terms.of_row(), network);
    const Passage right = passage_of(terms.of_point(), network);
    // Layers of degree 0 jump where rows are nearly parallel, and need all digits of the angle there.
    const bool exact = network.tangent || std::ranges::count(network.degrees, 0) > 0;
    Gaps gaps = seen_by_layer(gaps_of_rows(terms, exact), left, right, 0);
    Quantity tangent = cosine_of(gaps);
    for (std::size_t layer = 0; layer < network.degrees.size(); ++layer) {
        const Quantity theta = angle(gaps.g, gaps.h);
        const Gaps behind = behind_layer(gaps, theta, network.degrees[layer]);
        const bool is_seen = network.tangent || layer + 1 < network.degrees.size();
        gaps = is_seen ? seen_by_layer(behind, left, right, layer + 1) : behind;
        if (!network.tangent) continue;
        Quantity carried = (1 - 1 / pi * theta) * tangent;
        if (!left.weights.empty()) carried = left.weights[layer + 1] * right.weights[layer + 1] * carried;
        tangent = carried + cosine_of(gaps);
    }
    Quantity cosine = network.tangent ? tangent : 1 - gaps.g;
    if (!normalised) return cosine * left.scale * right.scale;
    if (!network.tangent) return cosine;
    return cosine / sqrt(own_tangent(terms.of_row(), network, left)) /
           sqrt(own_tangent(terms.of_point(), network, right));
}

}  // namespace dk
