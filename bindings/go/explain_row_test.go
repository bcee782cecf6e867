// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var bank = Params{"C": 10, "kernel": []string{"linear", "rbf(gamma=0.5)"}, "probability": true}

// checkParts tells whether contributions sum to the answer, and the magnitudes of shares to 100.
func checkParts(t *testing.T, answer float64, group *Pulls) {
	t.Helper()
	parts := []Share{group.Offset}
	for _, pull := range group.Pulls {
		parts = append(parts, pull.Share)
	}
	if group.Others != nil {
		parts = append(parts, group.Others.Share)
	}
	sum, shares := 0.0, 0.0
	for _, part := range parts {
		sum += part.Contribution
		shares += math.Abs(part.Share)
		if part.Share*part.Contribution < 0 {
			t.Error(part)
		}
	}
	if math.Abs(sum-answer) > 1e-10*math.Max(1, math.Abs(answer)) || math.Abs(shares-100) > 1e-9 {
		t.Errorf("parts sum to %v, the answer is %v; shares sum to %v", sum, answer, shares)
	}
}

func TestPartsSumToTheAnswerAndSharesTo100(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", bank))(t)
	predicted := must(model.Predict(background, data))(t)
	decisions := must(model.Decision(background, data))(t)
	normals := must(model.Normals())(t)
	for row := 0; row < rows; row += 7 {
		explanation := must(model.ExplainRow(background, data, int64(row), nil))(t)
		if explanation.Row != int64(row) || explanation.Prediction != fmt.Sprint(predicted[row]) ||
			explanation.InsteadOf == explanation.Prediction || explanation.NearestOther != nil {
			t.Errorf("%+v", explanation)
		}
		if math.Abs(explanation.Answer-math.Abs(decisions[row][0])) > 1e-12 ||
			math.Abs(*explanation.Distance-explanation.Answer/normals[0]) > 1e-9 || *explanation.Probability <= 0 {
			t.Errorf("%+v", explanation)
		}
		checkParts(t, explanation.Answer, &explanation.Prototypes)
		checkParts(t, explanation.Answer, explanation.TrainingRows)
		checkParts(t, explanation.Answer, explanation.Kernels)
	}
}

func TestACounterfactualTurnsThePrediction(t *testing.T) {
	x, data := points(1), labelled(t)
	model := must(Train(background, data, "svm", bank))(t)
	for row := 0; row < rows; row += 7 {
		explanation := must(model.ExplainRow(background, data, int64(row), data))(t)
		turned := explanation.Counterfactual
		if turned == nil {
			t.Fatal(row)
		}
		changed := must(NewData(Rows{turned.Applied(x[row])}))(t)
		elected := fmt.Sprint(must(model.Predict(background, changed))(t)[0])
		if elected != turned.Prediction || elected == explanation.Prediction {
			t.Errorf("%s became %s: %v", explanation.Prediction, elected, turned)
		}
		square := 0.0
		for _, change := range turned.Changes {
			square += change.Deviations * change.Deviations
			if change.From != x[row][change.Column] {
				t.Errorf("%+v", change)
			}
		}
		if math.Abs(math.Sqrt(square)-turned.Distance) > 1e-9 {
			t.Errorf("%+v", turned)
		}
	}
}

func TestTrainingRowsHaveTheirClasses(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", bank))(t)
	explanation := must(model.ExplainRow(background, data, 5, data))(t)
	for _, pull := range explanation.TrainingRows.Pulls {
		if pull.Class != fmt.Sprint(3+4*(pull.Source%2)) {
			t.Errorf("%+v", pull)
		}
	}
	predicted := must(model.Predict(background, data))(t)
	nearest := explanation.NearestOther
	if nearest.Prediction == explanation.Prediction || nearest.Prediction != fmt.Sprint(predicted[nearest.Row]) {
		t.Errorf("%+v", nearest)
	}
	for position, pull := range explanation.Kernels.Pulls {
		if pull.Kernel == "" || *pull.Weight != 0.5 || pull.Source < 0 || pull.Source > 1 {
			t.Errorf("%d: %+v", position, pull)
		}
	}
}

func TestInfluencesAreWhatTrainingWithoutTheRowChanges(t *testing.T) {
	data, params := labelled(t), Params{"kernel": "rbf(gamma=0.5)"}
	explanation := must(must(Train(background, data, "kelm", params))(t).ExplainRow(background, data, 4, nil))(t)
	if !explanation.Influences.Exact {
		t.Error("kelm has a closed form")
	}
	for _, influence := range explanation.Influences.Rows[:3] {
		var rest []int64
		for i := int64(0); i < rows; i++ {
			if i != influence.Row {
				rest = append(rest, i)
			}
		}
		without := must(Train(background, must(data.Select(rest))(t), "kelm", params))(t)
		decision := must(without.Decision(background, data))(t)[4][0]
		if explanation.Prediction != "7" {
			decision = -decision
		}
		if math.Abs(explanation.Answer-decision-influence.Change) > 1e-9 {
			t.Errorf("%+v, the answer without the row is %v", influence, decision)
		}
	}
}

func TestARegressionExplainsItsValue(t *testing.T) {
	x := points(1)
	targets := make([]float64, rows)
	for i := range targets {
		targets[i] = math.Sin(x[i][0])
	}
	data := must(NewData(x))(t)
	if err := data.SetTargets(targets); err != nil {
		t.Fatal(err)
	}
	for _, machine := range []string{"svr", "kernel_ridge"} {
		model := must(Train(background, data, machine, nil))(t)
		explanation := must(model.ExplainRow(background, data, 3, data))(t)
		value := must(model.Predict(background, data))(t)[3]
		if math.Abs(value-explanation.Answer) > 1e-12 || explanation.Prediction != "" || explanation.Counterfactual != nil {
			t.Errorf("%+v", explanation)
		}
		strongest := explanation.TrainingRows.Pulls[0]
		if *strongest.Target != targets[strongest.Source] {
			t.Errorf("%+v", strongest)
		}
		checkParts(t, explanation.Answer, explanation.TrainingRows)
	}
}

func TestExplanationsPrintAsTables(t *testing.T) {
	data := labelled(t)
	explanation := must(must(Train(background, data, "svm", bank))(t).ExplainRow(background, data, 5, data))(t)
	text := explanation.String()
	for _, part := range []string{"instead of", "normalize(linear)", "it would be " + explanation.Counterfactual.Prediction} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if strings.Count(text, "\noffset") != 3 || strings.Count(text, "\n") > 60 {
		t.Error(text)
	}
}

func TestWrongRowsFailWithTheirNumber(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", bank))(t)
	_, err := model.ExplainRow(background, data, rows, nil)
	expect(t, InvalidArgument, err)
	if err.Error() != "libdk: row is 60; allowed is 0 to 59" {
		t.Error(err)
	}
	_, err = model.ExplainRow(background, data, -1, nil)
	expect(t, InvalidArgument, err)
	_, err = model.ExplainRow(background, data, 0, must(data.Select([]int64{0, 1}))(t))
	expect(t, Dimension, err)
	if _, err := model.ExplainRow(background, nil, 0, nil); err == nil {
		t.Error("no data were explained")
	}
	ended, end := context.WithCancel(background)
	end()
	if _, err := model.ExplainRow(ended, data, 0, data); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	model.Close()
	if _, err := model.ExplainRow(background, data, 0, nil); err != ErrClosed {
		t.Error(err)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	return must(os.ReadFile(path))(t)
}

func TestAPageIsHTMLAndTheSameBytes(t *testing.T) {
	data, folder := labelled(t), t.TempDir()
	model := must(Train(background, data, "svm", bank))(t)
	first, again := filepath.Join(folder, "first.html"), filepath.Join(folder, "again.html")
	page := PageOptions{Rows: 3, Title: "Two <classes>"}
	if err := model.WritePage(background, first, data, data, page); err != nil {
		t.Fatal(err)
	}
	if err := model.WritePage(background, again, data, data, page, Threads(1)); err != nil {
		t.Fatal(err)
	}
	written := content(t, first)
	if !bytes.HasPrefix(written, []byte("<!DOCTYPE html>")) || !bytes.Equal(written, content(t, again)) ||
		!bytes.Contains(written, []byte("<title>Two &lt;classes&gt;</title>")) {
		t.Errorf("%.200s", written)
	}
	if err := model.WritePage(background, again, data, nil, PageOptions{ImageWidth: 2, ImageHeight: 1}); err != nil {
		t.Error(err)
	}
	if err := model.WritePage(background, again, data, data, PageOptions{ForManager: true}); err != nil {
		t.Error(err)
	}
	if !bytes.Contains(content(t, again), []byte("Nobody has measured")) {
		t.Error("a manager's page says that no fold has measured the model")
	}
	none := filepath.Join(folder, "none", "page.html")
	expect(t, InvalidParameter, model.WritePage(background, none, data, nil, PageOptions{Rows: -1}))
	if err := model.WritePage(background, none, data, nil, PageOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestModelsAreCompared(t *testing.T) {
	data, folder := labelled(t), t.TempDir()
	svm := must(Train(background, data, "svm", bank))(t)
	kelm := must(Train(background, data, "kelm", nil))(t)
	page, again := filepath.Join(folder, "page.html"), filepath.Join(folder, "again.html")
	for _, path := range []string{page, again} {
		if err := Compare(background, path, []*Model{svm, kelm}, data, PageOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	text := string(content(t, page))
	if !strings.HasPrefix(text, "<!DOCTYPE html>") || !strings.Contains(text, "svm") || !strings.Contains(text, "kelm") ||
		text != string(content(t, again)) {
		t.Errorf("%.200s", text)
	}
	alone := must(Train(background, data, "one_class_svm", nil))(t)
	expect(t, InvalidArgument, Compare(background, again, []*Model{svm, alone}, data, PageOptions{}))
	expect(t, InvalidArgument, Compare(background, again, nil, data, PageOptions{}))
	expect(t, InvalidArgument, Compare(background, again, []*Model{svm, nil}, data, PageOptions{}))
}
