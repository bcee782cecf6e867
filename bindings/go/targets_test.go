// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"math"
	"reflect"
	"testing"
)

// Two rows whose kernel value is 1/2 give with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose inverse is [8 -2; -2 8] / 15.
var ridge = Params{"kernel": "rbf(gamma=0.6931471805599453)", "scale": "none"}

func twoRows(t *testing.T, targets ...float64) *Data {
	data := must(NewData(Rows{{0}, {1}}))(t)
	if err := data.SetTargets(targets); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSeveralTargetsAreLearnedAtOnce(t *testing.T) {
	data := twoRows(t, 1, 10, 2, 20)
	model := must(Train(background, data, "kernel_ridge", ridge))(t)
	if counts := must(model.Counts())(t); counts.Targets != 2 {
		t.Error(counts)
	}
	found := must(model.Predict(background, data))(t)
	for i, expected := range []float64{11.0 / 15, 110.0 / 15, 16.0 / 15, 160.0 / 15} {
		if math.Abs(found[i]-expected) > 1e-12 {
			t.Error(found)
		}
	}
	_, err := Train(background, data, "svr", nil)
	expect(t, Unsupported, err)
}

func TestRowsAreAnsweredInOnePass(t *testing.T) {
	var rows Rows
	var flat []float64
	var labels []int64
	for i := 0; i < 30; i++ {
		rows = append(rows, []float64{float64(i), float64(i % 3)})
		flat = append(flat, rows[i]...)
		labels = append(labels, int64(1+i/15))
	}
	data := must(NewData(rows))(t)
	if err := data.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	model := must(Train(background, data, "svm", Params{"probability": "yes"}))(t)
	answers := must(model.PredictRows(background, flat, 2))(t)
	expected := RowAnswers{must(model.Predict(background, data))(t), must(model.Decision(background, data))(t),
		must(model.Probability(background, data))(t)}
	if !reflect.DeepEqual(*answers, expected) {
		t.Error(answers, expected)
	}
	plain := must(Train(background, data, "svm", nil))(t)
	if must(plain.HasProbabilities())(t) || must(plain.PredictRows(background, flat, 2))(t).Probabilities != nil {
		t.Error("probabilities of a model without")
	}
	_, err := plain.PredictRows(background, flat, 3)
	expect(t, Dimension, err)
	_, err = plain.PredictRows(background, []float64{1, math.NaN()}, 2)
	expect(t, InvalidData, err)
	_, err = plain.PredictRows(background, flat, 7)
	expect(t, InvalidArgument, err)
	_, err = plain.PredictRows(background, nil, 2)
	expect(t, InvalidArgument, err)
	filling := must(Train(background, data, "svm", Params{"impute": "mean"}))(t)
	if must(filling.PredictRows(background, []float64{1, math.NaN()}, 2))(t).Predictions[0] != 1 {
		t.Error("a value that is missing is not filled")
	}
}

func TestDeviationsAreThoseOfAGaussianProcess(t *testing.T) {
	data := twoRows(t, 1, 2)
	model := must(Train(background, data, "kernel_ridge", ridge))(t)
	for _, deviation := range must(model.Deviation(background, data))(t) {
		if math.Abs(deviation-math.Sqrt(1-8.0/15)) > 1e-12 {
			t.Error(deviation)
		}
	}
	coefficients, offsets := must(model.DualCoefficients())(t), must(model.DualOffsets())(t)
	if offsets[0] != 0 || math.Abs(coefficients[0][0]-4.0/15) > 1e-12 || math.Abs(coefficients[0][1]-14.0/15) > 1e-12 {
		t.Error(coefficients, offsets)
	}
	_, err := must(Train(background, data, "svr", nil))(t).Deviation(background, data)
	expect(t, Unsupported, err)
}

func TestClustersAreNumberedByTheirSizes(t *testing.T) {
	data := must(NewData(Rows{{0}, {0.1}, {5}, {5.1}, {5.2}}))(t)
	model := must(Train(background, data, "kernel_k_means", Params{"clusters": 2, "kernel": "linear"}))(t)
	if task := must(model.Task())(t); task != Clustering {
		t.Error(task)
	}
	found := must(model.Predict(background, data))(t)
	for i, expected := range []float64{1, 1, 0, 0, 0} {
		if found[i] != expected {
			t.Error(found)
		}
	}
}
