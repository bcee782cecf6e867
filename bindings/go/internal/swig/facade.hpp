// SPDX-License-Identifier: Apache-2.0
//
// What SWIG reads: the C ABI as a few classes whose arrays know their lengths and whose failures are one
// exception. Nothing but dk/dk.h stands behind it, so that every language does what a C program does, to the
// last bit. Users see none of it: each language has a thin layer of its own above.
#pragma once

#include <dk/dk.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace dk_facade {

/// A call of libdk that failed.
class Failure : public std::runtime_error {
  public:
    Failure(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
    int status() const noexcept { return status_; }

  private:
    int status_;
};

/// A list of strings that languages fill one by one.
class Strings {
  public:
    void add(const std::string& text) { texts_.push_back(text); }
    std::int64_t size() const { return static_cast<std::int64_t>(texts_.size()); }
    /// Not for languages.
    std::vector<const char*> pointers() const;

  private:
    std::vector<std::string> texts_;
};

/// Hears of progress on the thread that called libdk; a class of the language derives from it.
class Progress {
  public:
    Progress() = default;
    virtual ~Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// False asks the call to stop.
    virtual bool report(double fraction, const std::string& stage) = 0;
};

/// Threads, progress and cancel of calls.
class NativeControl {
  public:
    NativeControl();
    virtual ~NativeControl() = default;
    void set_threads(int threads);
    /// What the large objects of a call may take together; 0 for half of the machine's memory.
    void set_memory(std::int64_t megabytes);
    /// Which must live as long as calls use this control; null for none.
    void set_progress(Progress* progress);
    void cancel();
    void reset();
    double progress() const;

    /// Not for languages: runs a call, whose failure is what the listener threw where that ended it.
    template <typename Call>
    void run(Call call);
    dk_control* handle() const { return handle_.get(); }

  private:
    static int32_t heard(double fraction, const char* stage, void* user) noexcept;

    std::shared_ptr<dk_control> handle_;
    Progress* listener_ = nullptr;
    std::exception_ptr thrown_;
};

/// Immutable but for its labels, targets, weights, groups and names, which are set before it is used.
class NativeData {
  public:
    /// `layout` 0: rows one after the other; 1: columns. `ld`: from one to the next.
    static NativeData* dense(std::span<const double> x, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                             int layout, bool missing);
    static NativeData* csr(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> columns,
                           std::span<const double> values, std::int64_t cols);
    /// `self` may be empty.
    static NativeData* gram(std::span<const double> x, std::int64_t matrices, std::int64_t rows,
                            std::int64_t cols, int layout, std::span<const double> self);
    static NativeData* series(std::span<const double> values, std::span<const std::int64_t> lengths,
                              std::int64_t channels);
    static NativeData* strings(const Strings& texts);
    static NativeData* graphs(std::span<const std::int64_t> node_counts,
                              std::span<const std::int64_t> node_labels,
                              std::span<const std::int64_t> edge_counts, std::span<const std::int64_t> edges);
    static NativeData* file(const std::string& path, const std::string& options, NativeControl* control);
    NativeData* select(std::span<const std::int64_t> rows) const;

    void set_labels(std::span<const std::int64_t> labels);
    void set_label_names(const Strings& labels);
    void set_targets(std::span<const double> targets);
    void set_sample_weights(std::span<const double> weights);
    void set_groups(std::span<const std::int64_t> groups);
    void set_feature_names(const Strings& names);

    std::int64_t rows() const;
    std::int64_t cols() const;
    int kind() const;
    void labels(std::span<std::int64_t> out) const;
    void values(std::span<double> out) const;
    std::string feature_name(std::int64_t column) const;
    void folds(std::span<std::int64_t> out, std::int64_t count, std::int64_t seed) const;

    /// Not for languages.
    explicit NativeData(dk_data* data) : handle_(data, dk_data_free) {}
    const dk_data* handle() const { return handle_.get(); }

  private:
    std::shared_ptr<dk_data> handle_;
};

class NativeParams {
  public:
    explicit NativeParams(const std::string& machine);
    void set(const std::string& key, const std::string& value);
    std::string get(const std::string& key) const;

    /// Not for languages.
    const dk_params* handle() const { return handle_.get(); }

  private:
    std::shared_ptr<dk_params> handle_;
};

/// Immutable; any number of threads may use it at once.
class NativeModel {
  public:
    static NativeModel* train(const NativeData& data, const NativeParams& params, NativeControl* control);
    static NativeModel* cross_validate(const NativeData& data, const NativeParams& params,
                                       NativeControl* control);
    static NativeModel* compress(const NativeModel& model, const NativeData& data, const NativeParams& params,
                                 NativeControl* control);
    static NativeModel* load(const std::string& path, NativeControl* control);
    static NativeModel* read(std::span<const std::uint8_t> bytes, NativeControl* control);
    void save(const std::string& path) const;
    std::int64_t size() const;
    void write(std::span<std::uint8_t> out) const;
    NativeData* file_like(const std::string& path, const std::string& options, NativeControl* control) const;

    void predict(std::span<double> out, const NativeData& data, NativeControl* control) const;
    void decision(std::span<double> out, const NativeData& data, NativeControl* control) const;
    void probability(std::span<double> out, const NativeData& data, NativeControl* control) const;
    void explain(std::span<double> out, const NativeData& data, NativeControl* control) const;
    void transform(std::span<double> out, const NativeData& data, NativeControl* control) const;
    void reconstruct(std::span<double> out, const NativeData& data, NativeControl* control) const;
    double score(const NativeData& data, const std::string& metric, NativeControl* control) const;
    void confusion(std::span<std::int64_t> out, const NativeData& data, NativeControl* control) const;

    std::string info() const;
    std::int64_t class_count() const;
    std::int64_t feature_count() const;
    std::int64_t decision_count() const;
    std::int64_t kernel_count() const;
    std::int64_t prototype_count() const;
    std::int64_t transform_count() const;
    bool prototype_pairs() const;
    std::int64_t training_rows() const;
    std::int64_t neighbours() const;
    void classes(std::span<std::int64_t> out) const;
    std::string class_name(std::int64_t position) const;
    void kernel_weights(std::span<double> out) const;
    std::string kernel_name(std::int64_t kernel) const;
    void prototype_classes(std::span<std::int64_t> out) const;
    void prototype_coefficients(std::span<double> out) const;
    void prototype_coordinates(std::span<double> out) const;
    void prototype_nearest(std::span<std::int64_t> rows, std::span<double> distances) const;
    void prototype_offsets(std::span<double> shifts, std::span<double> offsets) const;

    /// Not for languages.
    explicit NativeModel(dk_model* model) : handle_(model, dk_model_free) {}

  private:
    std::shared_ptr<const dk_model> handle_;
};

std::string version();
std::string build_info();
/// Everything that can be named, as JSON.
std::string describe();
std::string status_name(int status);
/// Fails where the system would not give memory for `rows` x `columns` numbers of 8 bytes. Languages that end
/// the process when memory lacks ask it before they make room for what a model file says.
void require_memory(std::int64_t rows, std::int64_t columns);
std::int64_t kernel_count(const NativeData& data, const std::string& kernel);
/// `right` may be null: the rows of `left` with themselves.
void gram(std::span<double> out, const NativeData& left, const NativeData* right, const std::string& kernel,
          NativeControl* control);
/// `genuine` has 1 for a client's own claim and 0 for an impostor's; `clients` may be empty.
void verification_curve(std::span<double> out, std::span<const double> far, std::span<const double> scores,
                        std::span<const std::int64_t> genuine, std::span<const std::int64_t> clients,
                        NativeControl* control);

}  // namespace dk_facade
