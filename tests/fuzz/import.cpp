// SPDX-License-Identifier: Apache-2.0
// The bytes are a model file of another program. A model that is made predicts, answers, is written and read
// again, and is written for other programs or refused.
#include "import_questions.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    dk_fuzz::import_and_ask({bytes, size}, "auto");
    return 0;
}
