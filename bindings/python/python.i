// SPDX-License-Identifier: Apache-2.0
//
// Python: arrays by the buffer protocol and not copied, failures as libdk.Error and its kin, calls without the
// interpreter's lock. Ctrl-C and the caller's listener are heard while a call runs.

%begin %{
// How a call gives the interpreter's lock away and takes it back.
#define SWIG_PYTHON_NO_USE_GIL
#include "interpreter_lock.hpp"
#define SWIG_PYTHON_THREAD_BEGIN_BLOCK dk_python::Locked _swig_thread_block
#define SWIG_PYTHON_THREAD_END_BLOCK _swig_thread_block.end()
#define SWIG_PYTHON_THREAD_BEGIN_ALLOW dk_python::Outside _swig_thread_allow
#define SWIG_PYTHON_THREAD_END_ALLOW _swig_thread_allow.end()
%}
%{
#include "arrow_capsules.hpp"
#include "python_support.hpp"
%}

%include <std_string.i>

%define SPAN(CTYPE, ELEMENT, FORMATS, WRITABLE)
%typemap(in) CTYPE (dk_python::Buffer buffer) %{
  if (!buffer.take($input, FORMATS, sizeof(ELEMENT), WRITABLE)) SWIG_fail;
  $1 = buffer.view<ELEMENT>();
%}
%enddef
SPAN(std::span<const double>, const double, "d", false)
SPAN(std::span<double>, double, "d", true)
SPAN(std::span<const float>, const float, "f", false)
SPAN(std::span<float>, float, "f", true)
SPAN(std::span<const std::int64_t>, const std::int64_t, "lq", false)
SPAN(std::span<std::int64_t>, std::int64_t, "lq", true)
SPAN(std::span<const std::byte>, const std::byte, "Bbc", false)
SPAN(std::span<std::byte>, std::byte, "Bbc", true)

%typemap(in) const std::vector<std::string>& (std::vector<std::string> texts) %{
  if (!dk_python::texts_of($input, texts)) SWIG_fail;
  $1 = &texts;
%}


// names of Python
%rename(from_file) libdk::Data::file;
%rename(assign) libdk::Parameters::set;

%ignore std::vector<std::string>;
%ignore libdk::Data::similarity_by;
%ignore libdk::Data::point_similarity_by;
%ignore libdk::Progress;
%ignore libdk::Control::set_listener;
%ignore libdk::require_memory;

%nothread set_failure;
%nothread address_of;
%nothread empty_capsules;
%nothread leave;
%nothread forget_other_threads;
%exception %{
  try {
    $action
  } catch (const libdk::Error& error) {
    dk_python::raise(static_cast<int>(error.status()), error.what());
    SWIG_fail;
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    SWIG_fail;
  } catch (const std::exception& error) {
    dk_python::raise(DK_ERR_INTERNAL, dk_told(error));
    SWIG_fail;
  }
%}

%exception address_of %{
  $action
  if (PyErr_Occurred() != nullptr) SWIG_fail;
%}

%inline %{
/// What makes the exception of a status and a message.
void set_failure(PyObject* factory) {
  Py_XINCREF(factory);
  dk_python::failure_factory = factory;
}

/// The address in a capsule of this name, as of a table of Arrow.
std::int64_t address_of(PyObject* capsule, const std::string& name) { return dk_python::address_of(capsule, name); }
/// Capsules of a schema and an array of Arrow that a call is to fill.
PyObject* empty_capsules() { return dk_python::empty_capsules(); }

/// Ends the calls of other threads, because the program ends.
void leave() { dk_python::leave(); }
void forget_other_threads() { dk_python::forget_other_threads(); }

/// A control whose calls Ctrl-C ends; `listener` is None or hears of progress, and ends a call by False.
libdk::Control control_of(int threads, std::int64_t megabytes, PyObject* listener) {
  return dk_python::control_of(threads, megabytes, listener);
}

/// Similarities that `function(out, rows, training_rows)` writes, and those to points that
/// `function(out, points, rows)` writes; all are views of memory.
libdk::Data similarities(std::int64_t rows, std::int64_t training_rows, PyObject* function,
                         std::span<const double> self) {
  return dk_python::similarities(rows, training_rows, function, self);
}
libdk::Data point_similarities(std::span<const double> x, std::int64_t rows, std::int64_t cols, PyObject* function) {
  return dk_python::point_similarities(x, rows, cols, function);
}
%}
