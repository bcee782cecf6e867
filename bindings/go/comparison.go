// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"

	"libdk/internal/swig"
)

// MeanRanks are the mean ranks of learners over data sets (Demsar, JMLR 7, 2006), 1 for the best; equal scores share
// ranks. The scores are data sets x learners, 2 to 100,000; the larger is the better.
func MeanRanks(ctx context.Context, scores Matrix, options ...Option) ([]float64, error) {
	flat, _, learners, err := flattened(scores)
	if err != nil {
		return nil, err
	}
	ranks := make([]float64, learners)
	if err := calling(ctx, options, func(control swig.NativeControl) { swig.Mean_ranks(ranks, flat, control) }); err != nil {
		return nil, err
	}
	return ranks, nil
}

// CriticalDifference is the difference of two mean ranks from which on Nemenyi's test tells learners apart at a level,
// which is 0.05 by custom.
func CriticalDifference(learners, sets int, level float64) (difference float64, err error) {
	err = call(func() { difference = swig.Critical_difference(int64(learners), int64(sets), level) })
	return difference, err
}

// PairedTest tells how far two learners lie apart over the same folds.
type PairedTest struct {
	Difference float64 // the mean
	T          float64 // of Student's distribution with a degree less than there are folds
	P          float64 // how likely chance would set equals as far apart, two-sided
}

// ResampledTest is the corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) of two learners on folds
// that share training rows: by the differences of their scores, and the number of a fold's test rows over that of its
// training rows, such as 1.0/9 with ten folds.
func ResampledTest(differences []float64, share float64) (PairedTest, error) {
	found := make([]float64, 3)
	err := call(func() { swig.Resampled_test(found, differences, share) })
	return PairedTest{found[0], found[1], found[2]}, err
}

// A Membership tells whether a selected set has a member.
type Membership int64

// What a set says of a member.
const (
	Absent   Membership = iota - 1 // the set's sample had not the member to select
	Left                           // the set has not the member
	Selected                       // the set has the member
)

func flatSets(selected [][]Membership) (flat []int64, members int64, err error) {
	for i, set := range selected {
		if len(set) != len(selected[0]) {
			return nil, 0, invalid("set %d has %d members, set 0 has %d", i, len(set), len(selected[0]))
		}
		for _, one := range set {
			flat = append(flat, int64(one))
		}
		members = int64(len(set))
	}
	return flat, members, nil
}

// JaccardStability tells how alike the sets are that a learner selects on different samples: their mean Jaccard index,
// among the members that both samples had; NaN where no two sets have one. Selected is sets x members.
func JaccardStability(ctx context.Context, selected [][]Membership, options ...Option) (stability float64, err error) {
	flat, members, err := flatSets(selected)
	if err != nil {
		return 0, err
	}
	err = calling(ctx, options, func(control swig.NativeControl) {
		stability = swig.Jaccard_stability(flat, members, control)
	})
	return stability, err
}

// SelectionStability is that of Nogueira, Sechidis and Brown (JMLR 18, 2018): 1 where all sets are the same, 0 on average
// where chance selects, NaN where that is not defined. Selected is sets x members without any that is absent.
func SelectionStability(selected [][]Membership) (stability float64, err error) {
	flat, members, err := flatSets(selected)
	if err != nil {
		return 0, err
	}
	err = call(func() { stability = swig.Selection_stability(flat, members) })
	return stability, err
}

// PrototypeMeasures tell how well people can read each prototype, from 0 to 1 (Hosseini and Hammer, CIKM 2019); NaN where
// a prototype has no such measure.
type PrototypeMeasures struct {
	Purity      []float64 // the largest share of one class in the magnitudes of its coefficients
	Compactness []float64 // near 1 where the rows that make it are near each other in feature space
}

// PrototypeMeasures measures the prototypes by the labelled rows of which the model was trained.
func (m *Model) PrototypeMeasures(ctx context.Context, training *Data, options ...Option) (measures PrototypeMeasures, err error) {
	err = m.use(func(model swig.NativeModel) error {
		return training.use(func(rows swig.NativeData) error {
			count := model.Prototype_count()
			measures = PrototypeMeasures{make([]float64, count), make([]float64, count)}
			return calling(ctx, options, func(control swig.NativeControl) {
				model.Prototype_measures(measures.Purity, measures.Compactness, rows, control)
			})
		})
	})
	return measures, err
}
