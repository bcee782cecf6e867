# SPDX-License-Identifier: Apache-2.0
"""A producer of the Arrow C data interface in Python alone, as polars or pyarrow are where they are installed: a table of
numpy arrays and lists of texts, by its capsules."""

import ctypes

import numpy as np

FORMATS = {"float64": b"g", "float32": b"f", "int64": b"l", "int32": b"i", "int8": b"c", "uint8": b"C"}


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)), ("release", RELEASE_SCHEMA), ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)), ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", GET_ERROR), ("release", RELEASE_STREAM),
    ("private_data", ctypes.c_void_p),
]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Table:
    """Columns by name: a numpy array of numbers, or a list of texts, in which None is a null. ``living`` counts the structs
    that nobody has released; what they point to lives as long as the table."""

    def __init__(self, columns):
        self.columns = columns
        self.living = 0
        self._kept = []
        self._release = {
            Schema: RELEASE_SCHEMA(self._released), Array: RELEASE_ARRAY(self._released), Stream: RELEASE_STREAM(self._released)
        }

    def __arrow_c_array__(self, requested_schema=None):
        return self._capsule(self._schema(), b"arrow_schema"), self._capsule(self._array(), b"arrow_array")

    def _released(self, released):
        released.contents.release = type(released.contents.release)()
        self.living -= 1

    def _keep(self, *things):
        self._kept.extend(things)
        return things[-1]

    def _capsule(self, struct, name):
        return _new_capsule(ctypes.addressof(struct), self._keep(name), None)

    def _made(self, struct, children=()):
        self._keep(struct)
        if children:
            kind = type(struct)
            pointers = self._keep(*children, (ctypes.POINTER(kind) * len(children))(*map(ctypes.pointer, children)))
            struct.n_children = len(children)
            struct.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(kind)))
        return struct

    def _schema(self):
        parts = []
        for name, values in self.columns.items():
            format = FORMATS[str(values.dtype)] if isinstance(values, np.ndarray) else b"u"
            # a child is its parent's, which releases it
            parts.append(self._made(Schema(format=format, name=name.encode(), release=RELEASE_SCHEMA(lambda _: None))))
        self._keep(*[part.release for part in parts])
        self.living += 1
        return self._made(Schema(format=b"+s", name=b"", release=self._release[Schema]), parts)

    def _array(self):
        parts = []
        for values in self.columns.values():
            if isinstance(values, np.ndarray):
                parts.append(self._column(len(values), 0, [None, np.ascontiguousarray(values)]))
                continue
            texts = [(value or "").encode() for value in values]
            offsets = np.cumsum([0] + [len(text) for text in texts]).astype(np.int32)
            bits = np.packbits([value is not None for value in values], bitorder="little")
            letters = np.frombuffer(b"".join(texts) + b"\0", np.uint8)
            parts.append(self._column(len(values), values.count(None), [bits, offsets, letters]))
        self.living += 1
        rows = len(next(iter(self.columns.values())))
        whole = self._column(rows, 0, [None])
        whole.release = self._release[Array]
        return self._made(whole, parts)

    def _column(self, rows, nulls, buffers):
        addresses = (ctypes.c_void_p * len(buffers))(*[None if b is None else b.ctypes.data for b in buffers])
        self._keep(buffers, addresses)
        nothing = self._keep(RELEASE_ARRAY(lambda _: None))
        return self._made(Array(length=rows, null_count=nulls, n_buffers=len(buffers),
                                buffers=ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p)), release=nothing))


class StreamedTable(Table):
    """The same rows as a stream of arrays, of which there are ``times``; it fails after them where ``error`` is given."""

    def __init__(self, columns, times=1, error=None):
        super().__init__(columns)
        self.times, self.error = times, error

    __arrow_c_array__ = property()  # it has a stream alone

    def __arrow_c_stream__(self, requested_schema=None):
        left = [self.times]

        def get_schema(_, out):
            ctypes.memmove(out, ctypes.byref(self._schema()), ctypes.sizeof(Schema))
            return 0

        def get_next(_, out):
            if left[0] == 0:
                ctypes.memset(out, 0, ctypes.sizeof(Array))
                return 0 if self.error is None else 5
            left[0] -= 1
            ctypes.memmove(out, ctypes.byref(self._array()), ctypes.sizeof(Array))
            return 0

        told = None if self.error is None else ctypes.addressof(self._keep(ctypes.create_string_buffer(self.error)))
        stream = Stream(get_schema=GET_SCHEMA(get_schema), get_next=GET_NEXT(get_next),
                        get_last_error=GET_ERROR(lambda _: told), release=self._release[Stream])
        self._keep(stream.get_schema, stream.get_next, stream.get_last_error)
        self.living += 1
        return self._capsule(self._keep(stream), b"arrow_array_stream")
