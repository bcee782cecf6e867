// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.failure;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
}
