// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** A call of libdk that failed. The message says what was wrong, with which value, and what is allowed. */
public class DkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a call failed; the names are those of the C interface without {@code DK_ERR_}. */
    public enum Status {
        /** Null, a negative size, a wrong length. */
        INVALID_ARGUMENT,
        /** An unknown parameter, a wrong type, a value out of range. */
        INVALID_PARAMETER,
        /** A kernel or weight specification that does not parse or make sense. */
        INVALID_KERNEL,
        /** NaN, infinity, one class only, unreadable content. */
        INVALID_DATA,
        /** Datasets, models or kernels whose shapes do not fit together. */
        DIMENSION,
        /** The system refused memory. */
        OUT_OF_MEMORY,
        /** The work needs more than {@link Control#memory} or the parameter memory_mb allows. */
        MEMORY_BUDGET,
        /** Cancelled by {@link Control#cancel}, a {@link ProgressListener}, or an interrupt of the thread. */
        CANCELLED,
        /** A combination that libdk does not have. */
        UNSUPPORTED,
        /** A file that could not be opened, read or written. */
        IO,
        /** No libdk model, a damaged one, or one of a newer version. */
        MODEL_FORMAT,
        /** No solution in floating point. */
        NUMERICAL,
        /** A buffer that is too small. */
        BUFFER_TOO_SMALL,
        /** A defect of libdk; please report the message. */
        INTERNAL,
        /** A callback that reported failure. */
        CALLBACK,
        /** A status of a newer library. */
        UNKNOWN
    }

    /** Why the call failed. */
    private final Status status;

    DkException(Status status, String message) {
        super(message);
        this.status = status;
    }

    /** Called by the native code. */
    static DkException of(int code, byte[] message) {
        Status[] all = Status.values();
        boolean known = code >= 1 && code < all.length;
        return new DkException(known ? all[code - 1] : Status.UNKNOWN, NativeText.text(message));
    }

    static DkException invalidArgument(String message) {
        return new DkException(Status.INVALID_ARGUMENT, message);
    }

    /**
     * Why the call failed.
     *
     * @return the status, never null
     */
    public Status status() {
        return status;
    }
}
