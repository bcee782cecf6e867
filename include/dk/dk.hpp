// SPDX-License-Identifier: Apache-2.0
//
// libdk in C++20: the functions of dk.h as classes, in headers alone.
//
//     #include <dk/dk.hpp>
//
//     const libdk::Data rows = libdk::Data::file("sonar.csv");
//     const libdk::Model model = libdk::Model::train(rows, libdk::Parameters("svm", "C=10"));
//     const std::vector<double> predicted = model.predict(rows);
//
//     Data          rows of features: dense, sparse, similarities, series, strings, graphs, files
//     Parameters    a machine and its parameters
//     Model         train, predict, weights, prototypes, explain, save and load
//     Control       threads, memory, progress and std::stop_token of calls
//     Error         a failure with its Status and a message that says what is allowed
//
// Objects are shared handles: copies are cheap, and mean the same object (but for Parameters, which are
// values). A call that fails throws libdk::Error; exceptions of progress listeners come out of the call that
// they end. What dk.h says of shapes, threads and determinism holds here.
#ifndef DK_DK_HPP
#define DK_DK_HPP

#include <dk/measures.hpp>

namespace libdk {

/// Counts the kernels that a specification makes for these data.
inline std::int64_t kernel_count(const Data& data, const std::string& kernel) {
    std::int64_t count = 0;
    detail::check(dk_kernel_count(&count, data.handle(), detail::text_for_c(kernel)));
    return count;
}

/// Kernel values of all rows of `left` with all of `right`; of a bank one matrix under the other.
inline void gram(std::span<double> out, const Data& left, const Data& right, const std::string& kernel,
                 const Control& control = {}) {
    control.run(dk_gram, out.data(), static_cast<std::int64_t>(out.size()), left.handle(), right.handle(),
                detail::text_for_c(kernel));
}
/// The same in single precision.
inline void gram(std::span<float> out, const Data& left, const Data& right, const std::string& kernel,
                 const Control& control = {}) {
    control.run(dk_gram_f32, out.data(), static_cast<std::int64_t>(out.size()), left.handle(), right.handle(),
                detail::text_for_c(kernel));
}
inline Matrix gram(const Data& left, const Data& right, const std::string& kernel,
                   const Control& control = {}) {
    Matrix out{kernel_count(right, kernel) * left.rows(), right.rows(), {}};
    out.values.resize(static_cast<std::size_t>(out.rows * out.cols));
    gram(std::span(out.values), left, right, kernel, control);
    return out;
}
/// Kernel values of all rows with each other, exactly symmetric.
inline void gram(std::span<double> out, const Data& data, const std::string& kernel,
                 const Control& control = {}) {
    control.run(dk_gram, out.data(), static_cast<std::int64_t>(out.size()), data.handle(),
                static_cast<const dk_data*>(nullptr), detail::text_for_c(kernel));
}
inline Matrix gram(const Data& data, const std::string& kernel, const Control& control = {}) {
    Matrix out{kernel_count(data, kernel) * data.rows(), data.rows(), {}};
    out.values.resize(static_cast<std::size_t>(out.rows * out.cols));
    gram(std::span(out.values), data, kernel, control);
    return out;
}
/// The product K v of a kernel's matrix with right rows x cols numbers, without storing K: left rows x cols.
inline void gram_product(std::span<double> out, const Data& left, const Data& right,
                         const std::string& kernel, std::span<const double> v, std::int64_t cols,
                         const Control& control = {}) {
    if (cols < 1 || static_cast<std::int64_t>(v.size()) / cols != right.rows() ||
        static_cast<std::int64_t>(v.size()) % cols != 0)
        throw Error(Status::invalid_argument, "v has to have right rows x columns values");
    control.run(dk_gram_product, out.data(), static_cast<std::int64_t>(out.size()), left.handle(),
                right.handle(), detail::text_for_c(kernel), v.data(), cols);
}
inline Matrix gram_product(const Data& left, const Data& right, const std::string& kernel,
                           std::span<const double> v, std::int64_t cols, const Control& control = {}) {
    Matrix out{left.rows(), cols,
               std::vector<double>(static_cast<std::size_t>(cols < 1 ? 0 : left.rows() * cols))};
    gram_product(out.values, left, right, kernel, v, cols, control);
    return out;
}

/// False rejection rates at false acceptance rates, where every client has a threshold of its own
/// (dk_verification_curve). `clients` may be empty: all claims are to be one client.
inline void verification_curve(std::span<double> out, std::span<const double> far,
                               std::span<const double> scores, std::span<const std::int64_t> genuine,
                               std::span<const std::int64_t> clients = {}, const Control& control = {}) {
    if (out.size() != far.size())
        throw Error(Status::invalid_argument, "out and far have to be of one length");
    if (genuine.size() != scores.size() || (!clients.empty() && clients.size() != scores.size()))
        throw Error(Status::invalid_argument, "scores, genuine and clients have to be of one length");
    control.run(dk_verification_curve, out.data(), far.data(), static_cast<std::int64_t>(far.size()),
                scores.data(), genuine.data(), clients.empty() ? nullptr : clients.data(),
                static_cast<std::int64_t>(scores.size()));
}
inline std::vector<double> verification_curve(std::span<const double> far, std::span<const double> scores,
                                              std::span<const std::int64_t> genuine,
                                              std::span<const std::int64_t> clients = {},
                                              const Control& control = {}) {
    std::vector<double> out(far.size());
    verification_curve(std::span(out), far, scores, genuine, clients, control);
    return out;
}

}  // namespace libdk

#endif  // DK_DK_HPP
