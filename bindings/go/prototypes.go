// SPDX-License-Identifier: Apache-2.0

package libdk

import "libdk/internal/swig"

// A Weight of a kernel of the bank.
type Weight struct {
	Kernel string
	Weight float64
}

// Weights are those of the kernels of a bank, in its order.
type Weights []Weight

// String is a table with a line for each kernel.
func (w Weights) String() string {
	return textTable(func(line func(cells ...any)) {
		for _, one := range w {
			line(number(one.Weight), one.Kernel)
		}
	})
}

// Weights are those of the kernels of the bank.
func (m *Model) Weights() (weights Weights, err error) {
	err = m.use(func(native swig.NativeModel) error {
		values := make([]float64, native.Kernel_count())
		if err := call(func() { native.Kernel_weights(values) }); err != nil {
			return err
		}
		for k, value := range values {
			weights = append(weights, Weight{native.Kernel_name(int64(k)), value})
		}
		return nil
	})
	return weights, err
}

// A Prototype is one of the two of a decision function f (Graf, Bousquet, Raetsch, Schoelkopf 2008):
// f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), distances in feature space.
type Prototype struct {
	Function int    // from 0; -1 where the model learned prototypes of its own
	Positive bool   // whether it is p+
	Class    string // empty for "all the others", and where there are no classes

	Coefficients []float64 // as a convex combination, one a training row
	NearestRows  []int64   // the training rows nearest to it, nearest first
	Distances    []float64 // of these
}

// Prototypes are p+ and p- of each decision function in turn, or those that the model learned.
func (m *Model) Prototypes() (prototypes []Prototype, err error) {
	err = m.use(func(native swig.NativeModel) error {
		count, rows, neighbours := native.Prototype_count(), native.Training_rows(), native.Prototype_neighbours()
		pairs := native.Prototypes_are_pairs()
		for _, width := range []int64{rows, neighbours} {
			if err := require(count, width); err != nil {
				return err
			}
		}
		classes := make([]int64, count)
		coefficients := make([]float64, count*rows)
		nearest := make([]int64, count*neighbours)
		distances := make([]float64, count*neighbours)
		for _, fill := range []func(){
			func() { native.Prototype_classes(classes) },
			func() { native.Prototype_coefficients(coefficients) },
			func() { native.Prototype_nearest(nearest, distances) },
		} {
			if err := call(fill); err != nil {
				return err
			}
		}
		for p := int64(0); p < count; p++ {
			one := Prototype{Function: -1, Positive: true,
				Coefficients: coefficients[p*rows : (p+1)*rows],
				NearestRows:  nearest[p*neighbours : (p+1)*neighbours],
				Distances:    distances[p*neighbours : (p+1)*neighbours]}
			if pairs {
				one.Function, one.Positive = int(p/2), p%2 == 0
			}
			if classes[p] >= 0 && classes[p] < native.Class_count() {
				one.Class = native.Class_name(classes[p])
			}
			prototypes = append(prototypes, one)
		}
		return nil
	})
	return prototypes, err
}

// ofFunctions is a number for each decision function.
func (m *Model) ofFunctions(fill func(swig.NativeModel, []float64)) (values []float64, err error) {
	err = m.use(func(native swig.NativeModel) error {
		values = make([]float64, native.Decision_count())
		return call(func() { fill(native, values) })
	})
	return values, err
}

// Offsets complete Explain: S / (2 t) of each decision function.
func (m *Model) Offsets() ([]float64, error) {
	return m.ofFunctions(func(native swig.NativeModel, offsets []float64) {
		native.Prototype_offsets(make([]float64, len(offsets)), offsets)
	})
}

// Shifts are S of each decision function, by which its prototypes stand aside from those of equal distance.
func (m *Model) Shifts() ([]float64, error) {
	return m.ofFunctions(func(native swig.NativeModel, shifts []float64) {
		native.Prototype_offsets(shifts, make([]float64, len(shifts)))
	})
}

// Normals are the lengths |w| of the decision functions' normals in feature space.
func (m *Model) Normals() ([]float64, error) { return m.ofFunctions(swig.NativeModel.Normals) }

// DualCoefficients are the decision functions as sums over training rows, functions x training rows: the coefficient of
// each row in each function, with the kernel on rows as the model scales them. Machines whose decisions are no such sums
// have none, which is an error.
func (m *Model) DualCoefficients() (coefficients Rows, err error) {
	err = m.use(func(native swig.NativeModel) error {
		functions, rows := native.Decision_count(), native.Training_rows()
		if err := require(functions, rows); err != nil {
			return err
		}
		values := make([]float64, functions*rows)
		coefficients, err = table(values, int(rows), call(func() { native.Dual_coefficients(values) }))
		return err
	})
	return coefficients, err
}

// DualOffsets complete the sums of DualCoefficients, one a function.
func (m *Model) DualOffsets() ([]float64, error) { return m.ofFunctions(swig.NativeModel.Dual_offsets) }

// PrototypeCoordinates are the prototypes as points among the features, for linear kernels: prototypes x features, in
// the units of the training data.
func (m *Model) PrototypeCoordinates() (coordinates Rows, err error) {
	err = m.use(func(native swig.NativeModel) error {
		count, features := native.Prototype_count(), native.Feature_count()
		if err := require(count, features); err != nil {
			return err
		}
		values := make([]float64, count*features)
		coordinates, err = table(values, int(features), call(func() { native.Prototype_coordinates(values) }))
		return err
	})
	return coordinates, err
}
