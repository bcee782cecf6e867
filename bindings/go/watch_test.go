// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"strings"
	"testing"
)

func TestThresholdsDriftAndSets(t *testing.T) {
	data := labelled(t)
	plain := must(Train(background, data, "svm", nil))(t)
	model := must(plain.MoveThreshold(background, data, "miss_cost=1e6"))(t)
	for i, label := range must(model.Predict(background, data))(t) {
		if i%2 == 1 && label != 7 {
			t.Errorf("row %d is missed", i)
		}
	}
	_, err := plain.MoveThreshold(background, data, "false_alarms=0.05")
	expect(t, Unsupported, err)

	same := must(plain.Drift(background, data, data, 1))(t)
	if same.Distance > 1e-7 || same.P < 0.99 {
		t.Error(same)
	}
	far := points(2)
	for i := range far {
		far[i][0] += 3
	}
	fresh := must(NewData(far))(t)
	if drifted := must(plain.Drift(background, fresh, data, 1))(t); drifted.P != 0.001 || drifted.Distance <= drifted.Usual {
		t.Error(drifted)
	}
	_, err = plain.Drift(background, fresh, nil, 1)
	expect(t, Unsupported, err)
	ridge := must(Train(background, data, "kelm", nil))(t)
	kept := must(ridge.Drift(background, fresh, nil, 1))(t)
	if given := must(ridge.Drift(background, fresh, data, 1))(t); kept.P != given.P {
		t.Error(kept, given)
	}

	calibrated := must(plain.Calibrate(background, data, false))(t)
	sets := must(calibrated.PredictSet(background, data, 0.9))(t)
	if len(sets) != rows || len(sets[0]) != 2 {
		t.Error(len(sets))
	}
}

func TestModelsLearnFromFurtherRowsAndForgetSome(t *testing.T) {
	data := labelled(t)
	params := Params{"kernel": "rbf(gamma=1)", "scale": "none", "updatable": true}
	var first, rest []int64
	for i := int64(0); i < rows; i++ {
		if i < 8 {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	part := must(Train(background, must(data.Select(first))(t), "kelm", params))(t)
	whole := must(part.Update(background, must(data.Select(rest))(t), nil))(t)
	back := must(whole.Update(background, nil, rest))(t)
	all := must(Train(background, data, "kelm", params))(t)
	for _, pair := range [][2]*Model{{whole, all}, {back, part}} {
		found, expected := must(pair[0].Decision(background, data))(t), must(pair[1].Decision(background, data))(t)
		for i := range expected {
			if difference := found[i][0] - expected[i][0]; difference > 1e-9 || difference < -1e-9 {
				t.Error(i, difference)
			}
		}
	}
	_, err := must(Train(background, data, "svm", nil))(t).Update(background, data, nil)
	expect(t, Unsupported, err)
}

func TestRowsFarAwayAreNew(t *testing.T) {
	model := must(Train(background, labelled(t), "svm", Params{"novelty": true}))(t)
	far := points(2)
	for i := range far {
		far[i][0] += 1000
	}
	for _, row := range must(model.Novelty(background, must(NewData(far))(t)))(t) {
		if row[1] != 1.0/float64(1+rows-rows/2) {
			t.Error(row)
		}
	}
}

func TestAModelIsChosenWhereNoMachineIsNamed(t *testing.T) {
	model := must(Train(background, labelled(t), "", nil))(t)
	if info := must(model.Info())(t); !strings.Contains(info, `"choice"`) {
		t.Error(info)
	}
}

func TestModelsPrintTheirWarnings(t *testing.T) {
	model := must(Train(background, labelled(t), "svm", Params{"max_iterations": 2}))(t)
	warnings := must(model.Warnings())(t)
	if len(warnings) != 1 || warnings[0].About != "convergence" || !strings.Contains(warnings[0].Text, "max_iterations=2") {
		t.Error(warnings)
	}
	if text := model.String(); !strings.Contains(text, "warning: convergence: ") {
		t.Error(text)
	}
	good := must(Train(background, labelled(t), "svm", nil))(t)
	if none := must(good.Warnings())(t); len(none) != 0 {
		t.Error(none)
	}
	good.Close()
	if _, err := good.Warnings(); err != ErrClosed {
		t.Error(err)
	}
}
