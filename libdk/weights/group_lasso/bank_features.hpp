// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kernel/lowrank/combined_maps.hpp"
#include "kernel/lowrank/feature_stream.hpp"
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

    /// Gives the raw features of all rows to the reader, some rows at a time.
    void read_raw(const Dataset& data, const FeatureReader& reader, Control& control) const {
        read_raw_features(*map_, data, reader, control);
    }
    const FeatureMap& map() const { return *map_; }

  private:
    std::vector<Index> sizes_;
    std::shared_ptr<const FeatureMap> map_;
};

}  // namespace dk
