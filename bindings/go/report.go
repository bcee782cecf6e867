// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"encoding/json"
	"fmt"
)

// SolverReport tells how a solver ended, for one decision function or for the machine as a whole. What a solver does not
// tell is nil.
type SolverReport struct {
	Positive       string   // the class for which the function is positive; empty where there are no two classes
	Negative       string   // the other class, or "rest" for all the others
	Objective      *float64 // the value of the program that was solved
	Gap            *float64 // the gap to the best objective that is left, as the machine measures it
	Iterations     *int64   // how many steps were taken
	Converged      *bool    // whether learning ended by its tolerance, and not by a limit
	SupportVectors *int64   `json:"support_vectors"` // how many rows the function uses
	Offset         *float64 // the constant of the function
}

// Report tells what was trained, and how its training went.
type Report struct {
	Machine string // such as "svm"
	Task    string // "classification", "regression", "novelty", "clustering" or "multilabel"
	Kernel  string // with all parameters as numbers; a bank is the sum of its weighted kernels
	Weights string // how the kernels of the bank were weighed, such as "dimkl1"
	// how decisions elect a class: "binary", "ovo", "ovr", "largest"; "regression" elects none
	DecisionRule string `json:"decision_rule"`
	Parameters   map[string]string
	Data         string             // what its rows are: "dense", "sparse", "gram", "series", "strings" or "graphs"
	TrainingRows int64              `json:"training_rows"`
	SupportRows  int64              `json:"support_rows"` // that the model keeps
	Functions    []SolverReport     `json:"-"`            // one for machines that train all functions at once
	Measures     map[string]float64 `json:"-"`            // other numbers of the training, such as "purity" of imkpl
}

// Converged tells whether all functions converged; known is false where the machine does not tell it.
func (r Report) Converged() (converged, known bool) {
	converged = true
	for _, function := range r.Functions {
		if function.Converged != nil {
			converged, known = converged && *function.Converged, true
		}
	}
	return converged && known, known
}

// String is the machine, its kernel and its rows, and a line for each function.
func (r Report) String() string {
	head := textTable(func(line func(cells ...any)) {
		line("machine", r.Machine)
		line("kernel", r.Kernel)
		line("training rows", r.TrainingRows)
		line("support rows", r.SupportRows)
	})
	if len(r.Functions) == 0 {
		return head
	}
	return head + "\n" + textTable(func(line func(cells ...any)) {
		line("positive", "negative", "objective", "gap", "iterations", "converged", "offset")
		for _, one := range r.Functions {
			line(one.Positive, one.Negative, told(one.Objective), told(one.Gap), told(one.Iterations), told(one.Converged),
				told(one.Offset))
		}
	})
}

// told is the text of a value, and empty where there is none.
func told[T float64 | int64 | bool](value *T) string {
	if value == nil {
		return ""
	}
	switch v := any(*value).(type) {
	case float64:
		return number(v)
	case bool:
		return textOf(v)
	default:
		return fmt.Sprint(v)
	}
}

// Report tells what was trained, and how its training went.
func (m *Model) Report() (Report, error) {
	var info struct {
		Report
		Training map[string]json.RawMessage
	}
	if err := m.unmarshalInfo(&info); err != nil {
		return Report{}, err
	}
	report := info.Report
	if functions, ok := info.Training["functions"]; ok {
		if err := json.Unmarshal(functions, &report.Functions); err != nil {
			return Report{}, err
		}
	} else if whole := wholeOf(info.Training); whole != nil {
		report.Functions = []SolverReport{*whole}
	}
	report.Measures = make(map[string]float64)
	for name, content := range info.Training {
		var measure *float64
		if json.Unmarshal(content, &measure) == nil && measure != nil && !ofSolver[name] {
			report.Measures[name] = *measure
		}
	}
	return report, nil
}

// ofSolver are the numbers that are fields of SolverReport.
var ofSolver = map[string]bool{"objective": true, "gap": true, "iterations": true, "support_vectors": true, "offset": true}

// wholeOf is the report of a machine that trains all its functions at once; nil where it tells nothing.
func wholeOf(training map[string]json.RawMessage) *SolverReport {
	content, err := json.Marshal(training)
	var whole SolverReport
	if err != nil || json.Unmarshal(content, &whole) != nil {
		return nil
	}
	if whole.Objective == nil && whole.Gap == nil && whole.Iterations == nil && whole.Converged == nil {
		return nil
	}
	return &whole
}
