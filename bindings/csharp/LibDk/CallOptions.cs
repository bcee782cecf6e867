// SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace LibDk
{
    /// <summary>Threads, memory, progress and cancel of calls. Null stands for all processors and nothing else.</summary>
    public sealed class CallOptions
    {
        /// <summary>Number of threads, 1 to 1024; 0 for all processors.</summary>
        public int Threads { get; set; }

        /// <summary>
        /// How many megabytes the large objects of a call may take together; 0 for half of the machine's memory. What
        /// needs more fails with <see cref="DkStatus.MemoryBudget"/>.
        /// </summary>
        public long MemoryMegabytes { get; set; }

        /// <summary>Hears of progress in [0, 1], at most about 20 times a second, on the calling thread.</summary>
        public IProgress<double>? Progress { get; set; }

        /// <summary>Ends calls within 0.2 s with an <see cref="OperationCanceledException"/>.</summary>
        public CancellationToken Cancellation { get; set; }

        /// <summary>For calls that begin later, which what the caller changes meanwhile does not reach.</summary>
        internal CallOptions Copy() => (CallOptions)MemberwiseClone();

        private sealed class Listener : Progress
        {
            private readonly IProgress<double> target;
            internal Exception? Thrown;

            internal Listener(IProgress<double> target)
            {
                this.target = target;
            }

            public override bool report(double fraction, string stage)
            {
                try
                {
                    target.Report(fraction);
                    return true;
                }
                catch (Exception error)
                {
                    Thrown = error; // must not unwind native frames; Run throws it again
                    return false;
                }
            }
        }

        /// <summary>What calls without options have: nothing is set, nothing can be cancelled.</summary>
        internal static readonly NativeControl None = new NativeControl();

        /// <summary>Runs a call with a native control of these options.</summary>
        internal static void Run(CallOptions? options, Action<NativeControl> call)
        {
            try
            {
                if (options == null) call(None);
                else RunWith(options, call);
            }
            catch (DkException error) when (error.Status == DkStatus.Callback)
            {
                Callback.Rethrow();
                throw;
            }
        }

        private static void RunWith(CallOptions options, Action<NativeControl> call)
        {
            options.Cancellation.ThrowIfCancellationRequested();
            using (NativeControl control = NativeControl.make())
            using (Listener? listener = options.Progress == null ? null : new Listener(options.Progress))
            {
                control.set_threads(options.Threads);
                control.set_memory(options.MemoryMegabytes);
                if (listener != null) control.set_listener(listener);
                try
                {
                    using (options.Cancellation.Register(() => control.cancel())) call(control);
                }
                catch (DkException error) when (error.Status == DkStatus.Cancelled)
                {
                    if (listener?.Thrown != null) ExceptionDispatchInfo.Capture(listener.Thrown).Throw();
                    throw new OperationCanceledException(error.Message, error, options.Cancellation);
                }
                GC.KeepAlive(listener);
            }
        }
    }
}
