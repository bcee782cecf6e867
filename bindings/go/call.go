// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"libdk/internal/swig"
)

// Status says why a call failed; the values are those of the C interface.
type Status int

// The statuses of the C interface.
const (
	InvalidArgument Status = iota + 1
	InvalidParameter
	InvalidKernel
	InvalidData
	Dimension
	OutOfMemory
	MemoryBudget
	Cancelled
	Unsupported
	IO
	ModelFormat
	Numerical
	BufferTooSmall
	Internal
	Callback
)

// String is the name of the status in the C interface.
func (s Status) String() string { return swig.Status_name(int(s)) }

// Error is a call of libdk that failed. Its message says what was wrong, with which value, and what is allowed.
type Error struct {
	Status  Status
	Message string
}

func (e *Error) Error() string { return "libdk: " + e.Message }

func invalid(format string, arguments ...any) error {
	return &Error{InvalidArgument, fmt.Sprintf(format, arguments...)}
}

// call runs a native call and gives its failure, which is kept on the thread.
func call(native func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	native()
	if status := swig.Failure_status(); status != 0 {
		return &Error{Status(status), strings.ToValidUTF8(swig.Failure_message(), "?")}
	}
	return nil
}

// An Option of a call.
type Option func(swig.NativeControl)

// Threads sets the number of threads, 1 to 1024; 0, the default, is all processors.
func Threads(count int) Option {
	return func(control swig.NativeControl) { control.Set_threads(count) }
}

// Memory sets how many megabytes the large objects of the call may take together; 0, the default, is half of the
// machine's memory. What needs more fails with MemoryBudget.
func Memory(megabytes int64) Option {
	return func(control swig.NativeControl) { control.Set_memory(megabytes) }
}

// require fails where the system would not give memory for rows x columns numbers: a make that lacks memory ends the
// process. What is small needs no question.
func require(rows, columns int64) error {
	const small = 1 << 10
	if 0 <= rows && rows < small && 0 <= columns && columns < small {
		return nil
	}
	return call(func() { swig.Require_memory(rows, columns) })
}

// calling runs a native call that the context can end, within 0.2 s.
func calling(ctx context.Context, options []Option, native func(swig.NativeControl)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var control swig.NativeControl
	if err := call(func() { control = swig.NativeControlMake() }); err != nil {
		return err
	}
	defer swig.DeleteNativeControl(control)
	for _, option := range options {
		if err := call(func() { option(control) }); err != nil {
			return err
		}
	}
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			control.Cancel()
		case <-done:
		}
	}()
	err := call(func() { native(control) })
	close(done)
	<-stopped // the control is freed after this
	if failure, ok := err.(*Error); ok && failure.Status == Cancelled && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
