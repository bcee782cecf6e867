// SPDX-License-Identifier: Apache-2.0
//
// R: vectors as they are, objects behind external pointers with a tag and a finalizer, failures as values that the
// R layer signals: no error of R jumps over C++ frames. The R layer calls the wrappers itself; what SWIG writes in R
// is not part of the package.

%{
#include "r_support.hpp"
%}

// wrappers are found by what is registered alone
%insert("sinitroutine") %{
R_useDynamicSymbols(dll, FALSE);
%}

%typemap(in) std::span<const double> %{ $1 = {REAL($input), static_cast<std::size_t>(Rf_xlength($input))}; %}
%typemap(in) std::span<double> %{ $1 = {REAL($input), static_cast<std::size_t>(Rf_xlength($input))}; %}
%typemap(in) std::span<const std::int64_t> (dk_r::Integers integers) %{
  $1 = integers.take($input, false);
%}
%typemap(in) std::span<std::int64_t> (dk_r::Integers integers) %{
  $1 = integers.take($input, true);
%}
%typemap(in) std::span<const std::byte>, std::span<std::byte> %{
  $1 = {reinterpret_cast<std::byte*>(RAW($input)), static_cast<std::size_t>(Rf_xlength($input))};
%}
%typemap(argout) std::span<double>, std::span<std::int64_t>, std::span<std::byte> ""

%typemap(in) std::int64_t %{ $1 = static_cast<std::int64_t>(Rf_asReal($input)); %}
%typemap(out) std::int64_t %{ $result = Rf_ScalarReal(static_cast<double>($1)); %}
%typemap(in) const std::string& (std::string text) %{ text = dk_r::text_of(Rf_asChar($input)); $1 = &text; %}
%typemap(out) std::string %{ $result = dk_r::characters_of($1); %}
%typemap(in) const std::vector<std::string>& (std::vector<std::string> texts) %{
  texts = dk_r::texts_of($input);
  $1 = &texts;
%}

%typemap(in) SEXP %{ $1 = $input; %}
%typemap(out) SEXP %{ $result = $1; %}

%ignore libdk::Data::similarity_by;
%ignore libdk::Data::point_similarity_by;
// what R has no numbers for
%ignore libdk::Data::dense_single;
%ignore libdk::gram(std::span<float>, const Data&, const Data&, const std::string&, const Control&);

%define OBJECT(TYPE)
%typemap(in) TYPE*, const TYPE* %{ $1 = dk_r::object<TYPE>($input); %}
%typemap(in) TYPE* self, const TYPE* self, TYPE&, const TYPE& %{
  $1 = dk_r::object<TYPE>($input);
  if ($1 == nullptr) return dk_r::failure(DK_ERR_INVALID_ARGUMENT, "no native object, or one of another session");
%}
%typemap(out) TYPE* %{ $result = dk_r::external($1); %}
%typemap(out) TYPE& %{ $result = R_NilValue; %}
%typemap(out) TYPE %{ $result = dk_r::external(new TYPE($1)); %}
%enddef
OBJECT(libdk::Data)
OBJECT(libdk::Parameters)
OBJECT(libdk::Model)
OBJECT(libdk::Control)
OBJECT(libdk::ModelList)

%exception %{
  try {
    $action
  } catch (const libdk::Error& error) {
    return dk_r::failure(static_cast<int>(error.status()), dk_r::told(error));
  } catch (const std::bad_alloc&) {
    return dk_r::failure(DK_ERR_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return dk_r::failure(DK_ERR_INTERNAL, dk_told(error));
  }
%}

%ignore libdk::Progress;
%ignore std::vector<std::string>;
%ignore libdk::Control::set_listener;
%ignore libdk::Control::make;

%inline %{
/// A matrix whose numbers are still to be written; R's own constructors would set them to zero first.
SEXP unwritten(int rows, int cols) {
  return Rf_allocMatrix(REALSXP, rows, cols);
}

/// External pointers of another session, or from a file, are null.
bool alive(const libdk::Model* model) {
  return model != nullptr;
}

/// Similarities that a function of R computes: function(rows, training_rows), counted from 0, and
/// function(points, rows), where a point is a row.
libdk::Data similarities(std::int64_t rows, std::int64_t training_rows, SEXP function, std::span<const double> self) {
  return libdk::Data::similarity(
      rows, training_rows,
      [called = dk_r::kept(function)](std::span<double> out, std::span<const std::int64_t> some,
                                      std::span<const std::int64_t> training) {
        dk_r::ask(called.get(), out, dk_r::Asked{some}, dk_r::Asked{training}, std::ssize(some));
      },
      self);
}
libdk::Data point_similarities(std::span<const double> x, std::int64_t rows, std::int64_t cols, SEXP function) {
  return libdk::Data::point_similarity(
      libdk::MatrixView<double>(x, rows, cols),
      [called = dk_r::kept(function)](std::span<double> out, std::span<const double> points, std::int64_t width,
                                      std::span<const std::int64_t> some) {
        dk_r::ask(called.get(), out, dk_r::Asked{points, width}, dk_r::Asked{some}, std::ssize(some));
      });
}

/// A control whose calls the user can interrupt. The question may jump, so it is asked inside a frame of R's.
libdk::Control interruptible(int threads, std::int64_t megabytes) {
  return libdk::Control({.threads = threads, .memory_mb = megabytes, .progress = [](double, std::string_view) {
    dk_r::was_interrupted() = R_ToplevelExec([](void*) { R_CheckUserInterrupt(); }, nullptr) != TRUE;
    return !dk_r::was_interrupted();
  }});
}

/// What a model predicts for the rows of a matrix, with all processors. Predicting takes a row less time than a call
/// from R, so this is one call in place of six. NULL for rows that lack values, for models of several targets, and for
/// those of another session.
SEXP predicted_rows(SEXP pointer, SEXP x) {
  const auto* model = dk_r::object<libdk::Model>(pointer);
  const int rows = Rf_nrows(x);
  const int cols = Rf_ncols(x);
  const std::span<const double> values(REAL(x), static_cast<std::size_t>(Rf_xlength(x)));
  if (model == nullptr || rows == 0 || model->target_count() > 1) return R_NilValue;
  if (std::ranges::any_of(values, [](double v) { return std::isnan(v); })) return R_NilValue;
  const dk_r::Protected out(Rf_allocVector(REALSXP, rows));
  const auto data = libdk::Data::dense(libdk::MatrixView<double>(values, rows, cols, rows, DK_COL_MAJOR));
  model->predict(std::span(REAL(out.get()), static_cast<std::size_t>(rows)), data, interruptible(0, 0));
  return out.get();
}

/// Whether the user ended the last call; asking forgets it.
bool interrupted() {
  return std::exchange(dk_r::was_interrupted(), false);
}
%}
