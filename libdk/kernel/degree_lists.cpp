// SPDX-License-Identifier: Apache-2.0
#include "kernel/degree_lists.hpp"

#include <algorithm>

namespace dk {

std::vector<std::vector<double>> degree_lists(Index layers) {
    std::vector<std::vector<double>> all;
    std::vector<std::vector<double>> last{{}};
    for (Index layer = 0; layer < layers; ++layer) {
        std::vector<std::vector<double>> longer;
        for (const auto& list : last) {
            for (const double degree : {0.0, 1.0, 2.0, 3.0}) {
                if (std::ranges::find(list, degree) != list.end()) continue;
                longer.push_back(list);
                longer.back().push_back(degree);
            }
        }
        all.insert(all.end(), longer.begin(), longer.end());
        last = std::move(longer);
    }
    return all;
}

}  // namespace dk
