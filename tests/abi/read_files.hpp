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
    /// Reads a file of this name, which tells formats.
    Data read_named(const std::string& file, const std::string& content,
                    const char* options = nullptr) const {
        return create<Data>(dk_data_from_file, directory.write(file, content).c_str(), options, nullptr);
    }
    Data read_named_like(const Model& model, const std::string& file, const std::string& content,
                         const char* options = nullptr) const {
        return create<Data>(dk_data_from_file_like, directory.write(file, content).c_str(), options,
                            static_cast<const dk_model*>(model.get()), nullptr);
    }
    void expect_refused_as(const std::string& file, const std::string& content, const char* options,
                           const Words& words, dk_status status = DK_ERR_INVALID_DATA,
                           Place where = Place::current()) const {
        const std::string path = directory.write(file, content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); }, status,
            words, where);
    }
    static bool is_labelled(const Data& data) {
        std::vector<int64_t> out(static_cast<std::size_t>(dk_data_rows(data.get())));
        return dk_data_labels(out.data(), dk_data_rows(data.get()), data.get()) == DK_OK;
    }
    static std::vector<std::string> names(const Data& data) {
        std::vector<std::string> found;
        for (int64_t column = 0; column < dk_data_cols(data.get()); ++column)
            found.push_back(name(data, column));
        return found;
    }
    /// Gives inner products of the rows, which is how sparse values are seen from outside.
    static std::vector<double> products(const Data& data) {
        const int64_t rows = dk_data_rows(data.get());
        return values_of<double>(rows * rows, dk_gram, data.get(), nullptr, "linear", nullptr);
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
