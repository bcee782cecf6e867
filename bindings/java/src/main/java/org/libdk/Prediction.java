// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a model says of one row.
 *
 * @param value its class label (its position in {@link Model#classNames} where classes have names), or its value, as
 *     {@link Model#predict(Dataset)} gives it; NaN of a model that predicts several targets, which are the decisions
 * @param className the name of its class, its label as text where classes have no names; null for a regression, and of
 *     a model of several labels a row, which {@link Model#predictLabelSets} gives
 * @param decisions the value of each decision function
 * @param probabilities that of each class by its name, in the order of {@link Model#classNames}; empty where the model was
 *     not trained with {@code probability=yes}
 */
public record Prediction(double value, String className, List<Double> decisions, Map<String, Double> probabilities) {
    /**
     * Makes a prediction.
     *
     * @param value its class label or its value
     * @param className the name of its class, or null
     * @param decisions the value of each decision function
     * @param probabilities by class, or empty
     */
    public Prediction {
        decisions = List.copyOf(decisions);
        probabilities = Collections.unmodifiableMap(new LinkedHashMap<>(probabilities));
    }

    /** What a model says of all rows of a dataset. */
    static List<Prediction> all(ModelPredictions model, Dataset data, Control control) {
        double[] values = model.predict(data, control);
        double[][] decisions = model.decision(data, control);
        double[][] probabilities = model.report().probabilities() ? model.probability(data, control) : null;
        Map<Double, String> names = model.classNamesByLabel();
        List<String> classes = model.classNames();
        List<Prediction> out = new ArrayList<>(decisions.length);
        int targets = values.length / Math.max(1, decisions.length);
        for (int i = 0; i < decisions.length; i++)
            out.add(new Prediction(targets == 1 ? values[i] : Double.NaN, names.get(values[i * targets]),
                    Arrays.stream(decisions[i]).boxed().toList(),
                    probabilities == null ? Map.of() : byClass(classes, probabilities[i])));
        return out;
    }

    private static Map<String, Double> byClass(Collection<String> names, double[] probabilities) {
        Map<String, Double> out = new LinkedHashMap<>();
        int position = 0;
        for (String name : names) out.put(name, probabilities[position++]);
        return out;
    }

    /** The class or the value, then decisions and probabilities in brackets. */
    @Override
    public String toString() {
        String said = decisions.stream().map(Table::text).collect(Collectors.joining(", "));
        String likely = probabilities.entrySet().stream()
                .map(one -> one.getKey() + " " + Table.text(one.getValue())).collect(Collectors.joining(", "));
        return (className != null ? className : Table.text(value)) + " (decision " + said
                + (likely.isEmpty() ? "" : "; probability " + likely) + ")";
    }
}
