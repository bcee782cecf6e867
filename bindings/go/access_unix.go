// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd

package libdk

import (
	"io/fs"
	"syscall"
)

// writable asks the system whether files can be made in a folder, and makes none.
func writable(folder string) error {
	const write = 2 // W_OK of unistd.h
	if err := syscall.Access(folder, write); err != nil {
		return &fs.PathError{Op: "access", Path: folder, Err: err}
	}
	return nil
}
