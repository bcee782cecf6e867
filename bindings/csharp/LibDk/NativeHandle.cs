// SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;

namespace LibDk
{
    /// <summary>
    /// A native object that is freed when its owner was disposed of, or was collected, and no call uses it any more.
    /// </summary>
    internal sealed class NativeHandle<T> : SafeHandle where T : class, IDisposable
    {
        private readonly T native;
        private readonly string name;
        private readonly long bytes;
        private readonly object? kept; // what native code calls, as long as a call uses the object
        private volatile bool disposed;

        /// <param name="native">the object</param>
        /// <param name="name">of the owner, for messages</param>
        /// <param name="bytes">about how much native memory it holds, for the collector to know</param>
        /// <param name="kept">what native code calls back, which lives as long as the object is used</param>
        internal NativeHandle(T native, string name, long bytes, object? kept = null) : base(IntPtr.Zero, true)
        {
            this.native = native;
            this.kept = kept;
            this.name = name;
            this.bytes = 4096 + Math.Max(0, bytes);
            GC.AddMemoryPressure(this.bytes);
            SetHandle(new IntPtr(1));
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>
        /// SafeHandle itself refuses no call while another one runs, so that calls which overlap would go on for ever.
        /// </summary>
        protected override void Dispose(bool disposing)
        {
            disposed = true;
            base.Dispose(disposing);
        }

        protected override bool ReleaseHandle()
        {
            native.Dispose();
            GC.RemoveMemoryPressure(bytes);
            return true;
        }

        /// <summary>The object for the time of a call.</summary>
        internal Use Begin()
        {
            if (disposed) throw new ObjectDisposedException(name);
            bool added = false;
            try
            {
                DangerousAddRef(ref added);
            }
            catch (ObjectDisposedException)
            {
                throw new ObjectDisposedException(name);
            }
            return new Use(this);
        }

        internal readonly struct Use : IDisposable
        {
            private readonly NativeHandle<T> owner;

            internal Use(NativeHandle<T> owner)
            {
                this.owner = owner;
            }

            internal T Native => owner.native;

            public void Dispose()
            {
                GC.KeepAlive(owner.kept);
                owner.DangerousRelease();
            }
        }
    }
}
