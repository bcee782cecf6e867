// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"errors"
	"sync"
)

// ErrClosed is what calls with closed models and data give.
var ErrClosed = errors.New("libdk: already closed")

// handle holds a native object until it was closed and no call uses it. Calls are counted: a lock of many readers would
// stop a call that uses one object twice, or two in another order, when a close waits.
type handle[T any] struct {
	mutex  sync.Mutex
	object T
	free   func(T)
	users  int
	closed bool
}

func (h *handle[T]) use(action func(T) error) error {
	if err := h.begin(); err != nil {
		return err
	}
	defer h.end()
	return action(h.object)
}

func (h *handle[T]) begin() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.closed || h.free == nil { // a handle that nobody made is as one that is closed
		return ErrClosed
	}
	h.users++
	return nil
}

func (h *handle[T]) end() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.users--
	h.freeUnused()
}

func (h *handle[T]) close() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.closed = true
	h.freeUnused()
	return nil
}

func (h *handle[T]) freeUnused() {
	if h.closed && h.users == 0 && h.free != nil {
		h.free(h.object)
		h.free = nil
	}
}
