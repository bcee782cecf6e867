// SPDX-License-Identifier: Apache-2.0
#include "data/kind/string_set.hpp"

namespace dk {

double StringSet::bytes() const {
    double sum = static_cast<double>(sizeof(std::string)) * texts.size();
    for (const std::string& one : texts) sum += one.size();
    return sum;
}

StringSet StringSet::select(std::span<const Index> chosen) const {
    StringSet out;
    for (const Index i : chosen) out.texts.push_back(texts[i]);
    return out;
}

}  // namespace dk
