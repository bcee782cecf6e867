// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"unsafe"

	"libdk/internal/swig"
)

// Tables of Arrow are exchanged by the structs of its C data interface, which the package cdata of arrow-go calls
// CArrowSchema, CArrowArray and CArrowArrayStream. They are memory of C, whose addresses Go may keep.

// DataFromArrow takes a table of Arrow: an ArrowSchema and an ArrowArray, both released, also where it fails. Options as
// "label=class missing=keep", see dk_data_from_arrow in dk.h.
func DataFromArrow(ctx context.Context, schema, array unsafe.Pointer, options string, callOptions ...Option) (*Data, error) {
	return arrowData(ctx, callOptions, func(control swig.NativeControl) swig.NativeData {
		return swig.NativeDataFrom_arrow(address(schema), address(array), options, control)
	})
}

// DataFromArrowStream takes all tables of an ArrowArrayStream, one after the other; it is released, also where it fails.
func DataFromArrowStream(ctx context.Context, stream unsafe.Pointer, options string, callOptions ...Option) (*Data, error) {
	return arrowData(ctx, callOptions, func(control swig.NativeControl) swig.NativeData {
		return swig.NativeDataFrom_arrow_stream(address(stream), options, control)
	})
}

// DataFromArrow takes a table of Arrow with the features of the training data, found by their names.
func (m *Model) DataFromArrow(ctx context.Context, schema, array unsafe.Pointer, options string,
	callOptions ...Option) (data *Data, err error) {
	err = m.use(func(native swig.NativeModel) error {
		data, err = arrowData(ctx, callOptions, func(control swig.NativeControl) swig.NativeData {
			return native.Rows_from_arrow(address(schema), address(array), options, control)
		})
		return err
	})
	return data, err
}

// DataFromArrowStream takes all tables of a stream with the features of the training data.
func (m *Model) DataFromArrowStream(ctx context.Context, stream unsafe.Pointer, options string,
	callOptions ...Option) (data *Data, err error) {
	err = m.use(func(native swig.NativeModel) error {
		data, err = arrowData(ctx, callOptions, func(control swig.NativeControl) swig.NativeData {
			return native.Rows_from_arrow_stream(address(stream), options, control)
		})
		return err
	})
	return data, err
}

// PredictArrow writes predictions as a table of Arrow into an ArrowSchema and an ArrowArray of the caller, who releases
// them. What lists, with commas between them, prediction, decision, probability and explanation.
func (m *Model) PredictArrow(ctx context.Context, schema, array unsafe.Pointer, data *Data, what string,
	options ...Option) error {
	return m.use(func(native swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			return calling(ctx, options, func(control swig.NativeControl) {
				native.Results_to_arrow(address(schema), address(array), rows, what, control)
			})
		})
	})
}

func arrowData(ctx context.Context, options []Option, take func(swig.NativeControl) swig.NativeData) (*Data, error) {
	var native swig.NativeData
	if err := calling(ctx, options, func(control swig.NativeControl) { native = take(control) }); err != nil {
		return nil, err
	}
	return wrapData(native), nil
}

func address(pointer unsafe.Pointer) int64 { return int64(uintptr(pointer)) }
