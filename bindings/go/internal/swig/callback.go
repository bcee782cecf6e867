// SPDX-License-Identifier: Apache-2.0

package swig

/*
#include <stdint.h>

int32_t dk_go_similarity(double* out, int64_t* rows, int64_t rowCount, int64_t* training, int64_t trainingCount,
                         uintptr_t user);
int32_t dk_go_point_similarity(double* out, double* points, int64_t count, int64_t cols, int64_t* rows, int64_t rowCount,
                               uintptr_t user);
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// A Callback computes similarities of rows with training rows, or with points, one after the other. Its slices are the
// library's, and gone when it returns.
type Callback func(out, points []float64, rows, trainingRows []int64) error

// SimilarityAddress is where C asks a Callback, which it is told by its handle, about training rows.
func SimilarityAddress() int64 { return int64(uintptr(unsafe.Pointer(C.dk_go_similarity))) }

// PointSimilarityAddress is where C asks a Callback about points.
func PointSimilarityAddress() int64 { return int64(uintptr(unsafe.Pointer(C.dk_go_point_similarity))) }

func doubles(values *C.double, count C.int64_t) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(values)), int(count))
}

func integers(values *C.int64_t, count C.int64_t) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(values)), int(count))
}

// answered keeps an error on the thread until the call has returned, and a panic as an error, because it must not pass
// through C.
func answered(user C.uintptr_t, out, points []float64, rows, trainingRows []int64) (status C.int32_t) {
	defer func() {
		if panicked := recover(); panicked != nil {
			Keep_callback_failure(int64(cgo.NewHandle(fmt.Errorf("libdk: a similarity panicked: %v", panicked))))
			status = 1
		}
	}()
	if err := cgo.Handle(user).Value().(Callback)(out, points, rows, trainingRows); err != nil {
		Keep_callback_failure(int64(cgo.NewHandle(err)))
		return 1
	}
	return 0
}

//export dk_go_similarity
func dk_go_similarity(out *C.double, rows *C.int64_t, rowCount C.int64_t, training *C.int64_t, trainingCount C.int64_t,
	user C.uintptr_t) C.int32_t {
	return answered(user, doubles(out, rowCount*trainingCount), nil, integers(rows, rowCount),
		integers(training, trainingCount))
}

//export dk_go_point_similarity
func dk_go_point_similarity(out *C.double, points *C.double, count, cols C.int64_t, rows *C.int64_t, rowCount C.int64_t,
	user C.uintptr_t) C.int32_t {
	return answered(user, doubles(out, rowCount*count), doubles(points, count*cols), integers(rows, rowCount), nil)
}

// CallbackFailure is the error that the last callback of this thread gave, which is asked for once.
func CallbackFailure() error {
	kept := cgo.Handle(Taken_callback_failure())
	if kept == 0 {
		return nil
	}
	defer kept.Delete()
	return kept.Value().(error)
}
