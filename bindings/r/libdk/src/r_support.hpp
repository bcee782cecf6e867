// SPDX-License-Identifier: Apache-2.0
//
// What the generated wrappers call: vectors, text, objects and failures between C++ and R.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dk/dk.hpp>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

namespace libdk {
class ModelList;  // of comparison.i, which stands behind this file
}

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
template <>
inline SEXP tag_of<libdk::ModelList>() {
    return Rf_install("libdk_models");
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

/// A value that R keeps while C++ works, whether or not that throws.
class Protected {
  public:
    explicit Protected(SEXP value) : value_(PROTECT(value)) {}
    Protected(const Protected&) = delete;
    Protected& operator=(const Protected&) = delete;
    ~Protected() { UNPROTECT(1); }
    SEXP get() const { return value_; }

  private:
    SEXP value_;
};

/// Whether the user interrupted a call.
inline bool& was_interrupted() {
    static bool interrupted = false;
    return interrupted;
}

/// A function of R that callbacks keep.
inline std::shared_ptr<SEXPREC> kept(SEXP function) {
    R_PreserveObject(function);
    return {function, R_ReleaseObject};
}

/// What a callback is asked about: positions, or points of some coordinates.
struct Asked {
    std::span<const std::int64_t> positions = {};
    std::span<const double> points = {};
    std::int64_t width = 0;

    explicit Asked(std::span<const std::int64_t> rows) : positions(rows) {}
    Asked(std::span<const double> values, std::int64_t cols) : points(values), width(cols) {}

    SEXP vector() const {
        if (width == 0) {
            SEXP out = Rf_allocVector(REALSXP, std::ssize(positions));
            std::copy(positions.begin(), positions.end(), REAL(out));
            return out;
        }
        const auto count = static_cast<int>(std::ssize(points) / width);
        SEXP out = Rf_allocMatrix(REALSXP, count, static_cast<int>(width));
        for (int i = 0; i < count; ++i)
            for (std::int64_t c = 0; c < width; ++c) REAL(out)[c * count + i] = points[i * width + c];
        return out;
    }
};

/// What the last callback that failed said.
inline std::string& callback_failure() {
    static std::string text;
    return text;
}

/// The message of a failure; a callback's own where one failed.
inline std::string told(const libdk::Error& error) {
    return error.status() == libdk::Status::callback ? callback_failure() : error.what();
}

/// A question to a function of R: errors of R stay in the frame that asks.
struct Question {
    SEXP function;
    std::span<double> out;
    Asked first;
    Asked second;
    std::int64_t rows;
    bool answered = false;

    void ask() {
        callback_failure() = "R had no memory to ask a similarity";
        SEXP one = PROTECT(first.vector());
        SEXP other = PROTECT(second.vector());
        SEXP call = PROTECT(Rf_lang3(function, one, other));
        int failed = 0;
        SEXP value = PROTECT(R_tryEvalSilent(call, R_GlobalEnv, &failed));
        if (failed != 0) {
            callback_failure() = R_curErrorBuf();
        } else if (TYPEOF(value) == STRSXP && Rf_inherits(value, "libdk_interrupted")) {
            was_interrupted() = true;
        } else if (TYPEOF(value) != REALSXP || Rf_xlength(value) != std::ssize(out)) {
            callback_failure() =
                "a similarity has to give a matrix of numbers, rows x what they are compared with";
        } else {
            const std::int64_t cols = std::ssize(out) / rows;
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < cols; ++j) out[i * cols + j] = REAL(value)[j * rows + i];
            answered = true;
        }
        UNPROTECT(4);
    }
};

/// Asks a function of R, whose answer is a matrix by columns; throws where it fails.
inline void ask(SEXP function, std::span<double> out, const Asked& first, const Asked& second,
                std::int64_t rows) {
    Question question{function, out, first, second, rows};
    R_ToplevelExec([](void* asked) { static_cast<Question*>(asked)->ask(); }, &question);
    if (!question.answered) throw std::runtime_error(callback_failure());
}

}  // namespace dk_r
