// SPDX-License-Identifier: Apache-2.0

// Overhead is what tests/bench/bindings/overhead.c measures, in Go.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"
	"time"

	"libdk"
)

const (
	rows         = 100000
	cols         = 50
	trainingRows = 1000
	singleRows   = 10000
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func train(x []float64) *libdk.Model {
	labels := make([]int64, trainingRows)
	for i := range labels {
		sum := 0.0
		for _, value := range x[i*cols : (i+1)*cols] {
			sum += value
		}
		if sum > cols/2.0 {
			labels[i] = 1
		}
	}
	data := must(libdk.NewDataFromSlice(x[:trainingRows*cols], trainingRows, cols))
	defer data.Close()
	if err := data.SetLabels(labels); err != nil {
		log.Fatal(err)
	}
	return must(libdk.Train(context.Background(), data, "svm", libdk.Params{"kernel": "rbf(gamma=0.1)"}))
}

func median(values []float64) float64 {
	sort.Float64s(values)
	return values[len(values)/2]
}

func main() {
	repeats := must(strconv.Atoi(os.Args[1]))
	x := make([]float64, rows*cols)
	state := int64(1)
	for i := range x {
		state = state * 16807 % 2147483647
		x[i] = float64(state) / 2147483647.0
	}
	model := train(x)
	defer model.Close()
	predict, array, single := make([]float64, repeats), make([]float64, repeats), make([]float64, repeats)
	for r := 0; r < repeats; r++ {
		began := time.Now()
		data := must(libdk.NewDataFromSlice(x, rows, cols))
		built := time.Now()
		must(model.Predict(context.Background(), data))
		predict[r] = time.Since(built).Seconds()
		array[r] = time.Since(began).Seconds()
		data.Close()
		began = time.Now()
		for i := 0; i < singleRows; i++ {
			row := must(libdk.NewDataFromSlice(x[i*cols:(i+1)*cols], 1, cols))
			must(model.Predict(context.Background(), row))
			row.Close()
		}
		single[r] = 1e6 * time.Since(began).Seconds() / singleRows
	}
	fmt.Printf("predict %.4f array %.4f row %.2f\n", median(predict), median(array), median(single))
}
