// SPDX-License-Identifier: Apache-2.0
// Kernels made of kernels with features have features themselves, so that products of their matrices need no
// values of pairs. Of k(x, z) = phi(x).phi(z) the cosine-normalised kernel is
//
//     k(x, z) / sqrt(k(x, x) k(z, z)) = u(x).u(z),   u(x) = phi(x) / |phi(x)|,
//
// and a sum is the product of the features side by side,
//
//     sum_m w_m k_m(x, z) + c = p(x).p(z),   p(x) = (sqrt(w_1) phi_1(x), sqrt(w_2) phi_2(x), ..., sqrt(c)).
//
//   formula        code
//   u              UnitLengthMap
//   p, w, phi, c   JoinedMap, WeightedMap::weight, WeightedMap::map, offset_
//
// Shawe-Taylor, Cristianini, Kernel methods for pattern analysis, 2004.
#include "kernel/lowrank/combined_maps.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

class UnitLengthMap final : public FeatureMap {
  public:
    explicit UnitLengthMap(std::shared_ptr<const FeatureMap> inner) : inner_(std::move(inner)) {}

    Index dimension() const override { return inner_->dimension() + 1; }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool unit_length() const override { return true; }

    LargeArray<double> features(const Dataset& data, Control& control) const override {
        const LargeArray<double> found = inner_->features(data, control);
        LargeArray<double> out(data.rows() * dimension());
        const ConstMatrixView inner = view(found.data(), data.rows(), inner_->dimension());
        MatrixView all = view(out.data(), data.rows(), dimension());
        const ProgressHold hold(control);
        parallel_for_rows(data.rows(), dimension(), control, [&](Index i) {
            // A length is found of features whose largest is 1, so that squares neither vanish nor overflow.
            const double largest = inner.row(i).cwiseAbs().maxCoeff();
            if (largest > 0) {
                all.row(i).head(inner.cols()) = inner.row(i) / largest;
                all.row(i).head(inner.cols()) /= all.row(i).head(inner.cols()).norm();
                all(i, inner.cols()) = 0;
            } else {
                all.row(i).head(inner.cols()) = inner.row(i);
                all(i, inner.cols()) = 1;
            }
        });
        return out;
    }

    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }

  private:
    std::shared_ptr<const FeatureMap> inner_;
};

class JoinedMap final : public FeatureMap {
  public:
    JoinedMap(std::vector<WeightedMap> terms, double offset) : terms_(std::move(terms)), offset_(offset) {
        for (const WeightedMap& term : terms_) dimension_ += term.map->dimension();
        if (offset_ > 0) ++dimension_;
    }

    Index dimension() const override { return dimension_; }
    bool works_on(DataKind kind) const override {
        return std::ranges::all_of(terms_, [&](const WeightedMap& term) { return term.map->works_on(kind); });
    }

    LargeArray<double> features(const Dataset& data, Control& control) const override {
        LargeArray<double> out(data.rows() * dimension_);
        MatrixView all = view(out.data(), data.rows(), dimension_);
        Index first = 0;
        for (const auto& [weight, map] : terms_) {
            const LargeArray<double> found = map->features(data, control);
            const ConstMatrixView own = view(found.data(), data.rows(), map->dimension());
            const double scale = std::sqrt(weight);
            const ProgressHold hold(control);
            parallel_for_rows(data.rows(), own.cols(), control,
                              [&](Index i) { all.row(i).segment(first, own.cols()) = scale * own.row(i); });
            first += own.cols();
        }
        if (offset_ > 0) all.col(first).setConstant(std::sqrt(offset_));
        return out;
    }

    Index raw_dimension() const override {
        Index sum = offset_ > 0 ? 1 : 0;
        for (const WeightedMap& term : terms_) sum += term.map->raw_dimension();
        return sum;
    }
    void write_raw_features(const Dataset& data, MatrixView out, Control& control) const override {
        Index first = 0;
        for (const auto& [weight, map] : terms_) {
            const Index count = map->raw_dimension();
            const MatrixView own = view(out.data() + first, out.rows(), count, out.outerStride());
            map->write_raw_features(data, own, control);
            first += count;
            if (weight == 1) continue;
            const double scale = std::sqrt(weight);
            const ProgressHold hold(control);
            parallel_for_rows(out.rows(), count, control, [&](Index i) { MatrixView(own).row(i) *= scale; });
        }
        if (offset_ > 0) out.col(first).setConstant(std::sqrt(offset_));
    }
    Matrix to_raw(const Matrix& w, Control& control) const override {
        Matrix raw(raw_dimension(), w.cols());
        for_terms([&](const FeatureMap& map, Index first, Index first_raw) {
            raw.middleRows(first_raw, map.raw_dimension()) =
                map.to_raw(w.middleRows(first, map.dimension()), control);
        });
        if (offset_ > 0) raw.bottomRows(1) = w.bottomRows(1);
        return raw;
    }
    Matrix from_raw(const Matrix& s, Control& control) const override {
        Matrix w(dimension_, s.cols());
        for_terms([&](const FeatureMap& map, Index first, Index first_raw) {
            w.middleRows(first, map.dimension()) =
                map.from_raw(s.middleRows(first_raw, map.raw_dimension()), control);
        });
        if (offset_ > 0) w.bottomRows(1) = s.bottomRows(1);
        return w;
    }
    Matrix combined(const Matrix& raw, Control& control) const override {
        if (terms_.size() == 1 && offset_ == 0) return terms_.front().map->combined(raw, control);
        Matrix features(raw.rows(), dimension_);
        for_terms([&](const FeatureMap& map, Index first, Index first_raw) {
            features.middleCols(first, map.dimension()) =
                map.combined(raw.middleCols(first_raw, map.raw_dimension()), control);
        });
        if (offset_ > 0) features.rightCols(1) = raw.rightCols(1);
        return features;
    }

    void collect_states(std::vector<const KernelState*>& states) const override {
        for (const WeightedMap& term : terms_) term.map->collect_states(states);
    }

  private:
    /// Runs body(map, first, first_raw) for the map of each term, whose features begin there.
    template <typename Body>
    void for_terms(Body body) const {
        Index first = 0;
        Index first_raw = 0;
        for (const WeightedMap& term : terms_) {
            body(*term.map, first, first_raw);
            first += term.map->dimension();
            first_raw += term.map->raw_dimension();
        }
    }

    std::vector<WeightedMap> terms_;
    double offset_;
    Index dimension_ = 0;
};

}  // namespace

std::shared_ptr<const FeatureMap> map_of(const KernelPointer& kernel) {
    const FeatureMap* map = kernel->feature_map();
    return map != nullptr ? std::shared_ptr<const FeatureMap>(kernel, map) : nullptr;
}

std::shared_ptr<const FeatureMap> unit_length_map(std::shared_ptr<const FeatureMap> map) {
    return std::make_shared<UnitLengthMap>(std::move(map));
}

std::shared_ptr<const FeatureMap> joined_map(std::vector<WeightedMap> terms, double offset) {
    return std::make_shared<JoinedMap>(std::move(terms), offset);
}

}  // namespace dk
