// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.function.Consumer;
import java.util.function.Function;

/** Native objects that one call has alone; what frees them may keep them for the next. */
final class Scoped {
    private Scoped() {}

    static <T, R> R with(T object, Consumer<T> free, Function<T, R> call) {
        try {
            return call.apply(object);
        } finally {
            free.accept(object);
        }
    }
}
