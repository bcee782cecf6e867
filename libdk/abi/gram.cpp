// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "abi/guard.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

/// The rows and the columns of a kernel matrix, which are the same where the caller gives no right side.
struct Sides {
    const Dataset& left;
    const Dataset& right;
};

Sides required_sides(const dk_data* left, const dk_data* right, const Control& control) {
    const Dataset& value = required(left, "left").value;
    const Dataset& other = right == nullptr ? value : right->value;
    require_complete(value);
    require_complete(other);
    for (const Dataset* data : {&value, &other}) require_memory_for_columns(*data, control.memory());
    const bool symmetric = &value == &other;
    if (symmetric && value.kind() == DataKind::gram) value.gram().require_symmetric();
    return {value, other};
}

template <typename T>
dk_status compute_gram(T* out, int64_t length, const dk_data* left, const dk_data* right, const char* kernel,
                       dk_control* control) {
    return guarded([&] {
        Call call(control, "kernel matrix");
        const Sides sides = required_sides(left, right, call.control());
        Bank bank = make_bank(required_text(kernel, "kernel"), sides.right, &call.control());
        const Index kernels = std::ssize(bank);
        required_array(out, "out", length, kernels * sides.left.rows() * sides.right.rows());
        GramEngine<T>(std::move(bank), sides.left, sides.right, &call.control())
            .matrices(out, call.control());
        call.finish();
    });
}

}  // namespace

dk_status dk_kernel_count(int64_t* out, const dk_data* data, const char* kernel) {
    return guarded([&] {
        int64_t& count = required(out, "out");
        count = count_kernels(required_text(kernel, "kernel"), required(data, "data").value);
    });
}

dk_status dk_gram(double* out, int64_t length, const dk_data* left, const dk_data* right, const char* kernel,
                  dk_control* control) {
    return compute_gram(out, length, left, right, kernel, control);
}

dk_status dk_gram_f32(float* out, int64_t length, const dk_data* left, const dk_data* right,
                      const char* kernel, dk_control* control) {
    return compute_gram(out, length, left, right, kernel, control);
}

dk_status dk_gram_product(double* out, int64_t length, const dk_data* left, const dk_data* right,
                          const char* kernel, const double* v, int64_t v_cols, dk_control* control) {
    return guarded([&] {
        Call call(control, "kernel matrix");
        const Sides sides = required_sides(left, right, call.control());
        const KernelPointer single =
            make_kernel(required_text(kernel, "kernel"), sides.right, &call.control());
        if (v_cols < 1 || v_cols > (std::int64_t{1} << 30)) {
            fail(Status::invalid_argument, "v_cols is ", v_cols, "; it must be 1 to 2^30");
        }
        required_array(out, "out", length, sides.left.rows() * v_cols);
        const auto size = static_cast<std::size_t>(sides.right.rows() * v_cols);
        const std::span values(&required(v, "v"), size);
        const auto bad =
            std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); }) - values.begin();
        if (bad < std::ssize(values)) {
            fail(Status::invalid_data, "element ", bad, " of v is ", values[bad], "; it must be finite");
        }
        GramEngine<double>(single, sides.left, sides.right, &call.control())
            .product(v, v_cols, out, call.control());
        call.finish();
    });
}
