// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestScoresHaveEveryCandidateAndTheBest(t *testing.T) {
	model := must(CrossValidate(background, labelled(t), "svm",
		Params{"folds": 3, "repeats": 2, "grid": "C=0.1:10;kernel=[linear,rbf(gamma=1)]"}))(t)
	scores := must(model.Scores())(t)
	if len(scores.Candidates) != 4 || scores.Folds != 3 || scores.Repeats != 2 || scores.Select != "accuracy" {
		t.Fatalf("%+v", scores)
	}
	best := scores.Best()
	for _, candidate := range scores.Candidates {
		accuracy := candidate.Metrics["accuracy"]
		mean, squares := 0.0, 0.0
		for _, fold := range accuracy.Folds {
			mean += fold / 6
		}
		for _, fold := range accuracy.Folds {
			squares += (fold - mean) * (fold - mean)
		}
		if len(accuracy.Folds) != 6 || math.Abs(accuracy.Mean-mean) > 1e-12 ||
			math.Abs(accuracy.Deviation-math.Sqrt(squares/5)) > 1e-12 {
			t.Errorf("%s: %+v", candidate.Parameters, accuracy)
		}
		if accuracy.Mean > best.Metrics["accuracy"].Mean+1e-12 {
			t.Errorf("%s is better than %s", candidate.Parameters, best.Parameters)
		}
		if behind := candidate.BehindBest; behind != nil &&
			math.Abs(best.Metrics["accuracy"].Mean-accuracy.Mean-behind.Difference) > 1e-12 {
			t.Errorf("%s: %+v", candidate.Parameters, behind)
		}
	}
	// what was trained on all rows has the parameters of the best
	report := must(model.Report())(t)
	if !strings.Contains(string(best.Parameters), "C="+report.Parameters["C"]) {
		t.Errorf("the best is %s, the model has C=%s", best.Parameters, report.Parameters["C"])
	}
	lines := strings.Split(scores.String(), "\n")
	starred := lines[1+scores.BestPosition]
	if len(lines) != 5 || !strings.HasPrefix(starred, "*") || !strings.HasSuffix(starred, string(best.Parameters)) {
		t.Error(scores)
	}
}

func TestScoresOfOneCandidateAreThoseOfTheMachine(t *testing.T) {
	data := labelled(t)
	trained := must(Train(background, data, "svm", nil))(t)
	if scores := must(trained.Scores())(t); scores != nil {
		t.Error(scores)
	}
	model := must(CrossValidate(background, data, "svm", Params{"folds": 4}))(t)
	scores := must(model.Scores())(t)
	if len(scores.Candidates) != 1 || scores.Select != "" || scores.Best().Parameters != "" ||
		scores.Best().BehindBest != nil || len(scores.Best().Metrics["accuracy"].Folds) != 4 {
		t.Errorf("%+v", scores)
	}
	if text := scores.String(); !strings.Contains(text, "accuracy") {
		t.Error(text)
	}
}

func TestNestedScoresHaveAChoiceForEachOuterFold(t *testing.T) {
	model := must(CrossValidate(background, labelled(t), "svm", Params{"folds": 3, "outer_folds": 2, "grid": "C=0.1:10"}))(t)
	nested := must(model.Scores())(t).Nested
	if nested == nil || nested.Folds != 2 || len(nested.Chosen) != 2 || len(nested.Metrics["accuracy"].Folds) != 2 {
		t.Fatalf("%+v", nested)
	}
	for _, chosen := range nested.Chosen {
		if chosen != "C=0.1" && chosen != "C=10" {
			t.Error(chosen)
		}
	}
}

func TestWeightsOverHalvesTellHowFarTheyDependOnRows(t *testing.T) {
	model := must(CrossValidate(background, labelled(t), "svm", Params{"folds": 3, "halves": 4, "weights": "uniform",
		"kernel": []string{"linear", "rbf(gamma=1)"}}))(t)
	scores := must(model.Scores())(t)
	// uniform weights depend on no rows
	expected := &WeightStability{4, 1, []KernelStability{{"normalize(linear)", 0.5, 0, 1}, {"rbf(gamma=1)", 0.5, 0, 1}}}
	if !reflect.DeepEqual(scores.WeightsOverHalves, expected) || scores.Nested != nil {
		t.Errorf("%+v", scores.WeightsOverHalves)
	}
}

func TestReportsSayWhatWasTrainedAndWhetherItConverged(t *testing.T) {
	data := labelled(t)
	report := must(must(Train(background, data, "svm", Params{"C": 10, "kernel": "linear"}))(t).Report())(t)
	if report.Machine != "svm" || report.Task != "classification" || report.Kernel != "linear" ||
		report.DecisionRule != "binary" || report.Data != "dense" || report.Parameters["C"] != "10" || report.TrainingRows != rows {
		t.Errorf("%+v", report)
	}
	function := report.Functions[0]
	if function.Positive != "7" || function.Negative != "3" || *function.SupportVectors != report.SupportRows {
		t.Errorf("%+v", function)
	}
	if converged, known := report.Converged(); !converged || !known {
		t.Error("the machine did not converge")
	}
	if !strings.Contains(report.String(), "converged") {
		t.Error(report)
	}
	stopped := must(Train(background, data, "svm", Params{"C": 1e6, "max_iterations": 1, "tolerance": 1e-9}))(t)
	if converged, known := must(stopped.Report())(t).Converged(); converged || !known {
		t.Error("one step is enough")
	}
	closed := must(must(Train(background, data, "fisher", nil))(t).Report())(t)
	if _, known := closed.Converged(); known || closed.Functions[0].Objective != nil {
		t.Errorf("%+v", closed)
	}
	components := must(must(Train(background, data, "kernel_pca", nil))(t).Report())(t)
	if share := components.Measures["variance_explained"]; !(share > 0 && share <= 1) {
		t.Error(components.Measures)
	}
}

func TestWeightsPrintAsATable(t *testing.T) {
	data := labelled(t)
	listed := must(Train(background, data, "svm", Params{"kernel": []string{"linear", "rbf(gamma=1)"}}))(t)
	written := must(Train(background, data, "svm", Params{"kernel": "[linear, rbf(gamma=1)]"}))(t)
	weights := must(listed.Weights())(t)
	if !reflect.DeepEqual(weights, must(written.Weights())(t)) {
		t.Error(weights)
	}
	if text := weights.String(); text != "0.5  normalize(linear)\n0.5  rbf(gamma=1)" {
		t.Errorf("%q", text)
	}
	_, err := Train(background, data, "svm", Params{"kernel": []string{"linear", "rbg"}})
	expect(t, InvalidKernel, err)
}

func TestResultsOfClosedModelsAreErrors(t *testing.T) {
	model := must(Train(background, labelled(t), "svm", nil))(t)
	model.Close()
	if _, err := model.Scores(); err != ErrClosed {
		t.Error(err)
	}
	if _, err := model.Report(); err != ErrClosed {
		t.Error(err)
	}
}
