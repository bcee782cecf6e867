// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"errors"
	"reflect"
	"testing"
)

func TestFoldsDivideNoGroup(t *testing.T) {
	data := must(NewDataFromSlice(make([]float64, 7), 7, 1))(t)
	if err := data.SetGroups([]int64{5, 9, 5, -2, 9, 9, -2}); err != nil {
		t.Fatal(err)
	}
	folds := must(data.Folds(2, 1))(t)
	for i, fold := range []int64{1, 0, 1, 1, 0, 0, 1} {
		if folds[i] != fold {
			t.Errorf("row %d is in fold %d", i, folds[i])
		}
	}
	_, err := data.Folds(4, 1)
	expect(t, InvalidArgument, err)
	expect(t, InvalidArgument, data.SetGroups([]int64{1, 2}))
}

func TestRowsAreSelectedByAFunction(t *testing.T) {
	data := labelled(t)
	odd := must(data.SelectFunc(func(row int) bool { return row%2 == 1 }))(t)
	if all, some := must(data.Values())(t), must(odd.Values())(t); len(some) != rows/2 || !reflect.DeepEqual(some[1], all[3]) {
		t.Error(some)
	}
	_, err := data.SelectFunc(func(int) bool { return false })
	expect(t, InvalidArgument, err)
	data.Close()
	if _, err := data.SelectFunc(func(int) bool { return true }); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestOtherKindsOfData(t *testing.T) {
	expected := []float64{0, 1, 0, 1}
	series := must(NewSeries([]float64{0, 1, 2, 5, 5, 0, 1, 5, 6, 5}, []int64{3, 2, 2, 3}, 1))(t)
	similar := must(NewSimilarities([]float64{2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2}, 4, 4))(t)
	texts := must(NewStrings([]string{"aaa", "bbb", "aab", "bba"}))(t)
	for kernel, data := range map[string]*Data{"gak": series, "gram(0)": similar, "spectrum(length=1)": texts} {
		if err := data.SetLabels([]int64{0, 1, 0, 1}); err != nil {
			t.Fatal(err)
		}
		model := must(Train(background, data, "svm", Params{"kernel": kernel}))(t)
		for i, label := range must(model.Predict(background, data))(t) {
			if label != expected[i] {
				t.Errorf("%s: row %d is %v", kernel, i, label)
			}
		}
	}
	// As many rows to predict as training rows are told from these: their diagonal is no similarity to themselves.
	normalized := must(Train(background, similar, "svm", Params{"kernel": "normalize(gram(0))"}))(t)
	others := []float64{3, 0, 1, 0, 1, 1, 0, 2, 0, 1, 4, 0, 0, 2, 0, 1}
	_, err := normalized.Predict(background, must(NewSimilarities(others, 4, 4))(t))
	expect(t, InvalidData, err)
	known := must(NewSimilarityBank([][]float64{others}, 4, 4, [][]float64{{4, 2, 5, 2}}))(t)
	if predicted := must(normalized.Predict(background, known))(t); !reflect.DeepEqual(predicted, expected) {
		t.Error(predicted)
	}
	sparse := must(NewSparse([]int64{0, 1, 2}, []int64{0, 2}, []float64{1, 2}, 3))(t)
	gram := must(Gram(background, sparse, nil, "linear"))(t)[0]
	if gram[0][0] != 1 || gram[0][1] != 0 || gram[1][1] != 4 {
		t.Error(gram)
	}
}

// transposed has the methods of gonum's mat.Matrix: what implements those is taken as it is.
type transposed struct{ matrix matMatrix }

type matMatrix interface {
	Dims() (r, c int)
	At(i, j int) float64
	T() matMatrix
}

func (t transposed) Dims() (r, c int)    { c, r = t.matrix.Dims(); return r, c }
func (t transposed) At(i, j int) float64 { return t.matrix.At(j, i) }
func (t transposed) T() matMatrix        { return t.matrix }

// strided is a part of a larger matrix, as gonum's mat.Dense gives it.
type strided struct {
	values             []float64
	rows, cols, stride int
}

func (s strided) Dims() (r, c int)    { return s.rows, s.cols }
func (s strided) At(i, j int) float64 { return s.values[i*s.stride+j] }
func (s strided) T() matMatrix        { return transposed{s} }

func TestMatricesOfGonumAreData(t *testing.T) {
	x := strided{[]float64{1, 2, 3, -1, 4, 5, 6, -1}, 2, 3, 4}
	for _, pair := range []struct {
		matrix   matMatrix
		expected Rows
	}{
		{x, Rows{{1, 2, 3}, {4, 5, 6}}},
		{x.T(), Rows{{1, 4}, {2, 5}, {3, 6}}},
		{x.T().T(), Rows{{1, 2, 3}, {4, 5, 6}}},
	} {
		data := must(NewData(pair.matrix))(t)
		if values := must(data.Values())(t); !reflect.DeepEqual(values, pair.expected) {
			t.Error(values)
		}
	}
}
