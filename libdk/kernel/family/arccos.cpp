// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "kernel/algebra.hpp"
#include "kernel/arc_cosine_maps.hpp"
#include "kernel/family.hpp"
#include "kernel/random_features.hpp"

namespace dk {

namespace {

constexpr double smallest_gap = 1e-300;                      // not 0, because its sign tells blunt angles
constexpr std::array<double, 4> value_at_zero{1, 1, 3, 15};  // J_n(0) / pi = (2 n - 1)!!

/// sqrt(k(x, x)) of the last layer from |x|^2: every layer maps q to (2 n - 1)!! q^n. In logarithms,
/// because degree 3 twice is already |x|^18.
double layer_scale(double squared_norm, const std::vector<int>& degrees) {
    double log_self = squared_norm > 0 ? std::log(squared_norm) : -std::numeric_limits<double>::infinity();
    for (const int degree : degrees) {
        log_self =
            degree == 0 ? 0.0 : std::log(value_at_zero[static_cast<std::size_t>(degree)]) + degree * log_self;
    }
    return std::exp(0.5 * log_self);
}

template <typename T>
class ArcCosineEvaluator final : public Evaluator<T> {
  public:
    ArcCosineEvaluator(Operands<T>& operands, const Columns& columns, const std::vector<int>& degrees,
                       bool normalised)
        : operands_(operands), product_(operands.request_product(columns)), degrees_(degrees) {
        for (const Side side : {Side::left, Side::right}) {
            const auto& norms = operands.panel(side, product_).squared_norms;
            auto& rows = rows_[static_cast<std::size_t>(side)];
            for (const double norm : norms) {
                rows.reciprocals.push_back(norm > 0 ? 1 / std::sqrt(norm) : 0.0);
                rows.scales.push_back(normalised ? 1.0 : layer_scale(norm, degrees));
            }
            rows.reciprocals.resize(norms.size() + unsigned_of(arc_cosine_padding));
            rows.scales.resize(rows.reciprocals.size());
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& left = rows_[0];
        const auto& right = rows_[1];
        const double* right_reciprocals = right.reciprocals.data() + block.right_row;
        const double* right_scales = right.scales.data() + block.right_row;
        const T* products = workspace.inner_products(product_);
        for (Index i = 0; i < block.rows(); ++i) {
            const auto id = unsigned_of(block.left_rows[unsigned_of(i)]);
            const ArcCosineRow row{left.reciprocals[id], right_reciprocals, left.scales[id], right_scales,
                                   degrees_};
            auto& gaps = workspace.row_of_doubles();
            if (row.left_reciprocal != 0 && arc_cosine_of_products(products + i * block.cols, row, block.cols,
                                                                   gaps.data(), out + i * stride))
                continue;
            find_gaps(block, i, products + i * block.cols, row, gaps.data());
            arc_cosine_of_gaps(gaps.data(), row, block.cols, out + i * stride);
        }
    }

    std::vector<double> self(Side side) const override {
        std::vector<double> values = rows_[static_cast<std::size_t>(side)].scales;
        values.resize(values.size() - unsigned_of(arc_cosine_padding));
        for (double& v : values) v *= v;
        return values;
    }

  private:
    struct Rows {
        // padded, as the maps read whole vectors
        std::vector<double> reciprocals;  // 1 / |x|; 0 for the zero vector
        std::vector<double> scales;       // sqrt(k(x, x))
    };

    /// 1 - |cosine|, negative where the cosine is. Where rows are nearly parallel it cancels; half the
    /// squared distance of the unit vectors, or of one and the other's opposite, does not. A zero vector is a
    /// direction of its own: orthogonal to every other row, equal to zero rows.
    void find_gaps(const Block& block, Index i, const T* products, const ArcCosineRow& row,
                   double* gaps) const {
        for (Index j = 0; j < block.cols; ++j) {
            const double reciprocal = row.right_reciprocals[j];
            if (row.left_reciprocal == 0) {
                gaps[j] = reciprocal == 0 ? 0.0 : 1.0;
                continue;
            }
            const double cosine = static_cast<double>(products[j]) * (row.left_reciprocal * reciprocal);
            const double side = cosine < 0 ? -1 : 1;
            double gap = 1 - std::abs(cosine);
            if (gap < close_gap) {
                gap = 0.5 * squared_distance(operands_.panel(Side::left, product_),
                                             block.left_rows[unsigned_of(i)],
                                             operands_.panel(Side::right, product_), block.right_row + j,
                                             row.left_reciprocal, side * reciprocal);
            }
            gaps[j] = side * std::max(gap, smallest_gap);
        }
    }

    const Operands<T>& operands_;
    std::size_t product_;
    std::vector<int> degrees_;
    std::array<Rows, 2> rows_;
};

/// The multilayer arc-cosine kernel: cosine and lengths pass through the layers apart.
class ArcCosine final : public ColumnKernel<ArcCosine>, public Normalisable {
  public:
    ArcCosine(Columns columns, std::vector<int> degrees, bool normalised)
        : ColumnKernel(std::move(columns)), degrees_(std::move(degrees)), normalised_(normalised) {}

    std::string function_text() const {
        std::vector<std::string> parts;
        for (const int degree : degrees_) parts.push_back(std::to_string(degree));
        const std::string name = "arccos(" + join(parts, ", ") + ")";
        return normalised_ ? "normalize(" + name + ")" : name;
    }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override {
        return normalised_ || std::ranges::find(degrees_, 0) != degrees_.end();
    }
    bool unit_diagonal() const override { return normalised_; }
    KernelPointer normalised() const override {
        return std::make_shared<ArcCosine>(columns(), degrees_, true);
    }

    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        return normalised_ ? nullptr : make_rectifier_map(columns(), count, degrees_, seed, data);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ArcCosineEvaluator<T>>(operands, columns(), degrees_, normalised_);
    }

  private:
    std::vector<int> degrees_;
    bool normalised_;
};

KernelPointer make_arc_cosine(const KernelArguments& arguments) {
    std::vector<int> degrees;
    for (const double value : arguments.positional) {
        if (value != 0 && value != 1 && value != 2 && value != 3) {
            fail(Status::invalid_kernel, "arccos: degree ", value, " of layer ", degrees.size() + 1,
                 " is not allowed; degrees are 0, 1, 2 and 3");
        }
        degrees.push_back(static_cast<int>(value));
    }
    if (degrees.size() > 64) {
        fail(Status::invalid_kernel, "arccos: ", degrees.size(), " layers; at most 64 are allowed");
    }
    if (degrees.empty()) degrees.push_back(1);
    return std::make_shared<ArcCosine>(arguments.columns, std::move(degrees), false);
}

}  // namespace

KernelFamily arccos_family() {
    return {.name = "arccos",
            .doc = "multilayer arc-cosine kernel, a network of infinite width with one layer a degree",
            .reference = "Cho and Saul, Kernel methods for deep learning, NIPS 2009",
            .data = {DataKind::dense, DataKind::sparse},
            .positive_semidefinite = "always",
            .constant_diagonal = "when a degree is 0 or normalised",
            .parameters = {},
            .positional = "degrees of the layers, each 0, 1, 2 or 3; default 1",
            .make = make_arc_cosine};
}

}  // namespace dk
