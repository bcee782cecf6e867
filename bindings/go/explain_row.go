// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"libdk/internal/swig"
)

// A Share is a part of an answer.
type Share struct {
	Contribution float64 // what it adds to the answer
	Share        float64 // in percent, of the sign of the contribution; the magnitudes of all parts sum to 100
}

// A Pull is what draws a row towards its prediction, or away from it.
type Pull struct {
	Share
	Source int64    // the prototype, the training row or the kernel, from 0
	Class  string   // of a prototype, or of a training row where these rows were given
	Target *float64 // of a training row of a regression where these rows were given
	Kernel string   `json:"text"`   // of a kernel its specification
	Weight *float64 `json:"weight"` // of a kernel its weight in the bank
}

// UnmarshalJSON reads the source under the name that its kind has.
func (p *Pull) UnmarshalJSON(content []byte) error {
	type plain Pull
	var pull struct {
		plain
		Prototype, Row, Kernel *int64
	}
	if err := json.Unmarshal(content, &pull); err != nil {
		return err
	}
	*p = Pull(pull.plain)
	for _, source := range []*int64{pull.Prototype, pull.Row, pull.Kernel} {
		if source != nil {
			p.Source = *source
		}
	}
	return nil
}

// name is whom the user knows it as.
func (p Pull) name() string {
	if p.Kernel != "" {
		return p.Kernel
	}
	return p.Class + told(p.Target)
}

// Others are the sources that are not listed one by one, together.
type Others struct {
	Share
	Count int64
}

// Pulls are an answer taken apart: contributions, those of others and the offset sum to it.
type Pulls struct {
	Pulls  []Pull  // the strongest first
	Offset Share   // what no source is the cause of
	Others *Others // nil where all are listed
}

// printed are how many of each kind a text lists.
const printed = 5

func (p Pulls) table(source string) string {
	return textTable(func(line func(cells ...any)) {
		write := func(name string, known string, share Share) {
			line(name, known, number(share.Contribution), fmt.Sprintf("%+.1f %%", share.Share))
		}
		line(source, "", "contribution", "share")
		var left Others
		for i, pull := range p.Pulls {
			if i < printed {
				write(fmt.Sprint(pull.Source), pull.name(), pull.Share)
				continue
			}
			left.add(1, pull.Share)
		}
		if p.Others != nil {
			left.add(p.Others.Count, p.Others.Share)
		}
		if left.Count > 0 {
			write(fmt.Sprint(left.Count, " others"), "", left.Share)
		}
		write("offset", "", p.Offset)
	})
}

func (o *Others) add(count int64, share Share) {
	o.Count += count
	o.Contribution += share.Contribution
	o.Share.Share += share.Share
}

// String is a table: the strongest, all others together, and the offset.
func (p Pulls) String() string { return p.table("source") }

// A Change is a feature of a row that changes.
type Change struct {
	Feature    string  // its name
	Column     int     // its position, from 0
	From       float64 // the value that the row has; NaN where it misses one
	To         float64 // the value with which the prediction turns
	Deviations float64 // the change in standard deviations of the feature
}

// UnmarshalJSON makes NaN of numbers that are not there.
func (c *Change) UnmarshalJSON(content []byte) error {
	type plain Change
	change := plain{From: math.NaN(), Deviations: math.NaN()}
	err := json.Unmarshal(content, &change)
	*c = Change(change)
	return err
}

// A Counterfactual is a small change of few features with which the prediction would be another one (Moosavi-Dezfooli,
// Fawzi, Frossard 2016, or towards the nearest row of another class).
type Counterfactual struct {
	Prediction string   // the class of the changed row
	Distance   float64  // the length of the change, in deviations of the features
	Changes    []Change // the largest in deviations first
}

// Applied is a copy of a row with the changes, which the model takes for Prediction.
func (c Counterfactual) Applied(row []float64) []float64 {
	changed := append([]float64(nil), row...)
	for _, change := range c.Changes {
		changed[change.Column] = change.To
	}
	return changed
}

// String is a table of the strongest changes.
func (c Counterfactual) String() string {
	return textTable(func(line func(cells ...any)) {
		line("feature", "from", "to", "deviations")
		for i, change := range c.Changes {
			if i == printed {
				line(fmt.Sprint("and ", len(c.Changes)-printed, " more"))
				return
			}
			line(change.Feature, number(change.From), number(change.To), number(change.Deviations))
		}
	})
}

// NearestOther is the nearest training row that the model takes for another class.
type NearestOther struct {
	Row        int64   // from 0
	Prediction string  // the class that the model gives it
	Distance   float64 // in deviations of the features; of rows that are not dense in feature space
}

// An Influence is what a training row did for an answer.
type Influence struct {
	Row    int64    // from 0
	Change float64  // by how much the answer is larger than it would be without the row
	Class  string   // of the row, where the training rows were given
	Target *float64 // of the row of a regression, where the training rows were given
}

// Influences tell by how much an answer is larger than it would be without each training row: of ridge machines in closed
// form (Cook 1979), of support vector machines what the rows on the margin make of it (Cauwenberghs, Poggio 2000).
type Influences struct {
	Exact bool        // whether training anew without the row would give this
	Rows  []Influence // the strongest first
}

// String is a table of the strongest.
func (i Influences) String() string {
	return textTable(func(line func(cells ...any)) {
		line("row", "", "change")
		for position, one := range i.Rows {
			if position < printed {
				line(one.Row, one.Class+told(one.Target), number(one.Change))
			}
		}
	})
}

// RowExplanation tells why a row is of its class, and not of the next best one. What a model does not know is nil.
type RowExplanation struct {
	Row            int64           // its position in the data, from 0
	Prediction     string          `json:"-"`          // the class; empty for a regression, whose value is the answer
	InsteadOf      string          `json:"instead_of"` // the class that it would be of otherwise; empty for a regression
	Answer         float64         // the decision between both, positive for the prediction; or the value of a regression
	Distance       *float64        // the answer as a distance in feature space
	Probability    *float64        // that of the class
	Prototypes     Pulls           // what each prototype adds to the answer
	TrainingRows   *Pulls          `json:"training_rows"` // what each training row behind them adds
	Kernels        *Pulls          // what each kernel of the bank adds
	Counterfactual *Counterfactual // the change that would turn the prediction
	NearestOther   *NearestOther   `json:"nearest_other"` // known where the training rows were given
	Influences     *Influences     // what training with each row did for the answer
}

// UnmarshalJSON reads the class where there is one.
func (r *RowExplanation) UnmarshalJSON(content []byte) error {
	type plain RowExplanation
	var explanation struct {
		plain
		Predicted any `json:"prediction"`
	}
	if err := json.Unmarshal(content, &explanation); err != nil {
		return err
	}
	*r = RowExplanation(explanation.plain)
	r.Prediction, _ = explanation.Predicted.(string)
	return nil
}

// String has small tables: the answer, what pulls, the counterfactual and the influences.
func (r RowExplanation) String() string {
	parts := []string{textTable(func(line func(cells ...any)) {
		line("row", r.Row)
		if r.Prediction != "" {
			line("prediction", r.Prediction)
			line("instead of", r.InsteadOf)
		}
		line("answer", number(r.Answer))
		if r.Distance != nil {
			line("distance", told(r.Distance))
		}
		if r.Probability != nil {
			line("probability", told(r.Probability))
		}
	}), r.Prototypes.table("prototype")}
	if r.TrainingRows != nil {
		parts = append(parts, r.TrainingRows.table("training row"))
	}
	if r.Kernels != nil {
		parts = append(parts, r.Kernels.table("kernel"))
	}
	if other := r.NearestOther; other != nil {
		parts = append(parts, fmt.Sprintf("nearest training row that is %s: %d, distance %s", other.Prediction, other.Row,
			number(other.Distance)))
	}
	if turned := r.Counterfactual; turned != nil {
		parts = append(parts, fmt.Sprintf("it would be %s with\n%v", turned.Prediction, turned))
	}
	if r.Influences != nil {
		about := " about"
		if r.Influences.Exact {
			about = ""
		}
		parts = append(parts, fmt.Sprintf("training with these rows changed the answer by%s\n%v", about, r.Influences))
	}
	return strings.Join(parts, "\n\n")
}

// ExplainRow tells why a row of data got its prediction and not the next best one: what prototypes, training rows and
// kernels add to the answer, what would turn it (Moosavi-Dezfooli et al. 2016), and what each training row did for it (Cook
// 1979, Cauwenberghs and Poggio 2000). training are the rows that the model was trained with, or nil: with them rows have
// their classes, and the nearest row of another class is known.
func (m *Model) ExplainRow(ctx context.Context, data *Data, row int64, training *Data, options ...Option) (*RowExplanation, error) {
	var text string
	err := m.withRows(ctx, data, training, options,
		func(model swig.NativeModel, rows, known swig.NativeData, control swig.NativeControl) {
			if known == nil {
				text = model.Explain_row(rows, row, control)
			} else {
				text = model.Explain_row_with(rows, row, known, control)
			}
		})
	if err != nil {
		return nil, err
	}
	explanation := new(RowExplanation)
	if err := json.Unmarshal([]byte(text), explanation); err != nil {
		return nil, err
	}
	return explanation, nil
}

// withRows runs a call with rows and the training rows, which are nil where there are none.
func (m *Model) withRows(ctx context.Context, data, training *Data, options []Option,
	native func(model swig.NativeModel, rows, known swig.NativeData, control swig.NativeControl)) error {
	return m.use(func(model swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			run := func(known swig.NativeData) error {
				return calling(ctx, options, func(control swig.NativeControl) { native(model, rows, known, control) })
			}
			if training == nil {
				return run(nil)
			}
			return training.use(run)
		})
	})
}
