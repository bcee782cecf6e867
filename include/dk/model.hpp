// SPDX-License-Identifier: Apache-2.0
#ifndef DK_MODEL_HPP
#define DK_MODEL_HPP

#include <dk/data.hpp>
#include <dk/parameters.hpp>

namespace libdk {

/// A kernel of a model's bank and its weight.
struct KernelWeight {
    std::string kernel;
    double weight = 0;
};

/// A prototype of a model. See dk_model_prototype_pairs for which function it belongs to.
struct Prototype {
    std::int64_t position = 0;          // in the model's classes; -1 for all other classes
    std::vector<double> coefficients;   // of the training rows
    std::vector<std::int64_t> nearest;  // training rows, the nearest first
    std::vector<double> distances;      // from them in feature space
};

/// What the prototypes say of rows: with the offset of its function, the entries of a function's prototypes
/// add up to its decision (see dk_explain).
struct Explanation {
    Matrix contributions;         // rows x prototypes
    std::vector<double> offsets;  // of each function
};

/// How well people can read each prototype; NaN where a prototype has no such measure.
struct PrototypeMeasures {
    std::vector<double> purity;
    std::vector<double> compactness;
};

/// How far new rows lie from known ones in a model's feature space (dk_model_drift).
struct Drift {
    double distance = 0;  // between the means of both
    double usual = 0;     // the median of the distance where both are mixed at random
    double p = 1;         // how likely the distance is at least as large where both come from one source
};

/// A trained model. Copies are the same model, which any number of threads may use at once. Members that
/// give arrays come twice: they give a vector or matrix, or fill the caller's span, whose size has to be that
/// of the result. Since 0.1.
class Model {
  public:
    /// Trains a machine.
    static Model train(const Data& data, const Parameters& parameters, const Control& control = {}) {
        return make(dk_train, control, data.handle(), parameters.handle());
    }
    /// Trains the machine auto, which chooses scale, kernel and parameters for the rows.
    static Model train(const Data& data, const Control& control = {}) {
        return train(data, Parameters("auto"), control);
    }
    /// Cross-validates, over a grid where there is one, and trains the best on all rows; info() has the
    /// scores.
    static Model cross_validate(const Data& data, const Parameters& parameters, const Control& control = {}) {
        return make(dk_cross_validate, control, data.handle(), parameters.handle());
    }
    /// Compares all ways to weigh the kernels of a bank, and every kernel alone, and trains the best.
    static Model compare_weights(const Data& data, const Parameters& parameters,
                                 const Control& control = {}) {
        return make(dk_mkl_compare, control, data.handle(), parameters.handle());
    }
    static Model load(const std::string& path, const Control& control = {}) {
        return make(dk_model_load, control, detail::text_for_c(path));
    }
    static Model read(std::span<const std::byte> bytes, const Control& control = {}) {
        return make(dk_model_read, control, static_cast<const void*>(bytes.data()),
                    static_cast<std::int64_t>(bytes.size()));
    }
    /// Reads a model file of LIBSVM, liblinear or ThunderSVM (dk_model_import).
    static Model import_from(const std::string& path, const std::string& format = "auto",
                             const Control& control = {}) {
        return make(dk_model_import, control, detail::text_for_c(path), detail::text_for_c(format));
    }
    /// Makes a model of few prototypes that decides as this one does (dk_compress).
    Model compress(const Data& data, const Parameters& parameters, const Control& control = {}) const {
        return make(dk_compress, control, handle(), data.handle(), parameters.handle());
    }
    /// Makes the model whose sets are calibrated on rows that training has not seen (dk_calibrate).
    Model calibrate(const Data& data, bool by_class = false, const Control& control = {}) const {
        return make(dk_calibrate, control, handle(), data.handle(), by_class ? 1 : 0);
    }
    /// Makes the model whose threshold between two classes is chosen for a goal, such as "false_alarms=0.05",
    /// on rows that training has not seen (dk_move_threshold).
    Model move_threshold(const Data& data, const std::string& goal, const Control& control = {}) const {
        return make(dk_move_threshold, control, handle(), data.handle(), detail::text_for_c(goal));
    }

    /// Makes the model of the rows that this one keeps and further ones, without the rows of some numbers
    /// (dk_model_update).
    Model update(const Data& further, std::span<const std::int64_t> forget = {},
                 const Control& control = {}) const {
        return make(dk_model_update, control, handle(), further.handle(), forget.data(),
                    static_cast<std::int64_t>(forget.size()));
    }
    /// Makes the model without the rows of some numbers (dk_model_update).
    Model forget(std::span<const std::int64_t> rows, const Control& control = {}) const {
        return make(dk_model_update, control, handle(), nullptr, rows.data(),
                    static_cast<std::int64_t>(rows.size()));
    }

    /// Writes the model; a crash leaves the old file.
    void save(const std::string& path) const {
        detail::check(dk_model_save(handle(), detail::text_for_c(path)));
    }
    /// Writes the model for other programs, as libsvm, onnx or c (dk_model_export).
    void export_to(const std::string& path, const std::string& format) const {
        detail::check(dk_model_export(handle(), detail::text_for_c(path), detail::text_for_c(format)));
    }
    /// How many bytes the model's file has.
    std::int64_t file_size() const {
        std::int64_t needed = 0;
        detail::check(dk_model_write(nullptr, 0, &needed, handle()));
        return needed;
    }
    /// The bytes of the model's file.
    void write(std::span<std::byte> out) const {
        std::int64_t needed = file_size();
        if (static_cast<std::int64_t>(out.size()) != needed)
            throw Error(Status::invalid_argument, "out has " + std::to_string(out.size()) +
                                                      " bytes, the file " + std::to_string(needed));
        detail::check(dk_model_write(out.data(), needed, &needed, handle()));
    }
    std::vector<std::byte> write() const {
        std::vector<std::byte> bytes(static_cast<std::size_t>(file_size()));
        write(bytes);
        return bytes;
    }

    /// Reads a file for predicting: with the features of the training data, and as their file was read.
    Data read_rows(const std::string& path, const std::string& options = {},
                   const Control& control = {}) const {
        dk_data* made = nullptr;
        control.run(dk_data_from_file_like, &made, detail::text_for_c(path), detail::text_for_c(options),
                    handle());
        return Data(made);
    }

    /// Takes a table of Arrow for predicting, as Data::arrow() does: with the features of the training data.
    Data arrow_rows(ArrowSchema* schema, ArrowArray* array, const std::string& options = {},
                    const Control& control = {}) const {
        dk_data* made = nullptr;
        control.run(dk_data_from_arrow, &made, schema, array, detail::text_for_c(options), handle());
        return Data(made);
    }
    Data arrow_rows(ArrowArrayStream* stream, const std::string& options = {},
                    const Control& control = {}) const {
        dk_data* made = nullptr;
        control.run(dk_data_from_arrow_stream, &made, stream, detail::text_for_c(options), handle());
        return Data(made);
    }
    /// Predictions, decisions, probabilities and explanations as a table of Arrow, which the caller releases;
    /// dk_predict_arrow says what `what` lists.
    void predict_arrow(ArrowSchema* schema, ArrowArray* array, const Data& data,
                       const std::string& what = "prediction", const Control& control = {}) const {
        control.run(dk_predict_arrow, schema, array, handle(), data.handle(), detail::text_for_c(what));
    }

    /// Predictions, decisions and probabilities of rows, which follow one another in `x`, in one pass over
    /// the kernel; an empty span asks for none of these (dk_predict_rows).
    void predict_rows(std::span<double> predictions, std::span<double> decisions,
                      std::span<double> probabilities, std::span<const double> x, std::int64_t cols,
                      const Control& control = {}) const {
        const auto place = [](std::span<double> out) { return out.empty() ? nullptr : out.data(); };
        const auto length = [](auto values) { return static_cast<std::int64_t>(values.size()); };
        if (cols < 1 || length(x) % cols != 0)
            throw Error(Status::invalid_argument, "values of rows are no multiple of their columns");
        control.run(dk_predict_rows, place(predictions), length(predictions), place(decisions),
                    length(decisions), place(probabilities), length(probabilities), handle(), x.data(),
                    length(x) / cols, cols);
    }
    /// One prediction a row: a label, the position of a named class, or a value; of several targets, or
    /// labels of which a row may have several, rows x target_count().
    void predict(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_predict, out, data, control);
    }
    std::vector<double> predict(const Data& data, const Control& control = {}) const {
        return matrix(dk_predict, target_count(), data, control).values;
    }
    /// Decision values, rows x functions.
    void decision(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_decision, out, data, control);
    }
    Matrix decision(const Data& data, const Control& control = {}) const {
        return matrix(dk_decision, decision_count(), data, control);
    }
    /// Probabilities of the classes, rows x classes, of a model with probability=yes.
    void probability(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_probability, out, data, control);
    }
    Matrix probability(const Data& data, const Control& control = {}) const {
        return matrix(dk_probability, class_count(), data, control);
    }
    /// How far each row lies from the training rows, and how usual that is, rows x 2 (dk_novelty).
    void novelty(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_novelty, out, data, control);
    }
    Matrix novelty(const Data& data, const Control& control = {}) const {
        return matrix(dk_novelty, 2, data, control);
    }
    /// How uncertain the value of each row is, of kernel ridge regression (dk_deviation).
    void deviation(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_deviation, out, data, control);
    }
    std::vector<double> deviation(const Data& data, const Control& control = {}) const {
        return matrix(dk_deviation, 1, data, control).values;
    }
    /// The columns of predict_set(): the classes, or a lower and an upper value.
    std::int64_t prediction_set_width() const { return class_count() > 0 ? class_count() : 2; }
    /// The answers that hold the truth with this probability, rows x prediction_set_width() (dk_predict_set).
    void predict_set(std::span<double> out, const Data& data, double confidence,
                     const Control& control = {}) const {
        control.run(dk_predict_set, out.data(), static_cast<std::int64_t>(out.size()), handle(),
                    data.handle(), confidence);
    }
    Matrix predict_set(const Data& data, double confidence = 0, const Control& control = {}) const {
        const std::int64_t width = prediction_set_width();
        Matrix sets{data.rows(), width, std::vector<double>(static_cast<std::size_t>(data.rows() * width))};
        predict_set(sets.values, data, confidence, control);
        return sets;
    }
    /// What the model sees of each row, rows x features (dk_transform).
    void transform(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_transform, out, data, control);
    }
    Matrix transform(const Data& data, const Control& control = {}) const {
        return matrix(dk_transform, transform_count(), data, control);
    }
    /// Rows as the components of a kernel_pca model keep them, rows x features.
    void reconstruct(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_reconstruct, out, data, control);
    }
    Matrix reconstruct(const Data& data, const Control& control = {}) const {
        return matrix(dk_reconstruct, feature_count(), data, control);
    }
    /// What each prototype says of each row, rows x prototypes (dk_explain).
    void explain(std::span<double> out, const Data& data, const Control& control = {}) const {
        fill(dk_explain, out, data, control);
    }
    Explanation explain(const Data& data, const Control& control = {}) const {
        return {.contributions = matrix(dk_explain, prototype_count(), data, control),
                .offsets = prototype_offsets()};
    }
    /// Why one row got its prediction, as JSON: shares, counterfactual, influences (dk_explain_row).
    std::string explain_row(const Data& data, std::int64_t row, const Control& control = {}) const {
        return control.long_text(dk_explain_row, handle(), data.handle(), row,
                                 static_cast<const dk_data*>(nullptr));
    }
    /// The same with the rows of which the model was trained.
    std::string explain_row(const Data& data, std::int64_t row, const Data& training,
                            const Control& control = {}) const {
        return control.long_text(dk_explain_row, handle(), data.handle(), row, training.handle());
    }
    /// Writes a page about the model and its predictions for the rows (dk_report).
    void report(const std::string& path, const Data& data, const std::string& options = {},
                const Control& control = {}) const {
        const dk_model* one = handle();
        control.run(dk_report, detail::text_for_c(path), &one, std::int64_t{1}, data.handle(),
                    static_cast<const dk_data*>(nullptr), detail::text_for_c(options));
    }
    /// The same with the rows of which the model was trained, of which the page shows those that matter.
    void report(const std::string& path, const Data& data, const Data& training,
                const std::string& options = {}, const Control& control = {}) const {
        const dk_model* one = handle();
        control.run(dk_report, detail::text_for_c(path), &one, std::int64_t{1}, data.handle(),
                    training.handle(), detail::text_for_c(options));
    }
    /// A measure such as "accuracy", "auc", "rmse" (dk_score).
    double score(const Data& data, const std::string& metric, const Control& control = {}) const {
        double value = 0;
        control.run(dk_score, &value, handle(), data.handle(), detail::text_for_c(metric));
        return value;
    }
    /// Confusion counts, element [t * classes + p]: rows of class t that were predicted as p.
    void confusion(std::span<std::int64_t> out, const Data& data, const Control& control = {}) const {
        fill(dk_confusion, out, data, control);
    }
    std::vector<std::int64_t> confusion(const Data& data, const Control& control = {}) const {
        std::vector<std::int64_t> counts(static_cast<std::size_t>(class_count() * class_count()));
        confusion(counts, data, control);
        return counts;
    }

    /// Tests whether rows come as the training rows did (dk_model_drift): distance, usual and p.
    void drift(std::span<double> out, const Data& data, std::uint64_t seed = 1,
               const Control& control = {}) const {
        drift_from(out, data, nullptr, seed, control);
    }
    Drift drift(const Data& data, std::uint64_t seed = 1, const Control& control = {}) const {
        std::vector<double> found(3);
        drift(std::span(found), data, seed, control);
        return {.distance = found[0], .usual = found[1], .p = found[2]};
    }
    /// The same against other known rows.
    void drift(std::span<double> out, const Data& data, const Data& reference, std::uint64_t seed = 1,
               const Control& control = {}) const {
        drift_from(out, data, reference.handle(), seed, control);
    }
    Drift drift(const Data& data, const Data& reference, std::uint64_t seed = 1,
                const Control& control = {}) const {
        std::vector<double> found(3);
        drift(std::span(found), data, reference, seed, control);
        return {.distance = found[0], .usual = found[1], .p = found[2]};
    }

    /// What whoever uses the model should know, as JSON (dk_model_warnings).
    std::string warnings() const { return detail::text_of(dk_model_warnings, handle()); }
    /// Machine, kernel, parameters, counts, weights and the report of training, as JSON.
    std::string info() const { return detail::text_of(dk_model_info, handle()); }
    /// What the model learned.
    Task task() const { return static_cast<Task>(dk_model_task(handle())); }
    /// Whether it fills values that rows miss.
    /// Whether the model has probabilities.
    bool has_probabilities() const { return dk_model_has_probabilities(handle()) == 1; }
    bool fills_missing() const { return dk_model_fills_missing(handle()) == 1; }
    std::int64_t class_count() const { return dk_model_class_count(handle()); }
    std::int64_t feature_count() const { return dk_model_feature_count(handle()); }
    std::int64_t decision_count() const { return dk_model_decision_count(handle()); }
    /// So many numbers are predicted for a row: the targets of a regression, else 1.
    std::int64_t target_count() const { return dk_model_target_count(handle()); }
    std::int64_t kernel_count() const { return dk_model_kernel_count(handle()); }
    std::int64_t prototype_count() const { return dk_model_prototype_count(handle()); }
    /// So many training rows are named as the nearest of each prototype.
    std::int64_t prototype_neighbours() const { return dk_model_prototype_neighbours(handle()); }
    std::int64_t training_rows() const { return dk_model_training_rows(handle()); }
    /// Columns of transform(), and 0 of models that have no features.
    std::int64_t transform_count() const { return dk_model_transform_count(handle()); }
    /// The labels in ascending order; 0, 1, ... where classes have names.
    void classes(std::span<std::int64_t> out) const { detail::fill(out, dk_model_classes, handle()); }
    std::vector<std::int64_t> classes() const {
        return detail::vector_of<std::int64_t>(class_count(), dk_model_classes, handle());
    }
    std::string class_name(std::int64_t position) const {
        return detail::text_of(dk_model_class_name, handle(), position);
    }
    std::vector<std::string> class_names() const {
        std::vector<std::string> names;
        for (std::int64_t c = 0; c < class_count(); ++c) names.push_back(class_name(c));
        return names;
    }
    /// The kernels of the bank with their weights.
    void kernel_weights(std::span<double> out) const { detail::fill(out, dk_model_kernel_weights, handle()); }
    std::vector<double> kernel_weights() const {
        return detail::vector_of<double>(kernel_count(), dk_model_kernel_weights, handle());
    }
    std::string kernel_name(std::int64_t kernel) const {
        return detail::text_of(dk_model_kernel_name, handle(), kernel);
    }
    std::vector<KernelWeight> weights() const {
        const auto values = kernel_weights();
        std::vector<KernelWeight> weights;
        for (std::size_t k = 0; k < values.size(); ++k)
            weights.push_back({kernel_name(static_cast<std::int64_t>(k)), values[k]});
        return weights;
    }
    /// The class of each prototype: its position in classes(), or -1 for all other classes.
    void prototype_classes(std::span<std::int64_t> out) const {
        detail::fill(out, dk_model_prototype_classes, handle());
    }
    std::vector<std::int64_t> prototype_classes() const {
        return detail::vector_of<std::int64_t>(prototype_count(), dk_model_prototype_classes, handle());
    }
    /// Prototypes as combinations of training rows, prototypes x training rows.
    void prototype_coefficients(std::span<double> out) const {
        detail::fill(out, dk_model_prototype_coefficients, handle());
    }
    Matrix prototype_coefficients() const {
        return {prototype_count(), training_rows(),
                detail::vector_of<double>(prototype_count() * training_rows(),
                                          dk_model_prototype_coefficients, handle())};
    }
    /// The coefficients of the training rows in the decision functions, functions x training rows.
    void dual_coefficients(std::span<double> out) const {
        detail::fill(out, dk_model_dual_coefficients, handle());
    }
    Matrix dual_coefficients() const {
        return {decision_count(), training_rows(),
                detail::vector_of<double>(decision_count() * training_rows(), dk_model_dual_coefficients,
                                          handle())};
    }
    /// The offsets of these sums, one a function.
    void dual_offsets(std::span<double> out) const { detail::fill(out, dk_model_dual_offsets, handle()); }
    std::vector<double> dual_offsets() const {
        return detail::vector_of<double>(decision_count(), dk_model_dual_offsets, handle());
    }
    /// The nearest training rows of each prototype with their distances, prototypes x neighbours both.
    void prototype_nearest(std::span<std::int64_t> rows, std::span<double> distances) const {
        if (rows.size() != distances.size())
            throw Error(Status::invalid_argument, "rows and distances have to be of one length");
        detail::check(dk_model_prototype_nearest(rows.data(), distances.data(),
                                                 static_cast<std::int64_t>(rows.size()), handle()));
    }
    std::vector<Prototype> prototypes() const {
        const std::int64_t count = prototype_count();
        const std::int64_t rows = training_rows();
        const std::int64_t neighbours = prototype_neighbours();
        const auto positions = prototype_classes();
        const auto coefficients = prototype_coefficients().values;
        std::vector<double> distances(static_cast<std::size_t>(count * neighbours));
        std::vector<std::int64_t> nearest(distances.size());
        prototype_nearest(nearest, distances);
        std::vector<Prototype> prototypes;
        for (std::int64_t p = 0; p < count; ++p)
            prototypes.push_back({positions[static_cast<std::size_t>(p)], part(coefficients, p, rows),
                                  part(nearest, p, neighbours), part(distances, p, neighbours)});
        return prototypes;
    }
    /// Whether function f has the prototypes 2 f and 2 f + 1 (dk_model_prototype_pairs).
    bool prototypes_are_pairs() const { return dk_model_prototype_pairs(handle()) == 1; }
    /// Shift S and offset S / (2 t) of each function (dk_model_prototype_offsets).
    void prototype_offsets(std::span<double> shifts, std::span<double> offsets) const {
        if (shifts.size() != offsets.size())
            throw Error(Status::invalid_argument, "shifts and offsets have to be of one length");
        detail::check(dk_model_prototype_offsets(shifts.data(), offsets.data(),
                                                 static_cast<std::int64_t>(shifts.size()), handle()));
    }
    std::vector<double> prototype_shifts() const {
        return detail::vector_of<double>(decision_count(), [&](double* out, std::int64_t length) {
            return dk_model_prototype_offsets(out, nullptr, length, handle());
        });
    }
    std::vector<double> prototype_offsets() const {
        return detail::vector_of<double>(decision_count(), [&](double* out, std::int64_t length) {
            return dk_model_prototype_offsets(nullptr, out, length, handle());
        });
    }
    /// Prototypes as points among the features, prototypes x features, where they have any.
    void prototype_coordinates(std::span<double> out) const {
        detail::fill(out, dk_model_prototype_coordinates, handle());
    }
    Matrix prototype_coordinates() const {
        return {prototype_count(), feature_count(),
                detail::vector_of<double>(prototype_count() * feature_count(), dk_model_prototype_coordinates,
                                          handle())};
    }
    /// The length of each function's normal in feature space.
    void normals(std::span<double> out) const { detail::fill(out, dk_model_normals, handle()); }
    std::vector<double> normals() const {
        return detail::vector_of<double>(decision_count(), dk_model_normals, handle());
    }
    /// Purity and compactness of each prototype, by the labelled rows of which the model was trained
    /// (dk_prototype_measures).
    void prototype_measures(std::span<double> purity, std::span<double> compactness, const Data& training,
                            const Control& control = {}) const {
        if (purity.size() != compactness.size())
            throw Error(Status::invalid_argument, "purity and compactness have to be of one length");
        control.run(dk_prototype_measures, purity.data(), compactness.data(),
                    static_cast<std::int64_t>(purity.size()), handle(), training.handle());
    }
    PrototypeMeasures prototype_measures(const Data& training, const Control& control = {}) const {
        const auto count = static_cast<std::size_t>(prototype_count());
        PrototypeMeasures measures{std::vector<double>(count), std::vector<double>(count)};
        prototype_measures(measures.purity, measures.compactness, training, control);
        return measures;
    }

    /// The handle of dk.h, which stays this object's.
    const dk_model* handle() const { return handle_.get(); }
    /// Takes a handle of dk.h, which it will free.
    explicit Model(dk_model* handle) : handle_(handle, dk_model_free) {}

  private:
    template <typename Function, typename... Arguments>
    static Model make(Function function, const Control& control, Arguments... arguments) {
        dk_model* made = nullptr;
        control.run(function, &made, arguments...);
        return Model(made);
    }
    template <typename Function, typename Element>
    void fill(Function function, std::span<Element> out, const Data& data, const Control& control) const {
        control.run(function, out.data(), static_cast<std::int64_t>(out.size()), handle(), data.handle());
    }
    template <typename Function>
    Matrix matrix(Function function, std::int64_t cols, const Data& data, const Control& control) const {
        Matrix out{data.rows(), cols, std::vector<double>(static_cast<std::size_t>(data.rows() * cols))};
        fill(function, std::span(out.values), data, control);
        return out;
    }
    void drift_from(std::span<double> out, const Data& data, const dk_data* reference, std::uint64_t seed,
                    const Control& control) const {
        if (out.size() != 3) throw Error(Status::invalid_argument, "out has to have three elements");
        control.run(dk_model_drift, &out[0], &out[1], &out[2], handle(), data.handle(), reference, seed);
    }
    template <typename Element>
    static std::vector<Element> part(const std::vector<Element>& all, std::int64_t index,
                                     std::int64_t length) {
        const auto first = all.begin() + index * length;
        return {first, first + length};
    }

    std::shared_ptr<dk_model> handle_;
};

/// Writes a page that compares models of one task on the same rows (dk_report).
inline void compare_models(const std::string& path, std::span<const Model> models, const Data& data,
                           const std::string& options = {}, const Control& control = {}) {
    std::vector<const dk_model*> handles;
    for (const Model& model : models) handles.push_back(model.handle());
    control.run(dk_report, detail::text_for_c(path), handles.data(),
                static_cast<std::int64_t>(handles.size()), data.handle(),
                static_cast<const dk_data*>(nullptr), detail::text_for_c(options));
}

}  // namespace libdk

#endif  // DK_MODEL_HPP
