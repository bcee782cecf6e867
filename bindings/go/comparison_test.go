// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"math"
	"testing"
)

func near(t *testing.T, expected, found float64) {
	t.Helper()
	if !(math.Abs(expected-found) <= 1e-6) {
		t.Errorf("expected %v, got %v", expected, found)
	}
}

func TestRanksHaveACriticalDifference(t *testing.T) {
	ranks := must(MeanRanks(background, Rows{{0.9, 0.8, 0.7}, {0.5, 0.5, 0.6}}))(t)
	for i, expected := range []float64{1.75, 2.25, 2} {
		near(t, expected, ranks[i])
	}
	near(t, 1.959964/math.Sqrt(6), must(CriticalDifference(2, 6, 0.05))(t))
	_, err := CriticalDifference(1, 6, 0.05)
	expect(t, InvalidArgument, err)
	_, err = MeanRanks(background, Rows{{1, math.NaN()}})
	expect(t, InvalidData, err)
}

func TestFoldsShareTrainingRows(t *testing.T) {
	test := must(ResampledTest([]float64{1, 2, 3}, 0.5))(t)
	near(t, 2, test.Difference)
	near(t, 2/math.Sqrt(5.0/6), test.T)
	near(t, 1-test.T/math.Sqrt(2+test.T*test.T), test.P)
}

func TestSelectionsAreMoreOrLessStable(t *testing.T) {
	seen := [][]Membership{{Selected, Selected, Left, Absent}, {Absent, Selected, Selected, Left}}
	near(t, 0.5, must(JaccardStability(background, seen))(t))
	subsets := [][]Membership{{Selected, Selected, Left}, {Selected, Selected, Left}, {Selected, Left, Left}}
	near(t, 0.55, must(SelectionStability(subsets))(t))
	if one := must(SelectionStability(subsets[:1]))(t); !math.IsNaN(one) {
		t.Error(one)
	}
	_, err := SelectionStability(seen)
	expect(t, InvalidArgument, err)
	_, err = SelectionStability([][]Membership{{Selected, Left}, {Left}})
	expect(t, InvalidArgument, err)
}

func TestMeansOfClassesArePureAndCompactInPart(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "mean_of_class", Params{"kernel": "rbf(gamma=0.5)"}))(t)
	measures := must(model.PrototypeMeasures(background, data))(t)
	for p, purity := range measures.Purity {
		near(t, 1, purity)
		if compactness := measures.Compactness[p]; !(compactness > 0 && compactness < 1) {
			t.Error(compactness)
		}
	}
}
