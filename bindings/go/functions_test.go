// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// Functions of dk.h that are not part of every program: callbacks, graphs, single precision, comparisons, sizes.

func signs(count int) []int64 {
	labels := make([]int64, count)
	for i := range labels {
		labels[i] = int64(i % 2)
	}
	return labels
}

func setLabels(t *testing.T, data *Data, err error) *Data {
	t.Helper()
	if err == nil {
		rows, _ := data.Dims()
		err = data.SetLabels(signs(rows))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSimilaritiesAreAskedFor(t *testing.T) {
	x := points(1)
	whole, err := NewSimilarity(rows, rows, func(out []float64, some, training []int64) error {
		for a, i := range some {
			for b, j := range training {
				out[a*len(training)+b] = x[i][0]*x[j][0] + x[i][1]*x[j][1]
			}
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int64, rows)
	for i := range all {
		all[i] = int64(i)
	}
	asked := setLabels(t, must(whole.Select(all))(t), nil)
	// a selection asks after the data that it comes from are gone
	whole.Close()
	whole = nil
	runtime.GC()
	runtime.GC()
	plain, err := NewData(x)
	plain = setLabels(t, plain, err)
	model := must(Train(background, asked, "svm", Params{"kernel": "gram(0)", "tolerance": 1e-8}))(t)
	same := must(Train(background, plain, "svm", Params{"kernel": "linear", "tolerance": 1e-8}))(t)
	decisions := must(model.Decision(background, asked))(t)
	for i, expected := range must(same.Decision(background, plain))(t) {
		if math.Abs(decisions[i][0]-expected[0]) > 1e-5 {
			t.Fatal(i, decisions[i], expected)
		}
	}
}

func TestErrorsOfCallbacksComeOutOfTheCall(t *testing.T) {
	lost := errors.New("no such row")
	data, err := NewSimilarity(8, 8, func([]float64, []int64, []int64) error { return lost }, nil)
	data = setLabels(t, data, err)
	for i := 0; i < 3; i++ {
		if _, err := Train(background, data, "svm", Params{"kernel": "gram(0)"}); !errors.Is(err, lost) {
			t.Fatal(err)
		}
	}
	panicking, err := NewSimilarity(8, 8, func([]float64, []int64, []int64) error { panic("out of range") }, nil)
	panicking = setLabels(t, panicking, err)
	if _, err := Train(background, panicking, "svm", Params{"kernel": "gram(0)"}); err == nil ||
		!strings.Contains(err.Error(), "out of range") {
		t.Error(err)
	}
	// a failure that the function has handled is none of the call
	handled, err := NewSimilarity(8, 8, func(out []float64, some, training []int64) error {
		if _, err := labelled(t).FeatureName(99); err == nil {
			return errors.New("there is no column 99")
		}
		for i := range out {
			out[i] = 0.5
		}
		for a, i := range some {
			for b, j := range training {
				if i == j {
					out[a*len(training)+b] = 1
				}
			}
		}
		return nil
	}, nil)
	handled = setLabels(t, handled, err)
	if _, err := Train(background, handled, "svm", Params{"kernel": "gram(0)"}); err != nil {
		t.Error(err)
	}
	if _, err := Train(background, labelled(t), "svm", Params{"C": -1}); errors.Is(err, lost) {
		t.Fatal("the next failure is that of a callback")
	}
}

func TestPointsHaveSimilarities(t *testing.T) {
	x := points(2)
	flat := make([]float64, 0, 2*rows)
	for _, row := range x {
		flat = append(flat, row...)
	}
	data, err := NewPointSimilarity(flat, rows, 2, func(out, points []float64, some []int64) error {
		count := len(points) / 2
		for a, i := range some {
			for j := 0; j < count; j++ {
				d := []float64{x[i][0] - points[2*j], x[i][1] - points[2*j+1]}
				out[a*count+j] = math.Exp(-d[0]*d[0] - d[1]*d[1])
			}
		}
		return nil
	})
	data = setLabels(t, data, err)
	model := must(Train(background, data, "super_sparse", Params{"kernel": "similarity", "prototypes": 4}))(t)
	if counts := must(model.Counts())(t); counts.Prototypes != 4 {
		t.Error(counts)
	}
	if accuracy := must(model.Score(background, data, "accuracy"))(t); accuracy < 0.8 {
		t.Error(accuracy)
	}
}

func TestGraphsHaveLabelledNodesAndEdges(t *testing.T) {
	graphs := must(NewGraphs([]Graph{
		{Nodes: []int64{0, 0, 0}, Edges: [][2]int64{{0, 1}, {1, 2}, {2, 0}}},
		{Nodes: []int64{0, 0}, Edges: [][2]int64{{0, 1}}},
	}))(t)
	if kind := must(graphs.Kind())(t); kind != Graphs {
		t.Error(kind)
	}
	k := must(Gram(background, graphs, nil, "weisfeiler_lehman(iterations=0)"))(t)[0]
	if !reflect.DeepEqual(k, Rows{{9, 6}, {6, 4}}) {
		t.Error(k)
	}
}

func TestSinglePrecisionAndProductsAreNear(t *testing.T) {
	x := points(1)
	single := make([]float32, 0, 2*rows)
	v := make(Rows, rows)
	for i, row := range x {
		single = append(single, float32(row[0]), float32(row[1]))
		v[i] = []float64{float64(i), 1}
	}
	data := must(NewData(x))(t)
	floats := must(NewDataFromFloat32(single, rows, 2))(t)
	const kernel = "rbf(gamma=0.5)"
	k := must(Gram(background, data, nil, kernel))(t)[0]
	near := must(GramSingle(background, floats, data, kernel))(t)
	product := must(GramProduct(background, data, data, kernel, v))(t)
	for _, wrong := range []Matrix{nil, Rows{}, Rows{{1, 2}, {1}}, v[1:]} {
		_, err := GramProduct(background, data, data, kernel, wrong)
		expect(t, InvalidArgument, err)
	}
	for i := range k {
		for j := range k {
			if math.Abs(k[i][j]-float64(near[i*rows+j])) > 1e-5 {
				t.Fatal(i, j)
			}
		}
		for c := 0; c < 2; c++ {
			sum := 0.0
			for j := range k {
				sum += k[i][j] * v[j][c]
			}
			if math.Abs(sum-product[i][c]) > 1e-9 {
				t.Fatal(i, c)
			}
		}
	}
	if count := must(data.KernelCount("[linear, rbf]"))(t); count != 2 {
		t.Error(count)
	}
}

func TestWeightsAreComparedAndSizesAreTold(t *testing.T) {
	data := labelled(t)
	if err := data.SetFeatureNames([]string{"height", "width"}); err != nil {
		t.Fatal(err)
	}
	model := must(CompareWeights(background, data, "svm",
		Params{"kernel": []string{"linear", "rbf(gamma=0.5)"}, "folds": 3}))(t)
	if info := must(model.Info())(t); !strings.Contains(info, `"candidates"`) {
		t.Error(info)
	}
	counts := must(model.Counts())(t)
	kernels, prototypes := len(must(model.Weights())(t)), len(must(model.Prototypes())(t))
	if counts != (Counts{2, 2, 1, 1, int64(kernels), int64(prototypes), rows, 0}) {
		t.Error(counts)
	}
	if name := must(data.FeatureName(1))(t); name != "width" {
		t.Error(name)
	}
	if labels := must(data.Labels())(t); labels[0] != 3 || labels[1] != 7 {
		t.Error(labels)
	}
	if values := must(data.Values())(t); !reflect.DeepEqual(values, points(1)) {
		t.Error("values differ")
	}
	if classes := must(model.Classes())(t); !reflect.DeepEqual(classes, []int64{3, 7}) {
		t.Error(classes)
	}
	confusion := must(model.Confusion(background, data))(t)
	accuracy := must(model.Score(background, data, "accuracy"))(t)
	if math.Abs(float64(confusion[0][0]+confusion[1][1])/rows-accuracy) > 1e-12 {
		t.Error(confusion, accuracy)
	}
	if !strings.Contains(BuildInfo(), Version()) {
		t.Error(BuildInfo())
	}
}

func TestFunctionsHaveShiftsOffsetsAndNormals(t *testing.T) {
	model := must(Train(background, labelled(t), "mean_of_class", Params{"kernel": "linear"}))(t)
	p := must(model.PrototypeCoordinates())(t)
	// f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), whose normal is (p+ - p-) / t
	scale := math.Hypot(p[0][0]-p[1][0], p[0][1]-p[1][1]) / must(model.Normals())(t)[0]
	shift, offset := must(model.Shifts())(t)[0], must(model.Offsets())(t)[0]
	if math.Abs(offset-shift/(2*scale)) > 1e-9 {
		t.Error(shift, offset, scale)
	}
}

func TestProgressIsHeard(t *testing.T) {
	x := make([]float64, 6000)
	for i := range x {
		x[i] = math.Sin(float64(i * i))
	}
	data, err := NewDataFromSlice(x, 3000, 2)
	data = setLabels(t, data, err)
	var heard atomic.Int64
	_, err = Train(background, data, "svm", Params{"C": 1e4, "tolerance": 1e-9, "max_iterations": 300000},
		Progress(func(fraction float64) {
			if fraction < 0 || fraction > 1 {
				t.Error(fraction)
			}
			heard.Add(1)
		}))
	if err != nil {
		t.Fatal(err)
	}
	if heard.Load() == 0 {
		t.Error("no progress was heard")
	}
}
