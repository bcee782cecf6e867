// SPDX-License-Identifier: Apache-2.0

// Conformance runs the cases of tests/bindings/conformance.c, which says what is read and written.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strings"

	"libdk"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	for _, line := range strings.Split(strings.TrimSpace(string(must(os.ReadFile(os.Args[1])))), "\n") {
		fields := strings.Split(line, "\t")
		run(fields[0], fields[1], fields[2], fields[3:])
	}
}

func run(name, file, machine string, pairs []string) {
	ctx := context.Background()
	file, options, _ := strings.Cut(file, " ")
	data := must(libdk.ReadData(filepath.Join(os.Args[2], file), options))
	defer data.Close()
	params := libdk.Params{}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		params[key] = value
	}
	model := must(libdk.Train(ctx, data, machine, params))
	defer model.Close()
	var out bytes.Buffer
	put := func(values []float64) {
		if err := binary.Write(&out, binary.LittleEndian, values); err != nil {
			log.Fatal(err)
		}
	}
	put(must(model.Predict(ctx, data)))
	for _, row := range must(model.Decision(ctx, data)) {
		put(row)
	}
	for _, row := range must(model.Explain(ctx, data)) {
		put(row)
	}
	for _, weight := range must(model.Weights()) {
		put([]float64{weight.Weight})
	}
	for _, prototype := range must(model.Prototypes()) {
		put(prototype.Coefficients)
	}
	transformed, err := model.Transform(ctx, data)
	var failure *libdk.Error
	if err != nil && !(errors.As(err, &failure) && failure.Status == libdk.Unsupported) {
		log.Fatal(err)
	}
	for _, row := range transformed {
		put(row)
	}
	out.Write(must(model.MarshalBinary()))
	if err := os.WriteFile(filepath.Join(os.Args[3], name), out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
