// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <utility>

#include "base/control.hpp"
#include "data/arrow/arrow_interface.hpp"

namespace dk {

/// A struct of the Arrow C interface that was taken from its producer, and is given back once, whatever
/// happens. A null pointer, and a struct that was released before, leave it empty.
template <typename Struct>
class Taken {
  public:
    Taken() = default;
    explicit Taken(Struct* from) {
        if (from == nullptr || from->release == nullptr) return;
        value_ = *from;
        from->release = nullptr;  // The interface says so of what has moved.
    }
    ~Taken() { release(); }
    Taken(Taken&& other) noexcept : value_(std::exchange(other.value_, Struct{})) {}
    Taken& operator=(Taken&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;

    bool is_empty() const { return value_.release == nullptr; }
    Struct* get() { return &value_; }
    Struct& operator*() { return value_; }
    const Struct& operator*() const { return value_; }
    const Struct* operator->() const { return &value_; }

  private:
    void release() {
        if (value_.release != nullptr) value_.release(&value_);
        value_.release = nullptr;
    }

    Struct value_{};
};

/// A table in pieces of some rows, with one schema.
struct ArrowBatches {
    Taken<ArrowSchema> schema;
    std::deque<Taken<ArrowArray>> arrays;
};

/// Makes a table of a schema and an array; throws Error(invalid_argument) where one of them is empty.
ArrowBatches batches_of(Taken<ArrowSchema> schema, Taken<ArrowArray> array, Control& control);

/// Makes a table of all that a stream gives; throws Error(invalid_argument) where it is empty, and
/// Error(invalid_data) with the producer's message where it fails.
ArrowBatches batches_of(Taken<ArrowArrayStream> stream, Control& control);

}  // namespace dk
