// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What a model is, and how its training went.
 *
 * @param machine such as {@code svm}
 * @param task what the machine learns
 * @param kernel the kernel of the model, with every parameter as a number; of a bank the weighted sum
 * @param kernels the kernels of the bank with their weights
 * @param weights the strategy that weighed the bank
 * @param parameters every parameter of the machine as text, by name
 * @param classes the names of the classes in the order of their labels; empty for a regression
 * @param decisionRule how decisions become a class, such as {@code binary}
 * @param probabilities whether the model gives probabilities
 * @param data what rows are
 * @param features the number of columns
 * @param featureNames the names of the columns; empty where they have none
 * @param trainingRows the number of rows that the model was trained with
 * @param supportRows the number of training rows, or of prototypes in their place, that predictions need
 * @param decisions the number of decision functions
 * @param functions how the training of each decision function went, where the machine trains them one by one
 * @param training all that the machine tells of its training, by name: numbers, texts, truth values, lists and maps; null
 *     stands for a number that is not defined
 */
public record TrainingReport(
        String machine,
        Task task,
        String kernel,
        List<KernelWeight> kernels,
        String weights,
        Map<String, String> parameters,
        List<String> classes,
        String decisionRule,
        boolean probabilities,
        Dataset.Kind data,
        long features,
        List<String> featureNames,
        long trainingRows,
        long supportRows,
        long decisions,
        List<TrainedFunction> functions,
        Map<String, Object> training) {
    static TrainingReport of(Facts facts) {
        Facts training = facts.part("training");
        return new TrainingReport(
                facts.text("machine"),
                Task.valueOf(facts.text("task").toUpperCase(Locale.ROOT)),
                facts.text("kernel"),
                facts.parts("kernels", KernelWeight::of),
                facts.text("weights"),
                facts.part("parameters").texts(),
                facts.texts("classes"),
                facts.text("decision_rule"),
                facts.truth("probabilities"),
                Dataset.Kind.valueOf(facts.text("data").toUpperCase(Locale.ROOT)),
                facts.whole("features"),
                facts.texts("feature_names"),
                facts.whole("training_rows"),
                facts.whole("support_rows"),
                facts.whole("decisions"),
                training.parts("functions", TrainedFunction::of),
                training.values());
    }

    /**
     * The value of the machine's program where training ended.
     *
     * @return empty where the machine does not tell it, or has one for each of several functions
     */
    public OptionalDouble objective() {
        return ofTheOnly("objective", TrainedFunction::objective);
    }

    /**
     * How far the solution is at most from the optimum, as the machine measures it.
     *
     * @return empty where the machine does not tell it, or has one for each of several functions
     */
    public OptionalDouble gap() {
        return ofTheOnly("gap", TrainedFunction::gap);
    }

    private OptionalDouble ofTheOnly(String name, Function<TrainedFunction, OptionalDouble> of) {
        OptionalDouble whole = TrainedFunction.number(training, name);
        return whole.isEmpty() && functions.size() == 1 ? of.apply(functions.get(0)) : whole;
    }

    /**
     * The iterations of the solver, of all functions together.
     *
     * @return empty where the machine does not iterate
     */
    public OptionalLong iterations() {
        OptionalLong whole = TrainedFunction.whole(training, "iterations");
        if (whole.isPresent()) return whole;
        return functions.stream().map(TrainedFunction::iterations).filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong).reduce(Long::sum);
    }

    /**
     * Whether training ended because its tolerance was met, for every function.
     *
     * @return empty where the machine does not iterate
     */
    public Optional<Boolean> converged() {
        Optional<Boolean> whole = TrainedFunction.truth(training, "converged");
        if (whole.isPresent()) return whole;
        return functions.stream().map(TrainedFunction::converged).flatMap(Optional::stream)
                .reduce(Boolean::logicalAnd);
    }

    /** A small table of what the model is, then the kernels with their weights. */
    @Override
    public String toString() {
        Table table = Table.ofFacts()
                .fact("machine", machine)
                .fact("task", task.name().toLowerCase(Locale.ROOT))
                .fact("kernel", kernel)
                .fact("weights", weights);
        if (!classes.isEmpty()) table.fact("classes", String.join(", ", classes));
        table.fact("features", features)
                .fact("training rows", trainingRows)
                .fact("support rows", supportRows)
                .fact("decisions", decisions);
        objective().ifPresent(value -> table.fact("objective", value));
        gap().ifPresent(value -> table.fact("gap", value));
        iterations().ifPresent(value -> table.fact("iterations", value));
        converged().ifPresent(value -> table.fact("converged", value));
        return table + "\n\n" + KernelWeight.table(kernels);
    }
}
