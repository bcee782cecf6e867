// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What a model is and what it learned. {@link Model} is the class that users see: it has these methods. */
abstract class ModelFacts {
    final NativeHandle<NativeModel> handle;

    /** Read once where somebody asks, since a model never changes. */
    private volatile TrainingReport report;

    ModelFacts(NativeModel model) {
        handle = new NativeHandle<>(this, model, "model", NativeModel::delete);
    }

    /**
     * The model: machine, kernel, parameters, classes, training report.
     *
     * @return JSON
     */
    public String info() {
        return handle.use(NativeModel::info);
    }

    /**
     * All that {@link #info} says, as values: maps, lists, texts, numbers and truth values, and null where a number is not
     * defined.
     *
     * @return by name, in the order of the text; it cannot be changed
     */
    public Map<String, Object> facts() {
        return read().values();
    }

    /**
     * What whoever uses the model should know: what looked wrong with the training rows, how columns were scaled, whether
     * training converged, and what its scores are worth.
     *
     * @return empty where nothing is to be said
     */
    public List<Warning> warnings() {
        return new Facts(handle.use(NativeModel::warnings_values)).parts("warnings", Warning::of);
    }

    /**
     * What the model is, and how its training went.
     *
     * @return the report of training
     */
    public TrainingReport report() {
        return handle.use(model -> {
            TrainingReport known = report;
            if (known == null) report = known = TrainingReport.of(new Facts(model.info_values()));
            return known;
        });
    }

    /**
     * The scores of a cross-validation, which {@link #info} has under {@code cross_validation}.
     *
     * @return empty where the model was not cross-validated
     */
    public Optional<Scores> scores() {
        Facts facts = read();
        return facts.has("cross_validation") ? Optional.of(Scores.of(facts.part("cross_validation"))) : Optional.empty();
    }

    private Facts read() {
        return new Facts(handle.use(NativeModel::info_values));
    }

    /**
     * The classes in the order of their labels.
     *
     * @return their names, labels as text where they have none; empty for a regression
     */
    public List<String> classNames() {
        return handle.use(model -> {
            List<String> names = new ArrayList<>();
            for (long c = 0; c < model.class_count(); c++) names.add(model.class_name(c));
            return names;
        });
    }

    /**
     * The kernels of the bank with their weights, one by one.
     *
     * @return in the order of the bank
     */
    public List<KernelWeight> kernelWeights() {
        return handle.use(model -> {
            double[] weights = new double[Math.toIntExact(model.kernel_count())];
            model.kernel_weights(weights);
            List<KernelWeight> out = new ArrayList<>(weights.length);
            for (int k = 0; k < weights.length; k++) out.add(new KernelWeight(model.kernel_name(k), weights[k]));
            return List.copyOf(out);
        });
    }

    /**
     * The kernels of the bank with their weights; equal kernels are added up.
     *
     * @return by specification, in the order of the bank
     */
    public Map<String, Double> weights() {
        Map<String, Double> out = new LinkedHashMap<>();
        for (KernelWeight one : kernelWeights()) out.merge(one.kernel(), one.weight(), Double::sum);
        return out;
    }

    /**
     * The prototypes: p+ and p- of each decision function in turn, or those that the model learned.
     *
     * @return two a function, or as many as were learned
     */
    public List<Prototype> prototypes() {
        return handle.use(Prototype::all);
    }

    /**
     * The prototypes as points among the features, for linear kernels.
     *
     * @return prototypes x features, in the units of the training data
     */
    public double[][] prototypeCoordinates() {
        return handle.use(model -> {
            int count = Math.toIntExact(model.prototype_count());
            double[] out = new double[Math.multiplyExact(count, Math.toIntExact(model.feature_count()))];
            model.prototype_coordinates(out);
            return Matrices.rows(out, count);
        });
    }

    /**
     * What completes {@link Model#explain}: S / (2 t) of each decision function.
     *
     * @return one a function
     */
    public double[] offsets() {
        return ofFunctions((model, offsets) -> model.prototype_offsets(new double[offsets.length], offsets));
    }

    /**
     * The shift S of each decision function, by which its prototypes stand aside from those of equal distance.
     *
     * @return one a function
     */
    public double[] shifts() {
        return ofFunctions((model, shifts) -> model.prototype_offsets(shifts, new double[shifts.length]));
    }

    /**
     * The length |w| of each decision function's normal in feature space.
     *
     * @return one a function
     */
    public double[] normals() {
        return ofFunctions(NativeModel::normals);
    }

    /**
     * The decision functions as sums over training rows: the coefficient of each row in each function, with the kernel on
     * rows as the model scales them.
     *
     * @return functions x training rows; machines whose decisions are no such sums have none, which is an exception
     */
    public double[][] dualCoefficients() {
        return handle.use(model -> {
            double[] out = new double[Math.toIntExact(Math.multiplyExact(model.decision_count(), model.training_rows()))];
            model.dual_coefficients(out);
            return Matrices.rows(out, Math.toIntExact(model.decision_count()));
        });
    }

    /**
     * The offsets that complete the sums of {@link #dualCoefficients}.
     *
     * @return one a function
     */
    public double[] dualOffsets() {
        return ofFunctions(NativeModel::dual_offsets);
    }

    private double[] ofFunctions(BiConsumer<NativeModel, double[]> fill) {
        return handle.use(model -> {
            double[] out = new double[Math.toIntExact(model.decision_count())];
            fill.accept(model, out);
            return out;
        });
    }

    /**
     * The labels of the classes, ascending.
     *
     * @return positions from 0 where classes have names; empty for a regression
     */
    public long[] classes() {
        return handle.use(model -> {
            long[] out = new long[Math.toIntExact(model.class_count())];
            model.classes(out);
            return out;
        });
    }

    /**
     * What the model learned.
     *
     * @return the task of its machine
     */
    public Task task() {
        return Task.values()[handle.use(NativeModel::task_number)];
    }

    /**
     * Whether the model has probabilities.
     *
     * @return true where it was trained with {@code probability=yes}, or its decisions are log odds
     */
    public boolean hasProbabilities() {
        return handle.use(NativeModel::has_probabilities);
    }

    /**
     * Whether the model fills values that rows miss, so that its data may be those of {@link Dataset#withMissing}.
     *
     * @return true where the parameter {@code impute} says how
     */
    public boolean fillsMissing() {
        return handle.use(NativeModel::fills_missing);
    }

    /**
     * The number of classes.
     *
     * @return 0 for a regression
     */
    public long classCount() {
        return handle.use(NativeModel::class_count);
    }

    /**
     * The number of columns that the model was trained with, and that rows to predict have.
     *
     * @return at least 1
     */
    public long featureCount() {
        return handle.use(NativeModel::feature_count);
    }

    /**
     * The number of decision functions.
     *
     * @return at least 1
     */
    public long decisionCount() {
        return handle.use(NativeModel::decision_count);
    }

    /**
     * How many numbers are predicted for a row.
     *
     * @return the targets of a regression that learned several, else 1
     */
    public long targetCount() {
        return handle.use(NativeModel::target_count);
    }

    /**
     * The number of kernels of the bank.
     *
     * @return at least 1
     */
    public long kernelCount() {
        return handle.use(NativeModel::kernel_count);
    }

    /**
     * The number of prototypes.
     *
     * @return that of {@link #prototypes}
     */
    public long prototypeCount() {
        return handle.use(NativeModel::prototype_count);
    }

    /**
     * The number of rows that the model was trained with.
     *
     * @return at least 1
     */
    public long trainingRows() {
        return handle.use(NativeModel::training_rows);
    }

    /**
     * The number of columns of {@link Model#transform}.
     *
     * @return 0 for models that have no features
     */
    public long transformCount() {
        return handle.use(NativeModel::transform_count);
    }

    /** Tells machine, kernel and sizes in one line, and each of {@link #warnings} in another; of a closed model that. */
    @Override
    public String toString() {
        return handle.print(() -> {
            TrainingReport facts = report();
            StringBuilder text = new StringBuilder(facts.machine() + " with kernel " + facts.kernel() + ", "
                    + facts.trainingRows() + " training rows, " + prototypeCount() + " prototypes");
            for (Warning one : warnings()) text.append(System.lineSeparator()).append("warning: ").append(one);
            return text.toString();
        });
    }
}
