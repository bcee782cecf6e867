// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A kernel, or a bank of kernels, in libdk's language of kernels: {@code dk describe kernels} lists them all. */
public final class Kernel {
    private final String text;

    private Kernel(String text) {
        this.text = text;
    }

    /**
     * Any kernel by its text.
     *
     * @param text such as {@code "rbf(gamma=0.5) + linear"}
     * @return the kernel; it is parsed when it is used
     */
    public static Kernel of(String text) {
        return new Kernel(text);
    }

    /**
     * The inner product.
     *
     * @return {@code linear}
     */
    public static Kernel linear() {
        return of("linear");
    }

    /**
     * The Gaussian kernel of width found from the data.
     *
     * @return {@code rbf}
     */
    public static Kernel rbf() {
        return of("rbf");
    }

    /**
     * The Gaussian kernel exp(-gamma |x - z|^2).
     *
     * @param gamma positive
     * @return {@code rbf(gamma=...)}
     */
    public static Kernel rbf(double gamma) {
        return of("rbf(gamma=" + gamma + ")");
    }

    /**
     * The polynomial kernel (gamma x.z + coef0)^degree.
     *
     * @param degree at least 1
     * @param gamma positive
     * @param coef0 not negative
     * @return {@code poly(...)}
     */
    public static Kernel poly(int degree, double gamma, double coef0) {
        return of("poly(degree=" + degree + ",gamma=" + gamma + ",coef0=" + coef0 + ")");
    }

    /**
     * The multilayer arc-cosine kernel (Cho and Saul 2009; Afzal 2018).
     *
     * @param degrees of the activation of each layer, 0 to 3
     * @return {@code arccos(...)}
     */
    public static Kernel arccos(int... degrees) {
        return of(Arrays.stream(degrees).mapToObj(Integer::toString).collect(Collectors.joining(",", "arccos(", ")")));
    }

    /**
     * A bank, whose kernels are weighed in training.
     *
     * @param kernels two or more
     * @return {@code [k1, k2, ...]}
     */
    public static Kernel bank(Kernel... kernels) {
        return of(Arrays.stream(kernels).map(Kernel::toString).collect(Collectors.joining(", ", "[", "]")));
    }

    /**
     * The sum of two kernels.
     *
     * @param other added to this
     * @return {@code k1 + k2}
     */
    public Kernel plus(Kernel other) {
        return of("(" + text + ") + (" + other.text + ")");
    }

    /**
     * The product of two kernels.
     *
     * @param other multiplied with this
     * @return {@code k1 * k2}
     */
    public Kernel times(Kernel other) {
        return of("(" + text + ") * (" + other.text + ")");
    }

    /**
     * This kernel with k(x, x) = 1.
     *
     * @return {@code normalize(k)}
     */
    public Kernel normalized() {
        return of("normalize(" + text + ")");
    }

    @Override
    public String toString() {
        return text;
    }
}
