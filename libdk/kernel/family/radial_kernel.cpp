// SPDX-License-Identifier: Apache-2.0
// This file has what kernels share that are a function of the squared distance, k(x, z) = f(|x - z|^2). The
// functions f are those of RadialFunction (kernel/maps/radial_maps.hpp). A matrix product gives the
// distances, as |x - z|^2 = |x|^2 + |z|^2 - 2 x.z; only close pairs, for which this cancels, are subtracted.
//
// Where f is a mixture of Gaussians, its random frequencies are normal, with a width that is drawn for each:
// Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007.
#include "kernel/family/radial_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "kernel/engine/gradient.hpp"
#include "kernel/lowrank/random_features.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

// These are above s |f'(s)| and sqrt(s / gamma) |f'(s)| for all functions but bessel that have a finite slope
// at 0. The largest values are 0.3679 of the Gaussian at gamma s = 1, and 0.4506 of matern32 at gamma s =
// 1/6.
constexpr double steepest_by_distance = 0.37;
constexpr double steepest_by_root = 0.46;

/// Gives the largest |f'(s)|, which all functions have at s = 0.
double steepest_slope(const Radial& radial) {
    switch (radial.function) {
        case RadialFunction::gaussian:
        case RadialFunction::cauchy:
        case RadialFunction::rational_quadratic:
            return radial.gamma;
        case RadialFunction::matern32:
            return 3 * radial.gamma;
        case RadialFunction::matern52:
            return 5 * radial.gamma / 3;
        case RadialFunction::matern12:
        case RadialFunction::circular:
        case RadialFunction::spherical:
        case RadialFunction::bessel:  // s |f'(s)| grows with s
            break;
    }
    return infinity;
}

template <typename T>
class RadialEvaluator final : public Evaluator<T> {
  public:
    RadialEvaluator(Operands<T>& operands, const Columns& columns, const Radial& radial)
        : operands_(operands),
          columns_(columns),
          product_(operands.request_centred_product(columns)),
          radial_(radial) {
        largest_right_norm_ = operands.panel(Side::right, product_).largest_squared_norm;
        gaussian_ = radial.function == RadialFunction::gaussian;
        subtracts_all_pairs_ = Workspace<T>::subtracts(operands.panel(Side::right, product_));
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        if (!subtracts_all_pairs_ && !may_need_care(workspace)) {
            const auto left = workspace.squared_norms(Side::left, product_);
            const auto right = workspace.squared_norms(Side::right, product_);
            tile_maps<T>().gaussian(workspace.inner_products(product_), left.data(), right.data(),
                                    radial_.gamma, block.rows(), block.cols, out, stride);
            return;
        }
        Index in_stride = stride;
        const T* distances = squared_distances(workspace, out, in_stride);
        if (gaussian_) {
            tile_maps<T>().exponential(distances, -radial_.gamma, block.rows(), block.cols, in_stride, out,
                                       stride);
        } else {
            radial_map(radial_, distances, block.rows(), block.cols, in_stride, out, stride);
        }
    }

    /// The gradient of f(s), s = |x - z|^2, with respect to x is 2 f'(s) (x - z).
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const Block& block = workspace.block();
        std::vector<T> slopes(block.rows() * block.cols);
        Index in_stride = block.cols;
        const T* distances = squared_distances(workspace, slopes.data(), in_stride);
        radial_slope_map(radial_, distances, block.rows(), block.cols, in_stride, slopes.data(), block.cols);
        std::vector<double> weights(coefficients, coefficients + slopes.size());
        for (std::size_t e = 0; e < weights.size(); ++e) weights[e] *= 2 * slopes[e];
        add_weighted_differences(workspace, product_, columns_, weights.data(), out, stride);
    }

    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.panel(side, product_).squared_norms.size(), 1.0);
    }

    /// Let u be the unit roundoff of T. Where squared distances s are sums of (x - z)^2, their terms are
    /// rounded a few times and added, which changes s by at most (depth + 3) u s, and the columns are rounded
    /// to T, which changes it by at most 2 u (|x| + |z|) sqrt(s). Products change it by at most
    /// (2 terms + 16) u (|x|^2 + |z|^2), where so many terms are added one after the other in T: in blocks of
    /// 256, and none of sparse rows, whose sums have double precision. The slope of f multiplies that, and f
    /// itself takes less than 8 roundings of a value that is at most 1.
    std::vector<double> rounding_bounds(Side side) const override {
        const double slope = steepest_slope(radial_);
        const auto& right = operands_.panel(Side::right, product_);
        if (!std::isfinite(slope) || !stays_in_range()) return {};
        constexpr double unit_roundoff = 0.5 * std::numeric_limits<T>::epsilon();
        const double depth = right.depth;
        const bool exact_sums = right.sparse != nullptr && std::is_same_v<T, float>;
        const double terms = exact_sums ? 0 : std::min(depth, 256.0) + depth / 256;
        std::vector<double> bounds = operands_.panel(side, product_).squared_norms;
        for (double& bound : bounds) {
            const double in_units = subtracts_all_pairs_
                                        ? 2 * steepest_by_root * std::sqrt(radial_.gamma * bound) +
                                              0.5 * steepest_by_distance * (depth + 3)
                                        : slope * (2 * terms + 16) * bound;
            bound = unit_roundoff * (in_units + 4);
        }
        return bounds;
    }

  private:
    /// The squared distances of the block, and in `stride` the distance of their rows in memory. Those of a
    /// workspace that subtracts all pairs are shared by its kernels; others are computed into `out`.
    const T* squared_distances(Workspace<T>& workspace, T* out, Index& stride) const {
        const Block& block = workspace.block();
        if (subtracts_all_pairs_) {
            stride = block.cols;
            return workspace.pair_sums({PairSum::squared}, product_);
        }
        const auto left = workspace.squared_norms(Side::left, product_);
        const auto right = workspace.squared_norms(Side::right, product_);
        tile_maps<T>().squared_distance(workspace.inner_products(product_), left.data(), right.data(),
                                        block.rows(), block.cols, out, stride);
        subtract_close_pairs(block, left, right, view(out, block.rows(), block.cols, stride));
        return out;
    }

    /// Tells whether T holds the parameters and the function's argument, without a loss of digits by numbers
    /// that are too small.
    bool stays_in_range() const {
        const double largest =
            4 * std::max(operands_.panel(Side::left, product_).largest_squared_norm, largest_right_norm_);
        const auto is_moderate = [&](double factor) {
            return factor >= 1e-30 && factor <= 1e30 && 10 * factor * largest <= 1e35;
        };
        return largest <= 1e35 && is_moderate(radial_.gamma) && is_moderate(radial_.gamma / radial_.shape);
    }

    // The error of |x|^2 + |z|^2 - 2 x.z is a rounding error of the norms, and gamma multiplies it. The error
    // of k stays below 40 roundings when pairs whose squared distance is below a hundredth of their norms are
    // subtracted. The Gaussian needs no subtraction while gamma times the norms is small. A function of the
    // distance itself would magnify the error without bound, because the root of a small number has a large
    // slope, so that all other functions always need it. The decision looks at one pair alone, because its
    // value must not depend on the other rows of the call.
    bool needs_care(double norms) const { return !gaussian_ || radial_.gamma * norms > 100; }

    /// Whether any pair of the block could need care. On most data none does, and then one map does all.
    bool may_need_care(Workspace<T>& workspace) const {
        return needs_care(std::ranges::max(workspace.squared_norms(Side::left, product_)) +
                          largest_right_norm_);
    }

    void subtract_close_pairs(const Block& block, std::span<const double> left, std::span<const double> right,
                              MatrixViewOf<T> distances) const {
        const auto& left_panel = operands_.panel(Side::left, product_);
        const auto& right_panel = operands_.panel(Side::right, product_);
        for (Index i = 0; i < block.rows(); ++i) {
            for (Index j = 0; j < block.cols; ++j) {
                const double norms = left[i] + right[j];
                if (distances(i, j) >= 0.01 * norms || !needs_care(norms)) continue;
                distances(i, j) = static_cast<T>(
                    squared_distance(left_panel, block.left_rows[i], right_panel, block.right_row + j));
            }
        }
    }

    const Operands<T>& operands_;
    Columns columns_;
    std::size_t product_;
    Radial radial_;
    bool gaussian_ = false;
    bool subtracts_all_pairs_ = false;
    double largest_right_norm_ = 0;
};

/// The law of the random frequencies, for the functions that are mixtures of Gaussians. The circular, the
/// spherical and the Bessel function are none.
std::optional<FrequencyLaw> mixture_law(const Radial& radial) {
    const auto law = [&](auto width) {
        return FrequencyLaw{
            [](Random& random) { return random.normal(); },
            [width, gamma = radial.gamma](Random& random) { return std::sqrt(2 * gamma * width(random)); }};
    };
    const auto student = [&](double nu) {
        return law([nu](Random& random) { return nu / gamma_deviate(nu, random); });
    };
    switch (radial.function) {
        case RadialFunction::gaussian:
            return law([](Random&) { return 1.0; });
        case RadialFunction::cauchy:
            return law([](Random& random) { return gamma_deviate(1, random); });
        case RadialFunction::rational_quadratic:
            return law(
                [shape = radial.shape](Random& random) { return gamma_deviate(shape, random) / shape; });
        case RadialFunction::matern12:
            return student(0.5);
        case RadialFunction::matern32:
            return student(1.5);
        case RadialFunction::matern52:
            return student(2.5);
        case RadialFunction::circular:
        case RadialFunction::spherical:
        case RadialFunction::bessel:
            break;
    }
    return std::nullopt;
}

class RadialKernel final : public ColumnKernel<RadialKernel> {
  public:
    RadialKernel(Columns columns, RadialParts parts)
        : ColumnKernel(std::move(columns)), parts_(std::move(parts)) {}

    std::string function_text() const { return parts_.text; }
    bool positive_semidefinite() const override { return parts_.positive_semidefinite; }
    bool constant_diagonal() const override { return true; }
    bool unit_diagonal() const override { return true; }
    bool cheap() const override { return parts_.radial.function != RadialFunction::bessel; }
    bool differentiable() const override {
        return parts_.radial.function != RadialFunction::matern12 &&
               parts_.radial.function != RadialFunction::circular &&
               parts_.radial.function != RadialFunction::spherical;
    }

    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        const auto law = mixture_law(parts_.radial);
        return law ? make_fourier_map(columns(), count, *law, seed, data) : nullptr;
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<RadialEvaluator<T>>(operands, columns(), parts_.radial);
    }

  private:
    RadialParts parts_;
};

}  // namespace

KernelPointer make_radial_kernel(Columns columns, RadialParts parts) {
    return std::make_shared<RadialKernel>(std::move(columns), std::move(parts));
}

}  // namespace dk
