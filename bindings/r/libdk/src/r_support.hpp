// SPDX-License-Identifier: Apache-2.0
//
// What the generated wrappers call: vectors, text, objects and failures between C++ and R.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dk/dk.hpp>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

namespace dk_r {

/// Integers of 64 bits, which R has as doubles; results are written back when the call is over.
class Integers {
  public:
    Integers() = default;
    Integers(const Integers&) = delete;
    Integers& operator=(const Integers&) = delete;
    ~Integers() {
        for (std::size_t i = 0; back_ != nullptr && i < values_.size(); ++i)
            back_[i] = static_cast<double>(values_[i]);
    }

    std::span<std::int64_t> take(SEXP vector, bool is_result) {
        const double* from = REAL(vector);
        values_.resize(static_cast<std::size_t>(Rf_xlength(vector)));
        // what is no number becomes one that libdk refuses where it matters
        for (std::size_t i = 0; i < values_.size(); ++i)
            values_[i] = std::isfinite(from[i]) ? static_cast<std::int64_t>(from[i]) : -1;
        if (is_result) back_ = REAL(vector);
        return values_;
    }

  private:
    std::vector<std::int64_t> values_;
    double* back_ = nullptr;
};

inline std::string text_of(SEXP characters) {
    return Rf_translateCharUTF8(characters);
}

inline SEXP characters_of(const std::string& text) {
    SEXP one = PROTECT(Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8));
    SEXP vector = Rf_ScalarString(one);
    UNPROTECT(1);
    return vector;
}

inline std::vector<std::string> texts_of(SEXP vector) {
    std::vector<std::string> texts;
    for (R_xlen_t i = 0; i < Rf_xlength(vector); ++i) texts.push_back(text_of(STRING_ELT(vector, i)));
    return texts;
}

/// A failure as the R layer knows it.
inline SEXP failure(int status, const std::string& message) {
    SEXP text = PROTECT(characters_of(message));
    SEXP code = PROTECT(Rf_ScalarInteger(status));
    SEXP type = PROTECT(Rf_mkString("dk_failure"));
    Rf_setAttrib(text, Rf_install("status"), code);
    Rf_classgets(text, type);
    UNPROTECT(3);
    return text;
}

template <typename T>
SEXP tag_of();
template <>
inline SEXP tag_of<libdk::Data>() {
    return Rf_install("libdk_data");
}
template <>
inline SEXP tag_of<libdk::Parameters>() {
    return Rf_install("libdk_params");
}
template <>
inline SEXP tag_of<libdk::Model>() {
    return Rf_install("libdk_model");
}
template <>
inline SEXP tag_of<libdk::Control>() {
    return Rf_install("libdk_control");
}

/// Null for anything that is not, or no longer, an object of this type.
template <typename T>
T* object(SEXP pointer) {
    if (TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrTag(pointer) != tag_of<T>()) return nullptr;
    return static_cast<T*>(R_ExternalPtrAddr(pointer));
}

template <typename T>
void release(SEXP pointer) {
    delete object<T>(pointer);
    R_ClearExternalPtr(pointer);
}

template <typename T>
SEXP external(T* object) {
    SEXP pointer = PROTECT(R_MakeExternalPtr(object, tag_of<T>(), R_NilValue));
    R_RegisterCFinalizerEx(pointer, release<T>, TRUE);
    UNPROTECT(1);
    return pointer;
}

}  // namespace dk_r
