// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "kernel/lowrank/combined_maps.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The features of all kernels of a bank, side by side.
class BankFeatures {
  public:
    explicit BankFeatures(const Bank& bank) {
        std::vector<WeightedMap> maps;
        for (const KernelPointer& kernel : bank) {
            maps.push_back({1, map_of(kernel)});
            sizes_.push_back(maps.back().map->dimension());
        }
        map_ = joined_map(std::move(maps), 0);
    }

    Index kernels() const { return std::ssize(sizes_); }
    Index dimension() const { return map_->dimension(); }

    /// Gives the squared length of the part of each kernel, summed over the columns of w.
    Vector squares_of_kernels(const Matrix& w) const {
        Vector squares(kernels());
        Index first = 0;
        for (Index k = 0; k < kernels(); ++k) {
            squares[k] = w.middleRows(first, sizes_[k]).squaredNorm();
            first += sizes_[k];
        }
        return squares;
    }

    /// Repeats the value of each kernel for each of its features.
    Vector for_features(const Vector& of_kernels) const {
        Vector all(dimension());
        Index first = 0;
        for (Index k = 0; k < kernels(); ++k) {
            all.segment(first, sizes_[k]).setConstant(of_kernels[k]);
            first += sizes_[k];
        }
        return all;
    }

    static constexpr Index rows_at_once = Index{1} << 15U;

    /// Gives the features of all rows to reader(first row, features), some rows at a time.
    template <typename Reader>
    void read(const Dataset& data, Control& control, Reader reader) const {
        const ProgressHold hold(control);
        for (Index first = 0; first < data.rows(); first += rows_at_once) {
            const Index count = std::min(rows_at_once, data.rows() - first);
            std::vector<Index> rows(count);
            std::iota(rows.begin(), rows.end(), first);
            const LargeArray<double> values = map_->features(data.select(rows), control);
            reader(first, view(values.data(), count, dimension()));
            control.check();
        }
    }

  private:
    std::vector<Index> sizes_;
    std::shared_ptr<const FeatureMap> map_;
};

}  // namespace dk
