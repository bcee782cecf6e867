// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"encoding/json"

	"libdk/internal/swig"
)

// MoveThreshold gives the same model with another threshold between its two classes, chosen on labelled rows of which
// training must have seen none. A goal is such as "false_alarms=0.05": at most this share of new rows of the first class
// are taken for the second, with "sure=0.95" over the rows it is learned of (Tong, Feng, Li 2018); or "miss_cost=5": errors
// cost least where a row of the second class that is missed costs so many times the opposite. Probabilities stay.
func (m *Model) MoveThreshold(ctx context.Context, data *Data, goal string, options ...Option) (*Model, error) {
	return m.made(ctx, data, options, func(native swig.NativeModel, rows swig.NativeData, control swig.NativeControl) swig.NativeModel {
		return native.Move_threshold(rows, goal, control)
	})
}

// Update gives the model of the rows that this one keeps and of further ones, which have labels or targets, without the
// rows of some numbers; further is nil where rows are only forgotten. Further rows have the next numbers. Scaling and kernel
// stay as they are. A machine that keeps all rows (kelm, kernel_ridge) becomes what training on all of them would make, an
// svm learns from its support vectors and the further rows (dk_model_update in dk.h). This model, trained with updatable=yes,
// stays as it is.
func (m *Model) Update(ctx context.Context, further *Data, forget []int64, options ...Option) (*Model, error) {
	if further != nil {
		return m.made(ctx, further, options, func(native swig.NativeModel, rows swig.NativeData, control swig.NativeControl) swig.NativeModel {
			return native.Update(rows, forget, control)
		})
	}
	var made swig.NativeModel
	err := m.use(func(native swig.NativeModel) error {
		return calling(ctx, options, func(control swig.NativeControl) { made = native.Forget(forget, control) })
	})
	if err != nil {
		return nil, err
	}
	return newModel(made), nil
}

// Drift tells how far new rows lie from known ones in a model's feature space.
type Drift struct {
	Distance float64 // between the means of both
	Usual    float64 // the median of the distance where both are mixed at random
	P        float64 // how likely the distance is at least as large where both come from one source
}

// Drift tests whether rows come as known ones did, by a kernel two-sample test with 999 permutations (Gretton et al. 2012).
// The known rows are those of reference, such as the training rows; nil stands for the training rows if the model keeps
// all. At most 2000 rows of each side take part, which the seed draws.
func (m *Model) Drift(ctx context.Context, data, reference *Data, seed int64, options ...Option) (Drift, error) {
	found := make([]float64, 3)
	err := m.use(func(model swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			if reference == nil {
				return calling(ctx, options, func(control swig.NativeControl) { model.Drift(found, rows, seed, control) })
			}
			return reference.use(func(known swig.NativeData) error {
				return calling(ctx, options, func(control swig.NativeControl) {
					model.Drift_with(found, rows, known, seed, control)
				})
			})
		})
	})
	return Drift{found[0], found[1], found[2]}, err
}

// Warning is what whoever uses a model should know.
type Warning struct {
	About string // such as "convergence", "leak" or "copied rows" (dk_model_warnings in dk.h)
	Text  string // a sentence
}

// String is what the warning is about, and its sentence.
func (w Warning) String() string { return w.About + ": " + w.Text }

// Warnings are what looked wrong with the training rows, how columns were scaled, whether training converged, and what the
// scores of the model are worth; none where nothing is to be said.
func (m *Model) Warnings() ([]Warning, error) {
	var text string
	if err := m.call(func(native swig.NativeModel) { text = native.Warnings() }); err != nil {
		return nil, err
	}
	var told struct{ Warnings []Warning }
	err := json.Unmarshal([]byte(text), &told)
	return told.Warnings, err
}

// String is the report of the model, with a line for each warning.
func (m *Model) String() string {
	report, err := m.Report()
	if err != nil {
		return err.Error()
	}
	text := report.String()
	warnings, err := m.Warnings()
	if err != nil {
		return err.Error()
	}
	for _, warning := range warnings {
		text += "warning: " + warning.String() + "\n"
	}
	return text
}
