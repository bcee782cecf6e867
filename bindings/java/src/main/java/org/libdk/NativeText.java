// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Text on its way to and from the library, as UTF-8. */
final class NativeText {
    private NativeText() {}

    static byte[] bytes(String text) {
        return Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static Strings list(Iterable<String> texts) {
        Strings list = new Strings();
        for (String text : texts) list.add(text);
        return list;
    }
}
