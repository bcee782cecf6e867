// SPDX-License-Identifier: Apache-2.0
//
// Tables of Arrow between Python programs: capsules by the Arrow PyCapsule interface
// (arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html).
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <string>

// the structs of the Arrow C data interface
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

namespace dk_python {

/// The address in a capsule; 0 where it has another name, and a Python exception waits.
inline std::int64_t address_of(PyObject* capsule, const std::string& name) {
    return reinterpret_cast<std::intptr_t>(PyCapsule_GetPointer(capsule, name.c_str()));
}

/// A capsule of a struct that nobody has filled. What it has when the capsule dies is released.
template <typename Struct>
PyObject* empty_capsule(const char* name) {
    auto value = std::make_unique<Struct>();
    PyObject* capsule = PyCapsule_New(value.get(), name, [](PyObject* dead) {
        const std::unique_ptr<Struct> own(
            static_cast<Struct*>(PyCapsule_GetPointer(dead, PyCapsule_GetName(dead))));
        if (own != nullptr && own->release != nullptr) own->release(own.get());
    });
    if (capsule != nullptr) value.release();
    return capsule;
}

/// Capsules of a schema and an array.
inline PyObject* empty_capsules() {
    PyObject* schema = empty_capsule<ArrowSchema>("arrow_schema");
    PyObject* array = schema != nullptr ? empty_capsule<ArrowArray>("arrow_array") : nullptr;
    if (array == nullptr) {
        Py_XDECREF(schema);
        return nullptr;
    }
    return Py_BuildValue("NN", schema, array);
}

}  // namespace dk_python
