// SPDX-License-Identifier: Apache-2.0
//
// One interface for all languages: what classes.i names of dk.hpp is wrapped, each language brings its section (typemaps
// of spans and texts, failures) and a layer above that is written by hand.
#if defined(SWIGJAVA) || defined(SWIGCSHARP) || defined(SWIGPYTHON)
%module(directors="1") Native
%feature("director") libdk::Progress;
#else
%module Native
#endif

%{
#include <dk/dk.hpp>

#include <stdexcept>

/// What a language tells of a failure that is no libdk::Error. The layers' own are std::runtime_error; what the
/// standard library says of itself, such as "map::at", helps nobody.
inline const char* dk_told(const std::exception& error) {
    const bool own = dynamic_cast<const std::runtime_error*>(&error) != nullptr;
    return own ? error.what() : "an unexpected failure inside libdk, which is a defect of it; please report it";
}
%}

%include <stdint.i>
typedef int32_t dk_layout;

// nothing makes data and models but their functions
%feature("valuewrapper") libdk::Data;
%feature("valuewrapper") libdk::Model;
%feature("novaluewrapper") std::span<const double>;
%feature("novaluewrapper") std::span<double>;
%feature("novaluewrapper") std::span<const float>;
%feature("novaluewrapper") std::span<float>;
%feature("novaluewrapper") std::span<const std::int64_t>;
%feature("novaluewrapper") std::span<std::int64_t>;
%feature("novaluewrapper") std::span<const std::byte>;
%feature("novaluewrapper") std::span<std::byte>;

// the names of the layers above are those of the classes
%rename(NativeControl) libdk::Control;
%rename(NativeData) libdk::Data;
%rename(NativeParams) libdk::Parameters;
%rename(NativeModel) libdk::Model;

// overloads have names of their own, because not every language has overloads
%rename(gram_single) libdk::gram(std::span<float>, const Data&, const Data&, const std::string&, const Control&);
%rename(explain_row_with) libdk::Model::explain_row(const Data&, std::int64_t, const Data&, const Control&) const;
%rename(drift_with) libdk::Model::drift(std::span<double>, const Data&, const Data&, std::uint64_t,
                                        const Control&) const;
%rename(report_with) libdk::Model::report(const std::string&, const Data&, const Data&, const std::string&,
                                          const Control&) const;
%rename(own_gram) libdk::gram(std::span<double>, const Data&, const std::string&, const Control&);

#if defined(SWIGJAVA)
%include "java/java.i"
#elif defined(SWIGCSHARP)
%include "csharp/csharp.i"
#elif defined(SWIGR)
%include "r/r.i"
#elif defined(SWIGGO)
%include "go/go.i"
#elif defined(SWIGPYTHON)
%include "python/python.i"
#endif

// a seed is any number of 64 bits
%apply std::int64_t { std::uint64_t }

%include "languages.i"
%include "classes.i"
%include "comparison.i"
