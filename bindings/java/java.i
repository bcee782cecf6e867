// SPDX-License-Identifier: Apache-2.0
//
// Java: arrays as double[] and long[], direct buffers, text as UTF-8 bytes (JNI's own strings are not UTF-8),
// failures as DkException, whatever a listener throws as what it is.

%{
#include "java_support.hpp"
#include "java_values.hpp"
%}

// the proxies are seen by the package alone
%pragma(java) moduleclassmodifiers="final class"
%pragma(java) jniclassclassmodifiers="final class"
%typemap(javaclassmodifiers) SWIGTYPE "class"
%typemap(javafinalize) SWIGTYPE ""
%typemap(javaclassmodifiers) libdk::Progress "abstract class"

%pragma(java) jniclasscode=%{
  static {
    NativeLoader.load();
  }
%}

%define ARRAY_IN(CTYPE, JNITYPE, JTYPE)
%typemap(jni) CTYPE "JNITYPE"
%typemap(jtype) CTYPE "JTYPE"
%typemap(jstype) CTYPE "JTYPE"
%typemap(javain) CTYPE "$javainput"
%typemap(in) CTYPE (dk_java::Elements<JNITYPE> elements) %{
  if (!elements.take(jenv, $input)) return $null;
  $1 = elements.view();
%}
%enddef

%define ARRAY_OUT(CTYPE, JNITYPE, JTYPE)
ARRAY_IN(CTYPE, JNITYPE, JTYPE)
%typemap(in) CTYPE (dk_java::Elements<JNITYPE> elements) %{
  if (!elements.take(jenv, $input, true)) return $null;
  $1 = elements.view();
%}
%enddef

ARRAY_IN(std::span<const double>, jdoubleArray, double[])
ARRAY_OUT(std::span<double>, jdoubleArray, double[])
ARRAY_IN(std::span<const float>, jfloatArray, float[])
ARRAY_OUT(std::span<float>, jfloatArray, float[])
ARRAY_IN(std::span<const std::int64_t>, jlongArray, long[])
ARRAY_OUT(std::span<std::int64_t>, jlongArray, long[])
ARRAY_IN(std::span<const std::byte>, jbyteArray, byte[])
ARRAY_OUT(std::span<std::byte>, jbyteArray, byte[])

// direct buffers
%typemap(jni) dk_java::Direct "jobject"
%typemap(jtype) dk_java::Direct "java.nio.DoubleBuffer"
%typemap(jstype) dk_java::Direct "java.nio.DoubleBuffer"
%typemap(javain) dk_java::Direct "$javainput"
%typemap(in) dk_java::Direct %{ if (!dk_java::direct_doubles(jenv, $input, $1)) return $null; %}

%typemap(jni) dk_java::DirectOut "jobject"
%typemap(jtype) dk_java::DirectOut "java.nio.DoubleBuffer"
%typemap(jstype) dk_java::DirectOut "java.nio.DoubleBuffer"
%typemap(javain) dk_java::DirectOut "$javainput"
%typemap(in) dk_java::DirectOut %{ if (!dk_java::direct_doubles(jenv, $input, $1)) return $null; %}

// text
%typemap(jni) std::string, const std::string& "jbyteArray"
%typemap(jtype) std::string, const std::string& "byte[]"
%typemap(jstype) std::string, const std::string& "String"
%typemap(javain) std::string, const std::string& "NativeText.bytes($javainput)"
%typemap(javaout) std::string, const std::string& { return NativeText.text($jnicall); }
%typemap(in) const std::string& (std::string text) %{
  if (!dk_java::text_of(jenv, $input, text)) return $null;
  $1 = &text;
%}
%typemap(out) std::string %{ $result = dk_java::bytes_of(jenv, $1); %}
%typemap(directorin, descriptor="Ljava/lang/String;") const std::string& %{
  $input = dk_java::bytes_of(jenv, $1);
  Swig::LocalRefGuard $1_refguard(jenv, $input);
%}
%typemap(javadirectorin) const std::string& "NativeText.text($jniinput)"

// JSON as maps, lists, texts and numbers
%typemap(jni) dk_java::Json "jobject"
%typemap(jtype) dk_java::Json "Object"
%typemap(jstype) dk_java::Json "Object"
%typemap(javaout) dk_java::Json { return $jnicall; }
%typemap(out) dk_java::Json %{ $result = dk_java::value_of(jenv, $1); %}

// What a listener throws waits in C++ until libdk has returned, and is thrown again as it is.
%feature("director:except") %{
  if (const jthrowable thrown = jenv->ExceptionOccurred()) {
    jenv->ExceptionClear();
    throw dk_java::Thrown(jenv, thrown);
  }
%}

%exception %{
  try {
    $action
  } catch (const dk_java::Thrown& thrown) {
    thrown.raise(jenv);
    return $null;
  } catch (const libdk::Error& error) {
    if (dk_java::raise_waiting(jenv)) return $null;
    dk_java::raise(jenv, static_cast<int>(error.status()), error.what());
    return $null;
  } catch (const std::bad_alloc&) {
    dk_java::raise(jenv, DK_ERR_OUT_OF_MEMORY, "out of memory");
    return $null;
  } catch (const std::exception& error) {
    dk_java::raise(jenv, DK_ERR_INTERNAL, dk_told(error));
    return $null;
  }
%}

// Dense rows are copied by libdk alone: the array is pinned meanwhile, and free again before a failure is raised.
%typemap(jni) dk_java::PinnedDoubles "jdoubleArray"
%typemap(jtype) dk_java::PinnedDoubles "double[]"
%typemap(jstype) dk_java::PinnedDoubles "double[]"
%typemap(javain) dk_java::PinnedDoubles "$javainput"
%typemap(in) dk_java::PinnedDoubles %{
  if ($input == nullptr) {
    dk_java::raise_null(jenv);
    return $null;
  }
  $1 = {jenv, $input};
%}
%typemap(in, numinputs=0) JNIEnv* %{ $1 = jenv; %}
%extend libdk::Control {
  /// Ends calls whose thread is interrupted.
  void end_interrupted(JNIEnv* env) { $self->set_progress(dk_java::Interrupts(env)); }
}
%ignore libdk::Data::similarity_by;
%ignore libdk::Data::point_similarity_by;
%ignore libdk::Data::dense;
%ignore libdk::Model::explain_row;
%typemap(jni) dk_java::Callback "jobject"
%typemap(jtype) dk_java::Callback "NativeCallback"
%typemap(jstype) dk_java::Callback "NativeCallback"
%typemap(javain) dk_java::Callback "$javainput"
%typemap(in) dk_java::Callback %{ $1 = dk_java::Callback(jenv, $input); %}
%extend libdk::Data {
  static libdk::Data similarities(std::int64_t rows, std::int64_t training_rows, dk_java::Callback callback,
                                  std::span<const double> self) {
    return libdk::Data::similarity(
        rows, training_rows,
        [callback](std::span<double> out, std::span<const std::int64_t> some,
                   std::span<const std::int64_t> training) { callback.ask(out, {}, some, training); },
        self);
  }
  static libdk::Data point_similarities(std::span<const double> x, std::int64_t rows, std::int64_t cols,
                                        dk_java::Callback callback) {
    return libdk::Data::point_similarity(
        libdk::MatrixView<double>(x, rows, cols),
        [callback](std::span<double> out, std::span<const double> points, std::int64_t,
                   std::span<const std::int64_t> some) { callback.ask(out, points, some, {}); });
  }
  static libdk::Data dense_array(dk_java::PinnedDoubles x, std::int64_t rows, std::int64_t cols, bool missing) {
    const dk_java::Pinned pinned(x);
    const libdk::MatrixView<double> view(pinned.view(), rows, cols, cols, DK_ROW_MAJOR);
    return missing ? libdk::Data::dense_with_missing(view) : libdk::Data::dense(view);
  }
  static libdk::Data dense_direct(dk_java::Direct x, std::int64_t rows, std::int64_t cols) {
    return libdk::Data::dense(libdk::MatrixView<double>(x, rows, cols, cols, DK_ROW_MAJOR));
  }
}
%extend libdk::Model {
  dk_java::Json info_values() const { return {nlohmann::ordered_json::parse($self->info())}; }
  dk_java::Json warnings_values() const { return {nlohmann::ordered_json::parse($self->warnings())}; }
  dk_java::Json explain_row_values(const libdk::Data& data, std::int64_t row, const libdk::Control& control) const {
    return {nlohmann::ordered_json::parse($self->explain_row(data, row, control))};
  }
  dk_java::Json explain_row_with_values(const libdk::Data& data, std::int64_t row, const libdk::Data& training,
                                        const libdk::Control& control) const {
    return {nlohmann::ordered_json::parse($self->explain_row(data, row, training, control))};
  }
  void predict_direct(dk_java::DirectOut out, const libdk::Data& data, const libdk::Control& control) const {
    $self->predict(out, data, control);
  }
}
