// SPDX-License-Identifier: Apache-2.0
// This header has what the fuzz targets share: calls that may fail, but only as dk.h says, limits that keep
// an execution short, and files in memory.
#ifndef DK_TESTS_FUZZ_HARNESS_HPP
#define DK_TESTS_FUZZ_HARNESS_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dk/dk.h"
#include "handles.hpp"
#include "plain_messages.hpp"

/// Executes a target once. Each target defines it; libFuzzer or replay.cpp calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size);

namespace dk_fuzz {

using dk_test::Control;
using dk_test::Data;
using dk_test::Model;
using dk_test::Params;

/// Arrays that a target asks for have at most so many elements.
constexpr int64_t most_elements = 1 << 16;

/// Ends the program, which is a finding, unless the fact holds.
inline void require(bool holds, const char* fact) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s; the last error is \"%s\"\n", fact, dk_last_error());
    std::abort();
}

/// Gives a message without what stands between its first and its last quote, which is the input's. The input
/// may have quotes of its own, so that nothing can tell where a quotation in the middle ends.
inline std::string without_quotes(std::string_view message) {
    const std::size_t first = message.find('\'');
    if (first == std::string_view::npos) return std::string(message);
    return std::string(message.substr(0, first)).append(message.substr(message.rfind('\'')));
}

/// Tells whether a message, or what follows a colon in it, begins with words of the standard library, as it
/// would where an exception's text went into it. Elsewhere they may be the input's.
inline bool tells_of_insides(std::string_view whole) {
    const std::string own = without_quotes(whole);
    std::string_view message = own;
    while (true) {
        const std::string_view words = dk_test::words_of_libraries(message);
        if (!words.empty() && message.starts_with(words)) return true;
        const std::size_t colon = message.find(": ");
        if (colon == std::string_view::npos) return false;
        message.remove_prefix(colon + 2);
    }
}

/// Tells whether a call succeeded. One that failed has to say why, and must not be a defect of libdk.
inline bool succeeded(dk_status status) {
    if (status == DK_OK) return true;
    require(std::string_view(dk_status_name(status)) != "DK_ERR_UNKNOWN", "a status has a name");
    require(*dk_last_error() != '\0', "a call that fails says why");
    require(status != DK_ERR_INTERNAL, "libdk has no defect");
    require(!tells_of_insides(dk_last_error()), "a message tells nothing of the program's insides");
    return false;
}

/// Gives the handle that a function such as dk_train makes, or none where it fails.
template <typename Owner, typename Function, typename... Arguments>
Owner attempt(Function function, Arguments... arguments) {
    static char no_handle;
    auto handle = reinterpret_cast<typename Owner::pointer>(&no_handle);
    const bool made = succeeded(function(&handle, arguments...));
    require(made == (handle != nullptr), "there is a handle exactly where the call succeeds");
    return Owner(handle);
}

/// Gives the text of a function such as dk_model_info, or "" where it fails.
template <typename Function, typename... Arguments>
std::string attempt_text(Function function, Arguments... arguments) {
    int64_t needed = 0;
    if (!succeeded(function(nullptr, 0, &needed, arguments...))) return "";
    require(needed >= 1, "a text has a terminating zero");
    std::string text(static_cast<std::size_t>(needed), 'x');
    require(function(text.data(), needed, &needed, arguments...) == DK_OK,
            "a text that has a size is written");
    require(std::strlen(text.c_str()) + 1 == text.size(), "a text has the size that was said");
    text.pop_back();
    return text;
}

/// The answer of a function such as dk_predict: its status, and the values where it succeeds.
template <typename Element>
struct Answer {
    dk_status status = DK_OK;
    std::vector<Element> values = {};

    /// Tells whether both are the same to the bit.
    bool operator==(const Answer& other) const {
        return status == other.status && values.size() == other.values.size() &&
               (values.empty() ||
                std::memcmp(values.data(), other.values.data(), values.size() * sizeof(Element)) == 0);
    }
};

/// Asks a function such as dk_predict for `length` elements. More than `most_elements` are not asked for.
template <typename Element, typename Function, typename... Arguments>
Answer<Element> attempt_values(int64_t length, Function function, Arguments... arguments) {
    require(length >= 0, "a length is not negative");
    if (length > most_elements) return {};
    Answer<Element> answer{DK_OK, std::vector<Element>(static_cast<std::size_t>(length))};
    answer.status = function(answer.values.data(), length, arguments...);
    if (!succeeded(answer.status)) answer.values.clear();
    return answer;
}

/// Limits are the control of a call: 64 MB, one thread, and a cancel at the report after the first `reports`.
class Limits {
  public:
    explicit Limits(int reports) : reports_(reports), control_(attempt<Control>(dk_control_create)) {
        succeeded(dk_control_set_threads(control_.get(), 1));
        succeeded(dk_control_set_memory(control_.get(), 64));
        succeeded(dk_control_set_progress(control_.get(), &Limits::count, this));
    }
    Limits(const Limits&) = delete;
    Limits& operator=(const Limits&) = delete;

    dk_control* get() const { return control_.get(); }

  private:
    static int32_t count(double fraction, const char* stage, void* user) {
        require(fraction >= 0.0 && fraction <= 1.0, "progress is in [0, 1]");
        require(stage != nullptr, "work in progress has a name");
        return --static_cast<Limits*>(user)->reports_ < 0 ? 1 : 0;
    }

    int reports_;
    Control control_;
};

/// A file that lies in memory and has a path.
class MemoryFile {
  public:
    MemoryFile() : descriptor_(memfd_create("dk_fuzz", MFD_CLOEXEC)) {
        require(descriptor_ >= 0, "the system gives a file in memory");
        path_ = "/proc/self/fd/" + std::to_string(descriptor_);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { close(descriptor_); }

    const char* holding(std::span<const uint8_t> bytes) const {
        require(ftruncate(descriptor_, 0) == 0, "a file is emptied");
        const auto size = static_cast<ssize_t>(bytes.size());
        require(pwrite(descriptor_, bytes.data(), bytes.size(), 0) == size, "a file is written");
        return path_.c_str();
    }

  private:
    int descriptor_;
    std::string path_;
};

/// Looks at all that a dataset tells of itself.
inline void look_at(const Data& data) {
    const int64_t rows = dk_data_rows(data.get());
    const int64_t cols = dk_data_cols(data.get());
    require(rows >= 1 && cols >= 1, "data has rows and columns");
    if (dk_data_kind(data.get()) == DK_KIND_DENSE && cols <= most_elements / rows) {
        for (const double value : attempt_values<double>(rows * cols, dk_data_values, data.get()).values)
            require(!std::isinf(value), "no value is infinite");
    }
    attempt_values<int64_t>(rows, dk_data_labels, data.get());
    for (const int64_t column : {int64_t{0}, cols / 2, cols - 1})
        attempt_text(dk_data_feature_name, data.get(), column);
    const std::vector<int64_t> chosen{rows - 1, 0, rows / 2};
    const Data selected = attempt<Data>(dk_data_select, data.get(), chosen.data(), int64_t{3});
    if (selected) require(dk_data_rows(selected.get()) == 3, "the selected rows are there");
}

/// Reads a file of these bytes, and looks at the data that comes out.
inline void read_as(const char* options, std::span<const uint8_t> bytes) {
    static const MemoryFile file;
    const Limits limits(40);
    const Data data = attempt<Data>(dk_data_from_file, file.holding(bytes), options, limits.get());
    if (data) look_at(data);
}

/// Takes choices, numbers and texts from bytes; there are zeros after the last one.
class Choices {
  public:
    Choices(const uint8_t* bytes, std::size_t size) : bytes_(bytes, size) {}

    uint8_t byte() {
        if (bytes_.empty()) return 0;
        const uint8_t first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }

    /// Gives a position among so many, at most 65536.
    std::size_t position(std::size_t count) {
        const std::size_t high = byte();
        return (high * 256 + byte()) % count;
    }

    /// Gives an integer in [0, bound), where bound is at most 256.
    int64_t below(int64_t bound) { return byte() % bound; }

    template <typename Element, std::size_t Size>
    const Element& of(const Element (&list)[Size]) {
        return list[byte() % Size];
    }

    /// Gives a number: mostly a small one, else one at an end of the range, or one of any bits.
    double number() {
        static constexpr double extremes[] = {0x1p-1074,
                                              0x1p-1022,
                                              -0x1.fffffffffffffp1023,
                                              1e300,
                                              -1e160,
                                              1e154,
                                              -1e-160,
                                              0x1.fffffffffffffp1023,
                                              1e-300,
                                              1e16,
                                              INFINITY,
                                              NAN,
                                              -0.0};
        const uint8_t choice = byte();
        if (choice < 232) return (choice - 116) / 16.0;
        if (choice < 252) return of(extremes);
        double number = 0.0;
        uint8_t own[sizeof number];
        for (uint8_t& one : own) one = byte();
        std::memcpy(&number, own, sizeof number);
        return number;
    }

    std::vector<double> numbers(int64_t count) {
        std::vector<double> values(static_cast<std::size_t>(count));
        for (double& value : values) value = number();
        return values;
    }

    /// Gives all that is left as text.
    std::string rest() {
        std::string text(bytes_.begin(), bytes_.end());
        bytes_ = {};
        return text;
    }

    std::span<const uint8_t> rest_bytes() const { return bytes_; }

  private:
    std::span<const uint8_t> bytes_;
};

/// All machines.
constexpr const char* machines[] = {"svm",
                                    "nu_svm",
                                    "svr",
                                    "nu_svr",
                                    "one_class_svm",
                                    "kernel_pca",
                                    "defimkl",
                                    "cvm",
                                    "bvm",
                                    "mcvm",
                                    "elm",
                                    "kelm",
                                    "kernel_ridge",
                                    "rvm",
                                    "rvr",
                                    "boosted",
                                    "imkpl",
                                    "iskpl",
                                    "super_sparse",
                                    "super_sparse_regression",
                                    "fisher",
                                    "mean_of_class",
                                    "selected_svm",
                                    "reduced_svm",
                                    "similarity_ridge",
                                    "similarity_ridge_regression",
                                    "similarity_lasso",
                                    "similarity_lasso_regression",
                                    "kglvq",
                                    "akglvq",
                                    "nearest_neighbours",
                                    "prototype_selection",
                                    "mkldpl",
                                    "dkmld",
                                    "midl_surrogate"};

}  // namespace dk_fuzz

#endif  // DK_TESTS_FUZZ_HARNESS_HPP
