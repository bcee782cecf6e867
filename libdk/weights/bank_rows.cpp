// SPDX-License-Identifier: Apache-2.0
#include "weights/bank_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

void read_bank_rows(const Bank& bank, const Dataset& data, const MemoryBudget& budget, Control& control,
                    const std::function<void(BankRows& rows)>& reader) {
    const Index n = data.rows();
    const Index m = std::ssize(bank);
    constexpr Index usual_values = Index{1} << 23;  // 64 MB
    const Index at_once = std::clamp<Index>(usual_values / (m * n), 1, n);
    budget.require(8.0 * at_once * m * n, text("one row of ", m, " kernels on ", n, " rows"));
    Matrix storage(at_once * m, n);
    for (Index first = 0; first < n; first += at_once) {
        const ProgressScope scope(control, 1.0 * first / n, 1.0 * (first + at_once) / n);
        const Index count = std::min(at_once, n - first);
        std::vector<Index> ids(count);
        std::iota(ids.begin(), ids.end(), first);
        const Dataset some = data.select(ids);
        const ProgressHold hold(control);
        GramEngine<double>(bank, some, data, &control).matrices(storage.data(), control);
        BankRows rows{first, count, view(storage.data(), m * count, n)};
        reader(rows);
    }
}

Dataset sampled_rows(const Dataset& data, std::uint64_t seed) {
    constexpr Index most = 5000;
    if (data.rows() <= most) return data;
    std::vector<Index> rows(data.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    Random(seed).shuffle(std::span(rows));
    rows.resize(most);
    std::ranges::sort(rows);
    return data.select(rows);
}

}  // namespace dk
