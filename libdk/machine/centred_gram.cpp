// SPDX-License-Identifier: Apache-2.0
#include "machine/centred_gram.hpp"

#include <numeric>

#include "base/parallel.hpp"

namespace dk {

CentredGram centred_gram(const double* gram, Index n, Control& control) {
    const auto count = static_cast<double>(n);
    CentredGram centred{LargeArray<double>(n * n), std::vector<double>(unsigned_of(n))};
    auto& means = centred.means;
    parallel_for(n, control, [&](Index i) {
        means[unsigned_of(i)] = std::accumulate(gram + i * n, gram + (i + 1) * n, 0.0) / count;
    });
    const double grand_mean = std::accumulate(means.begin(), means.end(), 0.0) / count;
    parallel_for(n, control, [&](Index i) {
        for (Index j = 0; j < n; ++j) {
            centred.values[unsigned_of(i * n + j)] =
                gram[i * n + j] - means[unsigned_of(i)] - means[unsigned_of(j)] + grand_mean;
        }
    });
    return centred;
}

void uncentre(std::vector<double>& gamma, double& offset, const std::vector<double>& means) {
    const double mean = std::accumulate(gamma.begin(), gamma.end(), 0.0) / static_cast<double>(gamma.size());
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        gamma[i] -= mean;
        offset -= gamma[i] * means[i];
    }
}

}  // namespace dk
