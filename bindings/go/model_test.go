// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestTrainsPredictsWeighsAndExplains(t *testing.T) {
	data := labelled(t)
	defer data.Close()
	model := must(Train(background, data, "svm", Params{"C": 10, "kernel": "[linear, rbf(gamma=0.5)]"}, Threads(2)))(t)
	defer model.Close()
	fresh := must(NewData(points(2)))(t)
	predicted := must(model.Predict(background, fresh))(t)
	decisions := must(model.Decision(background, fresh))(t)
	said := must(model.Explain(background, fresh))(t)
	offsets := must(model.Offsets())(t)
	for i, label := range predicted {
		if expected := map[bool]float64{true: 7, false: 3}[decisions[i][0] >= 0]; label != expected {
			t.Errorf("row %d is %v, its decision %v", i, label, decisions[i][0])
		}
		if sum := said[i][0] + said[i][1] + offsets[0]; math.Abs(sum-decisions[i][0]) > 1e-9 {
			t.Errorf("row %d: %v explained as %v", i, decisions[i][0], sum)
		}
	}
	if names := must(model.ClassNames())(t); strings.Join(names, " ") != "3 7" {
		t.Errorf("classes %v", names)
	}
	weights := must(model.Weights())(t)
	if len(weights) != 2 || math.Abs(weights[0].Weight+weights[1].Weight-1) > 1e-12 {
		t.Errorf("weights %v", weights)
	}
	prototypes := must(model.Prototypes())(t)
	if len(prototypes) != 2 || prototypes[0].Class != "7" || !prototypes[0].Positive {
		t.Errorf("prototypes %v", prototypes)
	}
	for _, p := range prototypes {
		sum := 0.0
		for _, c := range p.Coefficients {
			sum += c
		}
		if math.Abs(sum-1) > 1e-12 || len(p.NearestRows) != 5 {
			t.Errorf("prototype %v sums to %v", p.Class, sum)
		}
	}
	if score := must(model.Score(background, data, "accuracy"))(t); score < 0.7 {
		t.Errorf("accuracy %v", score)
	}
}

func TestLabelsBeyondTheWholeNumbersOfFloatsComeBack(t *testing.T) {
	line := func(places []float64, labels []int64) *Data {
		x := make(Rows, len(places))
		for i, place := range places {
			x[i] = []float64{place}
		}
		data := must(NewData(x))(t)
		if err := data.SetLabels(labels); err != nil {
			t.Fatal(err)
		}
		return data
	}
	nearest := Params{"voters": 1, "kernel": "rbf(gamma=1)"}
	labels := []int64{9007199254740993, 9007199254740995, 9, math.MinInt64}
	data := line([]float64{0, 2, 4, 6}, labels)
	model := must(Train(background, data, "nearest_neighbours", nearest))(t)
	if found := must(model.PredictLabels(background, data))(t); !reflect.DeepEqual(found, labels) {
		t.Error(found)
	}
	if found := must(data.Labels())(t); !reflect.DeepEqual(found, labels) {
		t.Error(found)
	}
	// a part of the rows has small labels alone
	if score := must(model.Score(background, line([]float64{4, 0}, []int64{9, 9}), "accuracy"))(t); score != 0.5 {
		t.Error(score)
	}
	small := line([]float64{0, 2}, []int64{-1, 5})
	plain := must(Train(background, small, "nearest_neighbours", nearest))(t)
	if found := must(plain.PredictLabels(background, small))(t); !reflect.DeepEqual(found, []int64{-1, 5}) {
		t.Error(found)
	}
	named := line([]float64{0, 2}, []int64{0, 1})
	if err := named.SetLabelNames([]string{"left", "right"}); err != nil {
		t.Fatal(err)
	}
	texts := must(Train(background, named, "nearest_neighbours", nearest))(t)
	_, err := texts.PredictLabels(background, named)
	expect(t, Unsupported, err)
}

func TestModelsAreKeptAsFilesAndBytes(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", nil))(t)
	path := filepath.Join(t.TempDir(), "model.dk")
	if err := model.Save(path); err != nil {
		t.Fatal(err)
	}
	content := must(model.MarshalBinary())(t)
	if file := must(os.ReadFile(path))(t); !bytes.Equal(file, content) {
		t.Error("the file is not the bytes")
	}
	for _, other := range []*Model{must(LoadModel(path))(t), must(UnmarshalModel(content))(t)} {
		if again := must(other.MarshalBinary())(t); !bytes.Equal(again, content) {
			t.Error("the bytes change")
		}
	}
	content[len(content)/2] ^= 1
	_, err := UnmarshalModel(content)
	expect(t, ModelFormat, err)
}

func TestModelsOfOtherProgramsAreReadAndWritten(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "linear.model")
	linear := "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 5 2\nnr_feature 2\nbias 1\nw\n3\n-1\n0.5\n"
	if err := os.WriteFile(path, []byte(linear), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := must(NewData(Rows{{1, 2}, {0, 4}}))(t)
	model := must(ImportModel(path, "auto"))(t)
	decisions := must(model.Decision(background, rows))(t)
	if math.Abs(decisions[0][0]-1.5) > 1e-14 || math.Abs(decisions[1][0]+3.5) > 1e-14 {
		t.Error(decisions)
	}
	exported := filepath.Join(folder, "exported.model")
	if err := model.Export(exported, "libsvm"); err != nil {
		t.Fatal(err)
	}
	again := must(ImportModel(exported, "libsvm features=2"))(t)
	if found := must(again.Decision(background, rows))(t); math.Abs(found[0][0]-1.5) > 1e-13 {
		t.Error(found)
	}
	expect(t, InvalidArgument, model.Export(exported, "pmml"))
	_, err := ImportModel(path, "thunder")
	expect(t, InvalidParameter, err)
}

func TestMistakesAreNamed(t *testing.T) {
	data := labelled(t)
	_, err := Train(background, data, "swm", nil)
	expect(t, InvalidParameter, err)
	if !strings.Contains(err.Error(), "'svm'") {
		t.Error(err)
	}
	_, err = Train(background, data, "svm", Params{"C": -1})
	expect(t, InvalidParameter, err)
	_, err = Train(background, data, "svm", Params{"kernel": "rbf("})
	expect(t, InvalidKernel, err)
	_, err = LoadModel("a\x00b")
	expect(t, InvalidArgument, err)
	_, err = NewData(Rows{{1, math.NaN()}})
	expect(t, InvalidData, err)
	_, err = NewData(Rows{{1, 2}, {3}})
	expect(t, InvalidArgument, err)
	_, err = NewDataFromSlice(make([]float64, 3), 2, 2)
	expect(t, InvalidArgument, err)
	_, err = NewDataFromSlice(nil, 0, 0)
	expect(t, InvalidArgument, err)
	_, err = LoadModel("/no/such/file")
	expect(t, IO, err)
	model := must(Train(background, data, "svm", nil))(t)
	narrow := must(NewData(Rows{{1}}))(t)
	_, err = model.Predict(background, narrow)
	expect(t, Dimension, err)
}

func TestClosedObjectsSaySo(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", nil))(t)
	model.Close()
	model.Close()
	if _, err := model.Predict(background, data); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestNilAndEmptyValuesAreErrors(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", nil))(t)
	var noData *Data
	var noModel *Model
	failures := map[string]func() error{
		"NewData":   func() error { _, err := NewData(nil); return err },
		"Train":     func() error { _, err := Train(background, nil, "svm", nil); return err },
		"Predict":   func() error { _, err := model.Predict(background, nil); return err },
		"Gram":      func() error { _, err := Gram(background, nil, nil, "linear"); return err },
		"SetLabels": func() error { return noData.SetLabels(nil) },
		"Save":      func() error { return noModel.Save("model.dk") },
		"Compress":  func() error { _, err := model.Compress(background, nil, nil); return err },
	}
	for name, failing := range failures {
		if err := failing(); err == nil {
			t.Error(name + " accepts nil")
		} else {
			expect(t, InvalidArgument, err)
		}
	}
	if _, err := Train(background, &Data{}, "svm", nil); err != ErrClosed {
		t.Error(err)
	}
	if noData.Close() != nil || noModel.Close() != nil || (&Data{}).Close() != nil {
		t.Error("nothing can't be closed")
	}
}

// claimingRows gives the bytes of a model with another number of training rows: the description behind the frame is
// CBOR, its length stands before it, and the checksum is that of all but itself.
func claimingRows(t *testing.T, content []byte, count uint64) []byte {
	const lengthAt, checksumAt, payloadAt = 16, 24, 28
	little := binary.LittleEndian
	key := []byte("training_rows")
	at := bytes.Index(content, key) + len(key)
	if at < len(key) || content[at] != 0x18 {
		t.Fatal("the description has no number of training rows of one byte")
	}
	claimed := binary.BigEndian.AppendUint64([]byte{0x1b}, count)
	out := append(append(append([]byte{}, content[:at]...), claimed...), content[at+2:]...)
	little.PutUint64(out[payloadAt:], little.Uint64(out[payloadAt:])+uint64(len(claimed)-2))
	little.PutUint64(out[lengthAt:], uint64(len(out)-payloadAt))
	checksum := crc32.Update(crc32.ChecksumIEEE(out[:checksumAt]), crc32.IEEETable, out[payloadAt:])
	little.PutUint32(out[checksumAt:], checksum)
	return out
}

func TestPrototypesOfMoreRowsThanMemoryAreAnError(t *testing.T) {
	data := labelled(t)
	model := must(Train(background, data, "svm", nil))(t)
	content := must(model.MarshalBinary())(t)
	for _, count := range []uint64{1 << 39, 1 << 40} {
		hostile := must(UnmarshalModel(claimingRows(t, content, count)))(t)
		_, err := hostile.Prototypes()
		expect(t, OutOfMemory, err)
	}
	for _, size := range [][2]int64{{1, 1 << 40}, {1 << 40, 1 << 40}, {-1, 2000}, {1 << 61, 1}} {
		expect(t, OutOfMemory, require(size[0], size[1]))
	}
	for _, size := range [][2]int64{{0, 1 << 40}, {60, 2}, {1000, 2000}} {
		if err := require(size[0], size[1]); err != nil {
			t.Error(err)
		}
	}
}
