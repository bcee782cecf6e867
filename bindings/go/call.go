// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

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
	Cause   error // what the system says of a file, such as fs.ErrNotExist; nil where that is unknown, and elsewhere
}

func (e *Error) Error() string { return "libdk: " + e.Message }

// Unwrap lets errors.Is(err, fs.ErrNotExist) tell that a file is not there.
func (e *Error) Unwrap() error { return e.Cause }

func invalid(format string, arguments ...any) error {
	return &Error{Status: InvalidArgument, Message: fmt.Sprintf(format, arguments...)}
}

// call runs a native call and gives its failure, which is kept on the thread.
func call(native func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	native()
	if status := swig.Failure_status(); status != 0 {
		if err := swig.CallbackFailure(); err != nil {
			return err
		}
		return &Error{Status: Status(status), Message: strings.ToValidUTF8(swig.Failure_message(), "?")}
	}
	return nil
}

// settings are what the options of a call say.
type settings struct {
	control   swig.NativeControl
	progress  func(fraction float64)
	cancelled bool // so that the control is not fit for another call
}

// An Option of a call.
type Option func(*settings)

// Threads sets the number of threads, 1 to 1024; 0, the default, is all processors.
func Threads(count int) Option {
	return func(call *settings) { call.control.Set_threads(count) }
}

// Progress hears of the share of the call that is done, in [0, 1], about ten times a second, on a goroutine of its own
// that has ended when the call returns.
func Progress(listener func(fraction float64)) Option {
	return func(call *settings) { call.progress = listener }
}

// Memory sets how many megabytes the large objects of the call may take together; 0, the default, is half of the
// machine's memory. What needs more fails with MemoryBudget.
func Memory(megabytes int64) Option {
	return func(call *settings) { call.control.Set_memory(megabytes) }
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

// watched runs a native call that ends when the context does, and tells of its progress. What watches starts with
// the first news that a call may have, so that small calls start nothing.
func (s *settings) watched(ctx context.Context, native func()) error {
	var news time.Duration
	switch {
	case s.progress != nil:
		news = 0
	case ctx.Done() != nil:
		news = 10 * time.Millisecond
	default:
		return call(native)
	}
	done := make(chan struct{})
	stopped := make(chan struct{})
	start := time.AfterFunc(news, func() {
		defer close(stopped)
		s.watch(ctx, done)
	})
	defer func() {
		close(done)
		if !start.Stop() {
			<-stopped // the control is freed after this
		}
	}()
	return call(native)
}

// watch cancels the call when the context ends, and tells of its progress, until it is done.
func (s *settings) watch(ctx context.Context, done <-chan struct{}) {
	var ticks <-chan time.Time
	if s.progress != nil {
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			s.control.Cancel()
			s.cancelled = true
			return
		case <-ticks:
			s.progress(s.control.Progress())
		case <-done:
			return
		}
	}
}

// kept is a control without settings that no call has at the moment, for the next call without options: making one
// takes longer than a small call. One alone is kept, since each has threads that wait.
var kept atomic.Pointer[swig.NativeControl]

// newControl gives the control of a call with these options, which release takes back.
func newControl(options []Option) (control swig.NativeControl, err error) {
	if len(options) == 0 {
		if one := kept.Swap(nil); one != nil {
			return *one, nil
		}
	}
	err = call(func() { control = swig.NativeControlMake() })
	return control, err
}

func (s *settings) release(options []Option) {
	control := s.control
	if len(options) > 0 || s.cancelled || !kept.CompareAndSwap(nil, &control) {
		swig.DeleteNativeControl(control)
	}
}

// calling runs a native call that the context can end, within 0.2 s.
func calling(ctx context.Context, options []Option, native func(swig.NativeControl)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	control, err := newControl(options)
	if err != nil {
		return err
	}
	said := &settings{control: control}
	defer said.release(options)
	for _, option := range options {
		if err := call(func() { option(said) }); err != nil {
			return err
		}
	}
	err = said.watched(ctx, func() { native(control) })
	if failure, ok := err.(*Error); ok && failure.Status == Cancelled && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
