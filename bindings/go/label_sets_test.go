// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func twoSets(t *testing.T, sets [][]string, names ...string) *Data {
	data := must(NewData(Rows{{0}, {1}}))(t)
	if err := data.SetLabelSets(sets, names...); err != nil {
		t.Fatal(err)
	}
	return data
}

// The rows and the system of equations are those of TestSeveralTargetsAreLearnedAtOnce. A label that both rows have has the log
// odds of 3 to 1 on every row.
func TestEachLabelHasAFunction(t *testing.T) {
	data := twoSets(t, [][]string{{"blue", "red"}, {"blue"}}, "red", "blue")
	model := must(Train(background, data, "kelm", ridge))(t)
	if task := must(model.Task())(t); task != Multilabel {
		t.Error(task)
	}
	decisions := must(model.Decision(background, data))(t)
	for e, expected := range []float64{5.0 / 15, math.Log(3), -5.0 / 15, math.Log(3)} {
		if math.Abs(decisions[e/2][e%2]-expected) > 1e-12 {
			t.Error(decisions)
		}
	}
	if predicted := must(model.Predict(background, data))(t); !reflect.DeepEqual(predicted, []float64{1, 1, 0, 1}) {
		t.Error(predicted)
	}
	sets := must(model.PredictLabelSets(background, data))(t)
	if !reflect.DeepEqual(sets, [][]string{{"red", "blue"}, {"blue"}}) {
		t.Error(sets)
	}
	if accuracy := must(model.Score(background, data, "accuracy"))(t); accuracy != 1 {
		t.Error(accuracy)
	}
}

func TestNamesOfLabelsAreThoseOfTheSetsInAscendingOrder(t *testing.T) {
	model := must(Train(background, twoSets(t, [][]string{{"red", "blue"}, nil}), "kelm", ridge))(t)
	if names := must(model.ClassNames())(t); !reflect.DeepEqual(names, []string{"blue", "red"}) {
		t.Error(names)
	}
}

func TestWhatIsOfOneClassIsRefused(t *testing.T) {
	data := twoSets(t, [][]string{{"red"}, {"blue"}})
	model := must(Train(background, data, "kelm", ridge))(t)
	_, err := model.PredictLabels(background, data)
	expect(t, Unsupported, err)
	if !strings.Contains(err.Error(), "PredictLabelSets") {
		t.Error(err)
	}
	classes := must(NewData(Rows{{0}, {1}}))(t)
	if err := classes.SetLabels([]int64{1, 2}); err != nil {
		t.Fatal(err)
	}
	_, err = must(Train(background, classes, "kelm", ridge))(t).PredictLabelSets(background, classes)
	expect(t, Unsupported, err)
	err = data.SetLabelSets([][]string{{"green"}, nil}, "red")
	expect(t, InvalidArgument, err)
	if !strings.Contains(err.Error(), "row 0 has the label green") {
		t.Error(err)
	}
	expect(t, InvalidArgument, data.SetLabelSets([][]string{{"red"}}))
}
