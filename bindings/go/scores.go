// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// MetricScore is what a metric was in a cross-validation.
type MetricScore struct {
	Mean      float64   // over the folds; NaN where no fold has the metric
	Deviation float64   // the standard deviation over the folds; NaN where no fold has the metric
	Folds     []float64 // of each fold that has the metric, repeat after repeat
}

// UnmarshalJSON makes NaN of numbers that are not there.
func (m *MetricScore) UnmarshalJSON(content []byte) error {
	type plain MetricScore
	score := plain{Mean: math.NaN(), Deviation: math.NaN()}
	err := json.Unmarshal(content, &score)
	*m = MetricScore(score)
	return err
}

// BehindBest tells how far a candidate is behind the best, by the corrected resampled t-test (Nadeau and Bengio 2003).
type BehindBest struct {
	Difference float64 // the mean difference over the folds
	T          float64 // the statistic; NaN where it is not defined
	P          float64 // the probability of such a difference between equals; NaN where it is not defined
}

// UnmarshalJSON makes NaN of numbers that are not there.
func (b *BehindBest) UnmarshalJSON(content []byte) error {
	type plain BehindBest
	test := plain{math.NaN(), math.NaN(), math.NaN()}
	err := json.Unmarshal(content, &test)
	*b = BehindBest(test)
	return err
}

// A Candidate is a combination of parameters that a cross-validation scored.
type Candidate struct {
	Parameters ParametersText         // what it sets; empty without a grid
	Metrics    map[string]MetricScore // by name
	BehindBest *BehindBest            `json:"behind_best"` // nil where nothing was compared
}

// ParametersText are parameters as a text such as "kernel=linear C=10".
type ParametersText string

// UnmarshalJSON keeps the parameters in the order in which the library gives them.
func (p *ParametersText) UnmarshalJSON(content []byte) error {
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return err
	}
	var pairs []string
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var value string
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		pairs = append(pairs, fmt.Sprintf("%v=%s", key, value))
	}
	*p = ParametersText(strings.Join(pairs, " "))
	return nil
}

// NestedScores are those of the whole choice on rows that had no part in it (parameter outer_folds).
type NestedScores struct {
	Folds   int                    // outer ones
	Metrics map[string]MetricScore // by name
	Chosen  []ParametersText       // in each outer fold
}

// KernelStability is what a kernel of a bank weighs on random halves of the rows.
type KernelStability struct {
	Kernel    string
	Mean      float64 // the mean share of the weights
	Deviation float64 // the standard deviation of the share
	Chosen    float64 // how often, from 0 to 1, the kernel has more than a thousandth of the weights
}

// WeightStability tells how far the weights of a bank depend on the rows (parameter halves).
type WeightStability struct {
	Halves  int               // random ones that were drawn
	Jaccard float64           // the mean Jaccard index of the sets of chosen kernels of two halves
	Kernels []KernelStability // of the bank
}

// Scores are what cross-validation found: candidates, their metrics, and which one was trained on all rows.
type Scores struct {
	Folds             int
	Repeats           int
	Select            string           // the metric by which the best was chosen; empty without a grid
	Candidates        []Candidate      // in the order of the grid; one without a grid
	BestPosition      int              `json:"best"` // of the best among them, from 0
	Nested            *NestedScores    // nil without outer folds
	WeightsOverHalves *WeightStability `json:"weights_over_halves"` // nil without halves
}

// Best is the candidate that was trained on all rows.
func (s Scores) Best() Candidate { return s.Candidates[s.BestPosition] }

// String is a table: a line for each candidate, with the metric that chose and a star at the best, or a line for each
// metric without a grid.
func (s Scores) String() string {
	return textTable(func(line func(cells ...any)) {
		if s.Select == "" {
			line("metric", "mean", "deviation")
			for _, name := range sortedNames(s.Best().Metrics) {
				metric := s.Best().Metrics[name]
				line(name, number(metric.Mean), number(metric.Deviation))
			}
			return
		}
		line("", s.Select, "deviation", "parameters")
		for c, candidate := range s.Candidates {
			star, metric := "", candidate.Metrics[s.Select]
			if c == s.BestPosition {
				star = "*"
			}
			line(star, number(metric.Mean), number(metric.Deviation), candidate.Parameters)
		}
	})
}

// Scores are what cross-validation found; nil for a model that was trained alone.
func (m *Model) Scores() (*Scores, error) {
	var info struct {
		Scores *struct {
			Scores
			Metrics map[string]MetricScore
		} `json:"cross_validation"`
	}
	if err := m.unmarshalInfo(&info); err != nil || info.Scores == nil {
		return nil, err
	}
	scores := info.Scores.Scores
	if len(scores.Candidates) == 0 {
		scores.Candidates = []Candidate{{Metrics: info.Scores.Metrics}}
	}
	return &scores, nil
}

func (m *Model) unmarshalInfo(target any) error {
	info, err := m.Info()
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(info), target)
}
