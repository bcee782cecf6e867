// SPDX-License-Identifier: Apache-2.0
//
// What the generated wrappers call: arrays, failures and callbacks between C++ and Python.
#pragma once

#include <Python.h>
#include <dk/dk.hpp>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter_lock.hpp"

namespace dk_python {

/// A function of the layer above that makes the exception of a status and a message.
inline PyObject* failure_factory = nullptr;

/// Raises a failure, unless what a callback raised waits already.
inline void raise(int status, const char* message) {
    if (PyErr_Occurred() != nullptr) return;
    PyObject* text = PyUnicode_DecodeUTF8(message, static_cast<Py_ssize_t>(std::strlen(message)), "replace");
    PyObject* error = text != nullptr ? PyObject_CallFunction(failure_factory, "iN", status, text) : nullptr;
    if (error == nullptr) return;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    Py_DECREF(error);
}

/// The memory of an object for the time of a call.
class Buffer {
  public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
        if (held_) PyBuffer_Release(&view_);
    }

    /// False where a Python exception waits: the memory has gaps, or other elements than one of `formats`.
    bool take(PyObject* object, const char* formats, std::size_t size, bool writable) {
        const int flags = PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(object, &view_, flags) != 0) return false;
        held_ = true;
        const char* format = view_.format != nullptr ? view_.format : "B";
        if (*format == '=' || *format == '@' || *format == '<') ++format;
        if (static_cast<std::size_t>(view_.itemsize) == size && std::strchr(formats, *format) != nullptr &&
            format[1] == '\0')
            return true;
        PyErr_Format(PyExc_TypeError, "an array has elements of format %s, %s is needed", format, formats);
        return false;
    }
    template <typename Element>
    std::span<Element> view() const {
        return {static_cast<Element*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(Element)};
    }

  private:
    Py_buffer view_ = {};
    bool held_ = false;
};

/// A sequence of texts; false where a Python exception waits.
inline bool texts_of(PyObject* sequence, std::vector<std::string>& texts) {
    PyObject* items = PySequence_List(sequence);
    if (items == nullptr) return false;
    for (Py_ssize_t i = 0; i < PyList_Size(items); ++i) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(PyList_GetItem(items, i), &size);
        if (text == nullptr) break;
        texts.emplace_back(text, static_cast<std::size_t>(size));
    }
    Py_DECREF(items);
    return PyErr_Occurred() == nullptr;
}

/// An object that callbacks keep; the lock is held where it is taken.
inline std::shared_ptr<PyObject> kept(PyObject* object) {
    Py_INCREF(object);
    return {object, [](PyObject* released) {
                const Locked lock;
                Py_DECREF(released);
            }};
}

/// What a callback raised waits in the thread until the call has returned.
struct Raised {};

/// Memory that a callback sees for the time of its call.
template <typename Element>
PyObject* memory_of(std::span<Element> elements) {
    constexpr int flags = std::is_const_v<Element> ? PyBUF_READ : PyBUF_WRITE;
    auto* bytes = const_cast<char*>(reinterpret_cast<const char*>(elements.data()));
    return PyMemoryView_FromMemory(bytes, static_cast<Py_ssize_t>(elements.size_bytes()), flags);
}

inline libdk::Control control_of(int threads, std::int64_t megabytes, PyObject* listener) {
    const Locked lock;
    const auto function = listener == Py_None ? nullptr : kept(listener);
    return libdk::Control({.threads = threads,
                           .memory_mb = megabytes,
                           .progress = [function](double fraction, std::string_view stage) {
                               if (leaving) return false;
                               const Locked held;
                               if (PyErr_CheckSignals() != 0) return false;
                               if (function == nullptr) return true;
                               PyObject* answer =
                                   PyObject_CallFunction(function.get(), "ds#", fraction, stage.data(),
                                                         static_cast<Py_ssize_t>(stage.size()));
                               const bool goes_on =
                                   answer != nullptr && (answer == Py_None || PyObject_IsTrue(answer) == 1);
                               Py_XDECREF(answer);
                               return goes_on;
                           }});
}

/// Calls a function with three views, which it must not keep; Raised where it raised.
inline void ask(PyObject* function, PyObject* out, PyObject* first, PyObject* second) {
    PyObject* answer = PyObject_CallFunction(function, "NNN", out, first, second);
    Py_XDECREF(answer);
    if (answer == nullptr) throw Raised();
}

inline libdk::Data similarities(std::int64_t rows, std::int64_t training_rows, PyObject* function,
                                std::span<const double> self) {
    const Locked lock;
    return libdk::Data::similarity(
        rows, training_rows,
        [called = kept(function)](std::span<double> out, std::span<const std::int64_t> some,
                                  std::span<const std::int64_t> training) {
            const Locked held;
            ask(called.get(), memory_of(out), memory_of(some), memory_of(training));
        },
        self);
}

inline libdk::Data point_similarities(std::span<const double> x, std::int64_t rows, std::int64_t cols,
                                      PyObject* function) {
    const Locked lock;
    return libdk::Data::point_similarity(
        libdk::MatrixView<double>(x, rows, cols),
        [called = kept(function)](std::span<double> out, std::span<const double> points, std::int64_t,
                                  std::span<const std::int64_t> some) {
            const Locked held;
            ask(called.get(), memory_of(out), memory_of(points), memory_of(some));
        });
}

}  // namespace dk_python
