// SPDX-License-Identifier: Apache-2.0
// Prints a checksum of the bits of kernel matrices and of their products with vectors, kernel by kernel, so
// that the output of two processors can be compared.
#include <dk/dk.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::int64_t rows = 150;

/// Numbers in [-1, 1) that every processor finds alike: a linear congruential generator (Knuth's MMIX).
std::vector<double> numbers(std::int64_t count, std::uint64_t state) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        values.push_back(static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1p-52);
    }
    return values;
}

/// FNV-1a over the bytes.
template <typename T>
std::uint64_t checksum(const std::vector<T>& values) {
    std::uint64_t hash = 14695981039346656037U;
    for (const T value : values) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211U;
    }
    return hash;
}

bool succeeded(dk_status status, const char* kernel) {
    if (status == DK_OK) return true;
    std::printf("%s: %s\n", kernel, dk_last_error());
    return false;
}

bool print_bits(const dk_data* data, std::int64_t columns, const char* kernel) {
    std::vector<double> wide(rows * rows);
    std::vector<float> narrow(wide.size());
    std::vector<double> product(rows * 3);
    const auto v = numbers(rows * 3, 7);
    if (!succeeded(dk_gram(wide.data(), rows * rows, data, data, kernel, nullptr), kernel) ||
        !succeeded(dk_gram_f32(narrow.data(), rows * rows, data, data, kernel, nullptr), kernel) ||
        !succeeded(dk_gram_product(product.data(), rows * 3, data, data, kernel, v.data(), 3, nullptr),
                   kernel))
        return false;
    std::printf("%-48s d=%-4lld %016llx %016llx %016llx\n", kernel, static_cast<long long>(columns),
                static_cast<unsigned long long>(checksum(wide)),
                static_cast<unsigned long long>(checksum(narrow)),
                static_cast<unsigned long long>(checksum(product)));
    return true;
}

}  // namespace

int main() {
    const char* kernels[] = {"linear",
                             "poly(degree=3, gamma=0.25, coef0=1)",
                             "cosine",
                             "rbf(gamma=0.125)",
                             "laplacian(gamma=0.0625)",
                             "cauchy(gamma=0.125)",
                             "rational_quadratic(gamma=0.25, alpha=0.5)",
                             "exponential(gamma=0.5)",
                             "spline",
                             "matern(gamma=0.125, nu=0.5)",
                             "matern(gamma=0.125, nu=1.5)",
                             "matern(gamma=0.0625, nu=2.5)",
                             "circular(gamma=0.0005)",
                             "spherical(gamma=0.0005)",
                             "sigmoid(gamma=0.015625, coef0=-0.5)",
                             "arccos(0)",
                             "arccos(1)",
                             "arccos(2)",
                             "arccos(1, 0)",
                             "arccos(0, 1, 2)",
                             "arccos(1, 0, bias_variance=0.3)",
                             "neural_tangent(depth=2, bias_variance=0.3)",
                             "normalize(poly(degree=2, gamma=1, coef0=1))",
                             "0.25*linear + 0.75*rbf(gamma=0.125) + 2",
                             "exp(0.5*normalize(linear))",
                             "lowrank(rbf(gamma=0.125), rank=20)"};
    bool good = true;
    for (const std::int64_t columns : {5, 40, 300}) {
        const auto x = numbers(rows * columns, static_cast<std::uint64_t>(columns));
        dk_data* data = nullptr;
        if (!succeeded(dk_data_from_dense(&data, x.data(), rows, columns, columns, DK_ROW_MAJOR), "data"))
            return 1;
        for (const char* kernel : kernels) good = print_bits(data, columns, kernel) && good;
        dk_data_free(data);
    }
    return good ? 0 : 1;
}
