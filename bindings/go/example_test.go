// SPDX-License-Identifier: Apache-2.0

package libdk_test

import (
	"context"
	"fmt"

	"libdk"
)

func Example() {
	ctx := context.Background()
	data, err := libdk.NewData(libdk.Rows{{0, 0}, {1, 0}, {4, 4}, {5, 4}})
	if err != nil {
		panic(err)
	}
	defer data.Close()
	if err := data.SetLabelNames([]string{"low", "low", "high", "high"}); err != nil {
		panic(err)
	}
	model, err := libdk.Train(ctx, data, "svm", libdk.Params{"kernel": "linear"})
	if err != nil {
		panic(err)
	}
	defer model.Close()
	names, _ := model.ClassNames()
	predicted, _ := model.Predict(ctx, data)
	for _, position := range predicted {
		fmt.Println(names[int(position)])
	}
	// Output:
	// low
	// low
	// high
	// high
}
