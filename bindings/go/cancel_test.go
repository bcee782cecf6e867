// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
