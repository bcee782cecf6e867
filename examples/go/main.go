// SPDX-License-Identifier: Apache-2.0

// Quickstart trains a support vector machine with a bank of kernels on two thirds of a CSV file, tests it on the rest,
// and prints its weights and prototypes:
//
//	cd bindings/go && go run ../../examples/go/main.go ../../examples/data/sonar.csv
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"libdk"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	all := must(libdk.ReadData(os.Args[1], ""))
	defer all.Close()
	folds := must(all.Folds(3, 1))
	train := must(all.SelectFunc(func(row int) bool { return folds[row] != 0 }))
	test := must(all.SelectFunc(func(row int) bool { return folds[row] == 0 }))
	defer train.Close()
	defer test.Close()
	model := must(libdk.Train(ctx, train, "svm", libdk.Params{"C": 10, "scale": "standard",
		"kernel": "[linear, rbf(gamma=auto), arccos(0,1)]", "weights": "dimkl1"}))
	defer model.Close()
	rows, _ := test.Dims()
	fmt.Printf("accuracy %.4f on %d rows\n", must(model.Score(ctx, test, "accuracy")), rows)
	for _, weight := range must(model.Weights()) {
		fmt.Printf("weight %.4f of %s\n", weight.Weight, weight.Kernel)
	}
	for _, prototype := range must(model.Prototypes()) {
		fmt.Printf("prototype of %s near the training rows %v\n", prototype.Class, prototype.NearestRows)
	}
}
