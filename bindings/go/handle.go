// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"errors"
	"sync"
)

// ErrClosed is what calls with closed models and data give.
var ErrClosed = errors.New("libdk: already closed")

// handle holds a native object until it was closed and no call uses it.
type handle[T any] struct {
	mutex  sync.RWMutex
	object T
	free   func(T)
	closed bool
}

func (h *handle[T]) use(action func(T) error) error {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	if h.closed || h.free == nil { // a handle that nobody made is as one that is closed
		return ErrClosed
	}
	return action(h.object)
}

func (h *handle[T]) close() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.closed && h.free != nil {
		h.closed = true
		h.free(h.object)
	}
	return nil
}
