// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk
{
    /// <summary>Why a call of libdk failed; the names are those of the C interface.</summary>
    public enum DkStatus
    {
        /// <summary>Null, a negative size, a wrong length.</summary>
        InvalidArgument = 1,
        /// <summary>An unknown parameter, a wrong type, a value out of range.</summary>
        InvalidParameter = 2,
        /// <summary>A kernel or weight specification that does not parse or make sense.</summary>
        InvalidKernel = 3,
        /// <summary>NaN, infinity, one class only, unreadable content.</summary>
        InvalidData = 4,
        /// <summary>Datasets, models or kernels whose shapes do not fit together.</summary>
        Dimension = 5,
        /// <summary>The system refused memory.</summary>
        OutOfMemory = 6,
        /// <summary>The work needs more than <see cref="CallOptions.MemoryMegabytes"/> or memory_mb allows.</summary>
        MemoryBudget = 7,
        /// <summary>Cancelled.</summary>
        Cancelled = 8,
        /// <summary>A combination that libdk does not have.</summary>
        Unsupported = 9,
        /// <summary>A file that could not be opened, read or written.</summary>
        Io = 10,
        /// <summary>No libdk model, a damaged one, or one of a newer version.</summary>
        ModelFormat = 11,
        /// <summary>No solution in floating point.</summary>
        Numerical = 12,
        /// <summary>A buffer that is too small.</summary>
        BufferTooSmall = 13,
        /// <summary>A defect of libdk; please report the message.</summary>
        Internal = 14,
        /// <summary>A callback that reported failure.</summary>
        Callback = 15,
    }

    /// <summary>
    /// A call of libdk that failed. The message says what was wrong, with which value, and what is allowed.
    /// </summary>
    public class DkException : Exception
    {
        internal DkException(DkStatus status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>Why the call failed.</summary>
        public DkStatus Status { get; }

        internal static Exception Of(int status, string message)
        {
            return new DkException((DkStatus)status, message);
        }

        internal static DkException InvalidArgument(string message)
        {
            return new DkException(DkStatus.InvalidArgument, message);
        }
    }
}
