// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"errors"
	"math/rand"
	"testing"
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
