// SPDX-License-Identifier: Apache-2.0

// Cycles creates, trains, predicts and closes many times, then forgets to close and collects now and then; it fails when
// resident memory grows:
//
//	cycles CLOSED FORGOTTEN
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"
	"strings"

	"libdk"
)

var (
	rows   = libdk.Rows{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 4}, {5, 4}, {4, 5}, {5, 5}}
	labels = []int64{-1, -1, -1, -1, 1, 1, 1, 1}
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func cycle(closes bool) {
	ctx := context.Background()
	data := must(libdk.NewData(rows))
	if err := data.SetLabels(labels); err != nil {
		log.Fatal(err)
	}
	model := must(libdk.Train(ctx, data, "svm", libdk.Params{"kernel": "linear"}, libdk.Threads(1)))
	predicted := must(model.Predict(ctx, data, libdk.Threads(1)))
	if predicted[0] != -1 || predicted[7] != 1 {
		log.Fatal("a wrong prediction")
	}
	if closes {
		model.Close()
		data.Close()
	}
}

// The collector sees a few bytes of a forgotten model, not what the library holds for it, and runs when it likes. So that
// memory tells of what is never given back, and not of what waits, forgotten models are collected after so many cycles.
const cyclesPerCollection = 1000

// collect returns when the finalizers of what the collector found have begun to run, which they do one after the other.
// What it waits for has 16 bytes, because smaller objects share a block that may live on.
func collect() {
	finalized := make(chan struct{})
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { close(finalized) })
	runtime.GC()
	<-finalized
}

// The first half settles the heap; after it memory may grow by no more than the limit in megabytes.
func watch(name string, count, limit int, closes bool) {
	run := func() {
		for i := 0; i < count/2; i++ {
			cycle(closes)
			if !closes && i%cyclesPerCollection == 0 {
				collect()
			}
		}
	}
	run()
	before := resident()
	run()
	after := resident()
	fmt.Printf("%d cycles %s: resident memory from %d to %d MB\n", count, name, before, after)
	if after > before+limit {
		os.Exit(1)
	}
}

func resident() int {
	fields := strings.Fields(string(must(os.ReadFile("/proc/self/statm"))))
	return must(strconv.Atoi(fields[1])) * os.Getpagesize() >> 20
}

func main() {
	watch("closed", must(strconv.Atoi(os.Args[1])), 16, true)
	watch("forgotten", must(strconv.Atoi(os.Args[2])), 16, false)
}
