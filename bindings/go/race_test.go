// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"errors"
	"math/rand"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"libdk/internal/swig"
)

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
		for answered.Load() == before && !t.Failed() {
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
