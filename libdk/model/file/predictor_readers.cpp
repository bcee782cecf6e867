// SPDX-License-Identifier: Apache-2.0
#include "model/file/predictor_readers.hpp"

#include "model/dictionary/prototype_dictionary.hpp"
#include "model/free_expansion.hpp"
#include "model/fuzzy_ensemble.hpp"
#include "model/kernel_expansion.hpp"
#include "model/neighbour_votes.hpp"
#include "model/principal_components.hpp"

namespace dk {

const std::map<std::string, PredictorReader>& predictor_readers() {
    static const std::map<std::string, PredictorReader> readers{
        {"kernel_expansion", read_kernel_expansion},
        {"averaged_expansion", read_kernel_expansion},
        {"prototype_dictionary", read_prototype_dictionary},
        {"free_expansion", read_free_expansion},
        {"fuzzy_ensemble", read_fuzzy_ensemble},
        {"principal_components", read_principal_components},
        {"neighbour_votes", read_neighbour_votes}};
    return readers;
}

}  // namespace dk
