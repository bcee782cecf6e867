// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"libdk/internal/swig"
)

const rows = 60

var background = context.Background()

// points are two clouds in the plane.
func points(seed int64) Rows {
	random := rand.New(rand.NewSource(seed))
	x := make(Rows, rows)
	for i := range x {
		centre := float64(2*(i%2) - 1)
		x[i] = []float64{random.NormFloat64() + centre, random.NormFloat64() + centre}
	}
	return x
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func labelled(t *testing.T) *Data {
	data := must(NewData(points(1)))(t)
	labels := make([]int64, rows)
	for i := range labels {
		labels[i] = 3 + 4*int64(i%2)
	}
	if err := data.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	return data
}

func expect(t *testing.T, status Status, err error) {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != status {
		t.Errorf("expected %v, got %v", status, err)
	}
}

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

func TestContextsCancel(t *testing.T) {
	data := labelled(t)
	cancelled, cancel := context.WithCancel(background)
	cancel()
	if _, err := Train(cancelled, data, "svm", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	hard := must(NewData(func() Rows {
		random := rand.New(rand.NewSource(9))
		x := make(Rows, 6000)
		for i := range x {
			x[i] = []float64{random.NormFloat64(), random.NormFloat64()}
		}
		return x
	}()))(t)
	labels := make([]int64, 6000)
	for i := range labels {
		labels[i] = int64(i % 2)
	}
	if err := hard.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(background, 50_000_000)
	defer stop()
	_, err := Train(short, hard, "svm", Params{"C": 1e6, "tolerance": 1e-6, "kernel": "rbf(gamma=10)"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// largeFile is a file in CSV format of 3 MB.
func largeFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "large.csv")
	content := "a,b,label\n" + strings.Repeat("0.123456789,-9.87654321,1\n1.5,2.25,0\n", 80000)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadingIsCancelledAndAsksMemory(t *testing.T) {
	table, path := largeFile(t), filepath.Join(t.TempDir(), "model.dk")
	large := must(ReadDataContext(background, table, "label=label", Threads(2), Memory(1000)))(t)
	if lines, fields := large.Dims(); lines != 160000 || fields != 2 {
		t.Errorf("%d x %d", lines, fields)
	}
	// a model of 2000 rows of 100 columns, which it keeps all
	const count, cols = 2000, 100
	random := rand.New(rand.NewSource(3))
	x, labels := make([]float64, count*cols), make([]int64, count)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	for i := range labels {
		labels[i] = int64(i % 2)
	}
	wide := must(NewDataFromSlice(x, count, cols))(t)
	if err := wide.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	model := must(Train(background, wide, "mean_of_class", Params{"kernel": "rbf(gamma=0.01)"}))(t)
	if err := model.Save(path); err != nil {
		t.Fatal(err)
	}
	content := must(model.MarshalBinary())(t)
	for name, read := range map[string]func(context.Context, ...Option) error{
		"ReadDataContext": func(ctx context.Context, options ...Option) error {
			_, err := ReadDataContext(ctx, table, "", options...)
			return err
		},
		"Model.ReadDataContext": func(ctx context.Context, options ...Option) error {
			_, err := model.ReadDataContext(ctx, table, "", options...)
			return err
		},
		"LoadModelContext": func(ctx context.Context, options ...Option) error {
			_, err := LoadModelContext(ctx, path, options...)
			return err
		},
		"UnmarshalModelContext": func(ctx context.Context, options ...Option) error {
			_, err := UnmarshalModelContext(ctx, content, options...)
			return err
		},
	} {
		cancelled, cancel := context.WithCancel(background)
		cancel()
		if err := read(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		t.Run(name, func(t *testing.T) {
			// the library itself stops, too
			expect(t, Cancelled, read(background, func(call *settings) { call.control.Cancel() }))
			if name != "UnmarshalModelContext" { // whose bytes are the caller's
				expect(t, MemoryBudget, read(background, Memory(1)))
			}
			expect(t, InvalidArgument, read(background, Memory(-1)))
		})
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

func TestClosingAndCancellingMayRaceWithPredicting(t *testing.T) {
	const rounds, users, count = 30, 4, 3000
	random := rand.New(rand.NewSource(5))
	x, labels := make([]float64, 2*count), make([]int64, count)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	for i := range labels {
		labels[i] = int64(i % 2)
	}
	kept := must(NewDataFromSlice(x, count, 2))(t)
	if err := kept.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	first := must(Train(background, kept, "mean_of_class", Params{"kernel": "rbf(gamma=0.5)"}))(t)
	content, expected := must(first.MarshalBinary())(t), must(first.Decision(background, kept))(t)
	var answered, cancelled, closed atomic.Int64
	for round := 0; round < rounds; round++ {
		model := must(UnmarshalModel(content))(t)
		data := must(NewDataFromSlice(x, count, 2))(t)
		answeredBefore, cancelledBefore := answered.Load(), cancelled.Load()
		parent, cancel := context.WithCancel(background)
		var all sync.WaitGroup
		run := func(action func()) {
			all.Add(1)
			go func() {
				defer all.Done()
				action()
			}()
		}
		for user := 0; user < users; user++ {
			run(func() {
				for ctx := parent; ; {
					decisions, err := model.Decision(ctx, data, Threads(1))
					switch {
					case err == nil && reflect.DeepEqual(decisions, expected):
						answered.Add(1)
					case errors.Is(err, ErrClosed):
						closed.Add(1)
						return
					case errors.Is(err, context.Canceled):
						cancelled.Add(1)
						ctx = background // go on until the model is closed
					default:
						t.Errorf("round %d: a wrong answer, or %v", round, err)
						return
					}
				}
			})
		}
		for answered.Load() == answeredBefore && !t.Failed() {
			runtime.Gosched()
		}
		run(cancel)
		// in every other round somebody hears of the cancel first
		for round%2 == 0 && cancelled.Load() == cancelledBefore && !t.Failed() {
			runtime.Gosched()
		}
		run(func() { model.Close() })
		run(func() { data.Close() })
		all.Wait()
	}
	if closed.Load() != rounds*users || cancelled.Load() < rounds/2 {
		t.Errorf("%d answered, %d cancelled, %d closed", answered.Load(), cancelled.Load(), closed.Load())
	}
}

func TestClosingMayRaceWithPredicting(t *testing.T) {
	data := labelled(t)
	first := must(Train(background, data, "svm", nil))(t)
	content, expected := must(first.MarshalBinary())(t), must(first.Predict(background, data))(t)
	var answered atomic.Int64
	for round := 0; round < 50; round++ {
		before := answered.Load()
		model := must(UnmarshalModel(content))(t)
		var users sync.WaitGroup
		for user := 0; user < 8; user++ {
			users.Add(1)
			go func() {
				defer users.Done()
				for {
					predicted, err := model.Predict(background, data, Threads(1))
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
					answered.Add(1)
					if !reflect.DeepEqual(expected, predicted) {
						t.Error("a wrong prediction")
						return
					}
				}
			}()
		}
		for answered.Load() == before {
			runtime.Gosched()
		}
		model.Close()
		users.Wait()
	}
}

func TestCallsThatUseAnObjectTwiceEndWhenItCloses(t *testing.T) {
	data := must(NewData(points(1)))(t)
	err := data.use(func(native swig.NativeData) error {
		data.Close()
		if native.Rows() != rows {
			t.Error("data are freed while a call uses them")
		}
		return data.use(func(swig.NativeData) error { return nil })
	})
	if !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestClosingMayRaceWithGrams(t *testing.T) {
	x := points(1)
	for round := 0; round < 500; round++ {
		left, right := must(NewData(x))(t), must(NewData(x))(t)
		var users sync.WaitGroup
		for _, pair := range [][2]*Data{{left, nil}, {left, right}, {right, left}, {right, right}} {
			users.Add(1)
			go func(left, right *Data) {
				defer users.Done()
				for {
					if _, err := Gram(background, left, right, "linear", Threads(1)); err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			}(pair[0], pair[1])
		}
		runtime.Gosched()
		for _, data := range []*Data{left, right} {
			users.Add(1)
			go func(data *Data) {
				defer users.Done()
				data.Close()
			}(data)
		}
		users.Wait()
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

func TestFoldsDivideNoGroup(t *testing.T) {
	data := must(NewDataFromSlice(make([]float64, 7), 7, 1))(t)
	if err := data.SetGroups([]int64{5, 9, 5, -2, 9, 9, -2}); err != nil {
		t.Fatal(err)
	}
	folds := must(data.Folds(2, 1))(t)
	for i, fold := range []int64{1, 0, 1, 1, 0, 0, 1} {
		if folds[i] != fold {
			t.Errorf("row %d is in fold %d", i, folds[i])
		}
	}
	_, err := data.Folds(4, 1)
	expect(t, InvalidArgument, err)
	expect(t, InvalidArgument, data.SetGroups([]int64{1, 2}))
}

func TestClientsHaveThresholdsOfTheirOwn(t *testing.T) {
	scores := []float64{.9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0}
	genuine := []bool{true, true, true, false, false, false, false, true, true, false, false, false, false}
	clients := []int64{1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}
	far := []float64{0, 0.25}
	rejected := must(VerificationCurve(background, far, scores, genuine, clients))(t)
	if math.Abs(rejected[0]-7.0/12) > 1e-12 || math.Abs(rejected[1]) > 1e-12 {
		t.Error(rejected)
	}
	common := must(VerificationCurve(background, far, scores, genuine, nil))(t)
	if math.Abs(common[0]-0.8) > 1e-12 {
		t.Error(common)
	}
	_, err := VerificationCurve(background, far, scores, genuine[:3], clients)
	expect(t, InvalidArgument, err)
	_, err = VerificationCurve(background, far, scores, genuine, clients[:3])
	expect(t, InvalidArgument, err)
	_, err = VerificationCurve(background, []float64{2}, scores, genuine, clients)
	expect(t, InvalidArgument, err)
}

func TestOtherKindsOfData(t *testing.T) {
	expected := []float64{0, 1, 0, 1}
	series := must(NewSeries([]float64{0, 1, 2, 5, 5, 0, 1, 5, 6, 5}, []int64{3, 2, 2, 3}, 1))(t)
	similar := must(NewSimilarities([]float64{2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2}, 4, 4))(t)
	texts := must(NewStrings([]string{"aaa", "bbb", "aab", "bba"}))(t)
	for kernel, data := range map[string]*Data{"gak": series, "gram(0)": similar, "spectrum(length=1)": texts} {
		if err := data.SetLabels([]int64{0, 1, 0, 1}); err != nil {
			t.Fatal(err)
		}
		model := must(Train(background, data, "svm", Params{"kernel": kernel}))(t)
		for i, label := range must(model.Predict(background, data))(t) {
			if label != expected[i] {
				t.Errorf("%s: row %d is %v", kernel, i, label)
			}
		}
	}
	sparse := must(NewSparse([]int64{0, 1, 2}, []int64{0, 2}, []float64{1, 2}, 3))(t)
	gram := must(Gram(background, sparse, nil, "linear"))(t)[0]
	if gram[0][0] != 1 || gram[0][1] != 0 || gram[1][1] != 4 {
		t.Error(gram)
	}
}
