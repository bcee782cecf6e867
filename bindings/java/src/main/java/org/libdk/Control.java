// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/**
 * Threads, memory, progress and cancel of calls. One call at a time uses a control; {@link #cancel} and {@link #progress} may
 * be called from any thread. Without a control a call uses all processors.
 */
public final class Control implements AutoCloseable {
    /** What calls without a control have: nothing is set, nothing can be cancelled. */
    private static final NativeControl NONE = new NativeControl();

    private final NativeHandle<NativeControl> handle;
    private Listener listener; // kept from the collector while native code knows it

    private static final class Listener extends Progress {
        private final ProgressListener target;

        Listener(ProgressListener target) {
            this.target = target;
        }

        @Override
        public boolean report(double fraction, String stage) {
            return target.progress(fraction, stage);
        }
    }

    /** A control with all processors and no listener. */
    public Control() {
        handle = new NativeHandle<>(this, NativeControl.make(), "control", NativeControl::delete);
    }

    /**
     * Sets the number of threads.
     *
     * @param threads 1 to 1024, or 0 for all processors
     * @return this
     */
    public Control threads(int threads) {
        return with(control -> control.set_threads(threads));
    }

    /**
     * Sets what the large objects of a call may take together. What needs more fails with
     * {@link DkException.Status#MEMORY_BUDGET}.
     *
     * @param megabytes 1 or more, or 0 for half of the machine's memory
     * @return this
     */
    public Control memory(long megabytes) {
        return with(control -> control.set_memory(megabytes));
    }

    /**
     * Sets the listener.
     *
     * @param target hears of progress; null for none
     * @return this
     */
    public synchronized Control listener(ProgressListener target) {
        Listener next = target == null ? null : new Listener(target);
        with(control -> control.set_listener(next));
        listener = next;
        return this;
    }

    /** Asks the running call, or the next one, to stop, which it does within 0.2 s. Safe from any thread. */
    public void cancel() {
        with(NativeControl::cancel);
    }

    /** Forgets a cancel, so that the control can be used again. */
    public void reset() {
        with(NativeControl::reset);
    }

    /**
     * Progress of the running or last call. Safe from any thread.
     *
     * @return a fraction in [0, 1]
     */
    public double progress() {
        return handle.use(NativeControl::progress);
    }

    private Control with(java.util.function.Consumer<NativeControl> action) {
        handle.use(control -> {
            action.accept(control);
            return null;
        });
        return this;
    }

    /** Runs a call with the native control of this; of none where `control` is null. */
    static <R> R use(Control control, java.util.function.Function<NativeControl, R> call) {
        if (control == null) return call.apply(NONE);
        R result = control.handle.use(call);
        java.lang.ref.Reference.reachabilityFence(control.listener);
        return result;
    }

    @Override
    public void close() {
        handle.close();
    }
}
