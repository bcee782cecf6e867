// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.failure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Parameters from the values of Java. */
class ParamsTest {
    @Test
    void numbersAndTruthValuesAreTexts() {
        Params params = Params.of("svm");
        assertEquals("10", params.set("C", 10).get("C"));
        assertEquals("0.5", params.set("C", 0.5).get("C"));
        assertEquals("yes", params.set("probability", true).get("probability"));
        // a double as large is written with an exponent
        assertEquals("8999999999999999", params.set("seed", 8999999999999999L).get("seed"));
        failure(DkException.Status.INVALID_PARAMETER, () -> params.set("folds", 1));
        failure(DkException.Status.INVALID_PARAMETER, () -> params.set("C", Double.NaN));
    }

    @Test
    void listsAreBanksOfKernels() {
        Params params = Params.of("svm").set("kernel", List.of(Kernel.linear(), "rbf(gamma=2)"));
        assertEquals("[linear, rbf(gamma=2)]", params.get("kernel"));
        failure(DkException.Status.INVALID_KERNEL, () -> params.set("kernel", List.of("rbf(")));
        failure(DkException.Status.INVALID_ARGUMENT, () -> params.set("kernel", Arrays.asList("linear", null)));
        assertEquals("[linear, rbf(gamma=2)]", params.get("kernel"));
    }

    @Test
    void mapsAreGridsAndPairs() {
        Map<String, Object> grid = new LinkedHashMap<>();
        grid.put("C", List.of(0.1, 1, 10));
        grid.put("kernel", List.of(Kernel.linear(), Kernel.rbf(2)));
        assertEquals("C=0.1:1:10;kernel=[linear, rbf(gamma=2.0)]", Params.of("svm").set("grid", grid).get("grid"));
        assertEquals("1:50", Params.of("svm").set("class_weight", Map.of("1", 50)).get("class_weight"));
        String refused = failure(DkException.Status.INVALID_PARAMETER,
                () -> Params.of("svm").set("grid", Map.of("gama", List.of(1)))).getMessage();
        assertTrue(refused.contains("gama"), refused);
    }

    @Test
    void mapsWithoutAnOrderAreSortedByTheirNames() {
        Map<String, Integer> weights = Map.of("h", 8, "a", 1, "g", 7, "b", 2, "f", 6, "c", 3, "e", 5, "d", 4);
        String sorted = "a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8";
        assertEquals(sorted, Params.of("svm").set("class_weight", weights).get("class_weight"));
        Map<String, List<Object>> grid = Map.of("tolerance", List.of(0.1), "C", List.of(1, 10));
        assertEquals("C=1:10;tolerance=0.1", Params.of("svm").set("grid", grid).get("grid"));
        Map<String, List<Object>> ordered = new LinkedHashMap<>();
        for (String name : List.of("tolerance", "C")) ordered.put(name, grid.get(name));
        assertEquals("tolerance=0.1;C=1:10", Params.of("svm").set("grid", ordered).get("grid"));
        Map<String, Integer> backwards = new TreeMap<>(Comparator.reverseOrder());
        backwards.putAll(Map.of("a", 1, "b", 2));
        assertEquals("b:2,a:1", Params.of("svm").set("class_weight", backwards).get("class_weight"));
    }

    @Test
    void whatTheLibraryWouldCutIsRefused() {
        Params params = Params.of("svm");
        refused("class_weight", Map.of("a:1,b", 2), "'a:1,b'");
        refused("class_weight", Map.of("f(a,b)", 2), "'f(a,b)'");
        refused("class_weight", Map.of("a", "1,b:2"), "'1,b:2'");
        refused("grid", Map.of("C", List.of("1:2", 3)), "'1:2'");
        refused("grid", Map.of("C", List.of("1;folds=3")), "'1;folds=3'");
        refused("grid", Map.of("C", "1;tolerance=2"), "'1;tolerance=2'");
        refused("grid", Map.of("C=1;tolerance", List.of(0.1)), "'C=1;tolerance'");
        refused("grid", Map.of("kernel", List.of("linear, rbf", "rbf(gamma=2)")), "'linear, rbf'");
        failure(DkException.Status.INVALID_ARGUMENT, () -> params.set("kernel", List.of("linear, rbf", "rbf")));
        // commas and colons inside brackets belong to the value, and a text alone is the library's own
        params.set("grid", Map.of("kernel", List.of("poly(degree=2,gamma=1)", Kernel.of("[linear, rbf]")), "C", "1:2"));
        assertEquals("C=1:2;kernel=[poly(degree=2,gamma=1), [linear, rbf]]", params.get("grid"));
    }

    private static void refused(String key, Map<String, ?> values, String named) {
        String message = failure(DkException.Status.INVALID_ARGUMENT, () -> Params.of("svm").set(key, values)).getMessage();
        assertTrue(message.contains(named), message);
    }
}
