// SPDX-License-Identifier: Apache-2.0
//
// What languages get of dk.hpp, in the forms that fill spans: each function of dk.h once, with all its arguments. What
// dk.hpp gives as vectors, structures and default arguments is for C++. The compiler compares these declarations with
// dk.hpp; bindings/functions.txt has what each function is called in each language.

namespace libdk {

std::string version();
std::string build_info();
std::string describe();

class Control {
  public:
    Control();
    void set_threads(std::int32_t threads);
    void set_memory(std::int64_t megabytes);
    void cancel() const;
    void reset() const;
    double progress() const;
};

class Data {
  public:
    Data() = delete;
    static Data sparse(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> columns,
                       std::span<const double> values, std::int64_t cols);
    static Data gram(std::span<const double> x, std::int64_t matrices, std::int64_t rows, std::int64_t cols,
                     std::span<const double> self, dk_layout layout);
    static Data series(std::span<const double> values, std::span<const std::int64_t> lengths, std::int64_t channels);
    static Data strings(const std::vector<std::string>& texts);
    static Data graphs(std::span<const std::int64_t> node_counts, std::span<const std::int64_t> node_labels,
                       std::span<const std::int64_t> edge_counts, std::span<const std::int64_t> edges);
    static Data file(const std::string& path, const std::string& options, const Control& control);

    Data& set_labels(std::span<const std::int64_t> labels);
    Data& set_label_names(const std::vector<std::string>& labels);
    Data& set_label_sets(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> labels,
                         const std::vector<std::string>& names);
    Data& set_targets(std::span<const double> targets);
    Data& set_sample_weights(std::span<const double> weights);
    Data& set_groups(std::span<const std::int64_t> groups);
    Data& set_feature_names(const std::vector<std::string>& names);
    Data& set_row_names(const std::vector<std::string>& names);

    std::int64_t rows() const;
    std::int64_t cols() const;
    void labels(std::span<std::int64_t> out) const;
    void values(std::span<double> out) const;
    std::string feature_name(std::int64_t column) const;
    std::string row_name(std::int64_t row) const;
    std::string describe(const Control& control) const;
    Data select(std::span<const std::int64_t> chosen) const;
    void folds(std::span<std::int64_t> out, std::int64_t count, std::uint64_t seed) const;
};

class Parameters {
  public:
    Parameters(const std::string& machine, const std::string& settings);
    Parameters& set(const std::string& key, const std::string& value);
    const std::string& machine() const;
    std::string given() const;
    std::string get(const std::string& key) const;
};

class Model {
  public:
    Model() = delete;
    static Model train(const Data& data, const Parameters& parameters, const Control& control);
    static Model cross_validate(const Data& data, const Parameters& parameters, const Control& control);
    static Model compare_weights(const Data& data, const Parameters& parameters, const Control& control);
    static Model load(const std::string& path, const Control& control);
    static Model read(std::span<const std::byte> bytes, const Control& control);
    static Model import_from(const std::string& path, const std::string& format, const Control& control);
    Model compress(const Data& data, const Parameters& parameters, const Control& control) const;
    Model calibrate(const Data& data, bool by_class, const Control& control) const;
    Model move_threshold(const Data& data, const std::string& goal, const Control& control) const;
    Model update(const Data& further, std::span<const std::int64_t> forget, const Control& control) const;
    Model forget(std::span<const std::int64_t> rows, const Control& control) const;

    void save(const std::string& path) const;
    void export_to(const std::string& path, const std::string& format) const;
    std::int64_t file_size() const;
    void write(std::span<std::byte> out) const;
    Data read_rows(const std::string& path, const std::string& options, const Control& control) const;

    void predict_rows(std::span<double> predictions, std::span<double> decisions, std::span<double> probabilities,
                      std::span<const double> x, std::int64_t cols, const Control& control) const;
    void predict(std::span<double> out, const Data& data, const Control& control) const;
    void decision(std::span<double> out, const Data& data, const Control& control) const;
    void probability(std::span<double> out, const Data& data, const Control& control) const;
    std::int64_t prediction_set_width() const;
    void predict_set(std::span<double> out, const Data& data, double confidence, const Control& control) const;
    void novelty(std::span<double> out, const Data& data, const Control& control) const;
    void deviation(std::span<double> out, const Data& data, const Control& control) const;
    void transform(std::span<double> out, const Data& data, const Control& control) const;
    void reconstruct(std::span<double> out, const Data& data, const Control& control) const;
    void explain(std::span<double> out, const Data& data, const Control& control) const;
    std::string explain_row(const Data& data, std::int64_t row, const Control& control) const;
    std::string explain_row(const Data& data, std::int64_t row, const Data& training, const Control& control) const;
    void report(const std::string& path, const Data& data, const std::string& options, const Control& control) const;
    void report(const std::string& path, const Data& data, const Data& training, const std::string& options,
                const Control& control) const;
    double score(const Data& data, const std::string& metric, const Control& control) const;
    void confusion(std::span<std::int64_t> out, const Data& data, const Control& control) const;
    void drift(std::span<double> out, const Data& data, std::uint64_t seed, const Control& control) const;
    void drift(std::span<double> out, const Data& data, const Data& reference, std::uint64_t seed,
               const Control& control) const;

    std::string warnings() const;
    std::string info() const;
    bool fills_missing() const;
    bool has_probabilities() const;
    std::int64_t class_count() const;
    std::int64_t feature_count() const;
    std::int64_t decision_count() const;
    std::int64_t target_count() const;
    std::int64_t kernel_count() const;
    std::int64_t prototype_count() const;
    std::int64_t prototype_neighbours() const;
    std::int64_t training_rows() const;
    std::int64_t transform_count() const;
    void classes(std::span<std::int64_t> out) const;
    std::string class_name(std::int64_t position) const;
    void kernel_weights(std::span<double> out) const;
    std::string kernel_name(std::int64_t kernel) const;
    void prototype_classes(std::span<std::int64_t> out) const;
    void prototype_coefficients(std::span<double> out) const;
    void prototype_nearest(std::span<std::int64_t> rows, std::span<double> distances) const;
    bool prototypes_are_pairs() const;
    void prototype_offsets(std::span<double> shifts, std::span<double> offsets) const;
    void prototype_coordinates(std::span<double> out) const;
    void normals(std::span<double> out) const;
    void dual_coefficients(std::span<double> out) const;
    void dual_offsets(std::span<double> out) const;
    void prototype_measures(std::span<double> purity, std::span<double> compactness, const Data& training,
                            const Control& control) const;
};

std::int64_t kernel_count(const Data& data, const std::string& kernel);
void gram(std::span<double> out, const Data& left, const Data& right, const std::string& kernel,
          const Control& control);
void gram(std::span<float> out, const Data& left, const Data& right, const std::string& kernel, const Control& control);
void gram(std::span<double> out, const Data& data, const std::string& kernel, const Control& control);
void gram_product(std::span<double> out, const Data& left, const Data& right, const std::string& kernel,
                  std::span<const double> v, std::int64_t cols, const Control& control);
void verification_curve(std::span<double> out, std::span<const double> far, std::span<const double> scores,
                        std::span<const std::int64_t> genuine, std::span<const std::int64_t> clients,
                        const Control& control);

void mean_ranks(std::span<double> out, std::span<const double> scores, const Control& control);
double critical_difference(std::int64_t learners, std::int64_t sets, double level);
void resampled_test(std::span<double> out, std::span<const double> differences, double share);
double jaccard_stability(std::span<const std::int64_t> selected, std::int64_t members, const Control& control);
double selection_stability(std::span<const std::int64_t> selected, std::int64_t members);

}  // namespace libdk
