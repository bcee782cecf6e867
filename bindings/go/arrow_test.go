// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"strings"
	"testing"
	"unsafe"
)

// An answer of libdk is a table that libdk reads: the structs of the interface are 9 and 10 words long, and Go's memory
// serves for them, because libdk keeps no address of it after the call.
func TestAnswersAreTablesOfArrow(t *testing.T) {
	data := twoRows(t, 1, 2)
	model := must(Train(background, data, "kernel_ridge", ridge))(t)
	var schema [9]uintptr
	var array [10]uintptr
	answer := func() {
		err := model.PredictArrow(background, unsafe.Pointer(&schema), unsafe.Pointer(&array), data, "prediction,explanation")
		if err != nil {
			t.Fatal(err)
		}
	}
	answer()
	read := must(DataFromArrow(background, unsafe.Pointer(&schema), unsafe.Pointer(&array), "ignore=none"))(t)
	predicted := must(model.Predict(background, data))(t)
	values := must(read.Values())(t)
	for i, row := range values {
		if row[0] != predicted[i] {
			t.Error(values, predicted)
		}
	}
	if name := must(read.FeatureName(1))(t); name != "explanation[0]" {
		t.Error(name)
	}
	_, err := DataFromArrow(background, unsafe.Pointer(&schema), unsafe.Pointer(&array), "")
	expect(t, InvalidArgument, err)
	if !strings.Contains(err.Error(), "released") {
		t.Error(err)
	}

	again := must(Train(background, withTargets(t, read, predicted), "kernel_ridge", Params{"scale": "none"}))(t)
	answer()
	rows := must(again.DataFromArrow(background, unsafe.Pointer(&schema), unsafe.Pointer(&array), ""))(t)
	if found := must(rows.Values())(t); found[1][0] != values[1][0] {
		t.Error(found)
	}
	expect(t, InvalidArgument, model.PredictArrow(background, unsafe.Pointer(&schema), unsafe.Pointer(&array), data, "all"))
	_, err = DataFromArrowStream(background, nil, "")
	expect(t, InvalidArgument, err)
	_, err = again.DataFromArrowStream(background, nil, "")
	expect(t, InvalidArgument, err)
}

func withTargets(t *testing.T, data *Data, targets []float64) *Data {
	if err := data.SetTargets(targets); err != nil {
		t.Fatal(err)
	}
	return data
}
