// SPDX-License-Identifier: Apache-2.0

//go:build unix

package libdk

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestCausesOfPipesAreNotWaitedFor(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	found := make(chan error)
	go func() {
		failure := &Error{Status: IO}
		causedByReading(pipe, failure)
		found <- failure.Cause
	}()
	select {
	case cause := <-found:
		if cause != nil {
			t.Error(cause)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a writer")
	}
}
