// SPDX-License-Identifier: Apache-2.0
// This header has what tests of reading share: they write a file, read it, and look at what came of it.
#ifndef DK_TESTS_ABI_READ_FILES_HPP
#define DK_TESTS_ABI_READ_FILES_HPP

#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"

namespace dk_test {

class ReadFiles : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options = nullptr) const {
        return create<Data>(dk_data_from_file, directory.write("data.csv", content).c_str(), options,
                            nullptr);
    }
    Data read_like(const Model& model, const std::string& content, const char* options = nullptr) const {
        return create<Data>(dk_data_from_file_like, directory.write("more.csv", content).c_str(), options,
                            static_cast<const dk_model*>(model.get()), nullptr);
    }
    static std::vector<double> values(const Data& data) {
        return values_of<double>(dk_data_rows(data.get()) * dk_data_cols(data.get()), dk_data_values,
                                 data.get());
    }
    static std::string name(const Data& data, int64_t column) {
        return text_of(dk_data_feature_name, data.get(), column);
    }
};

}  // namespace dk_test

#endif  // DK_TESTS_ABI_READ_FILES_HPP
