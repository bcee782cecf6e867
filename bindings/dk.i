// SPDX-License-Identifier: Apache-2.0
//
// One interface for all languages: SWIG reads the facade, each language brings its section (typemaps of the
// arrays, exceptions) and a layer above that is written by hand.
#if defined(SWIGJAVA) || defined(SWIGCSHARP)
%module(directors="1") Native
%feature("director") dk_facade::Progress;
#else
%module Native
#endif

%{
#include "facade.hpp"
%}

%include <stdint.i>

%ignore dk_facade::Failure;
%ignore dk_facade::Strings::pointers;
%ignore dk_facade::NativeControl::run;
%ignore dk_facade::NativeControl::handle;
%ignore dk_facade::NativeData::NativeData;
%ignore dk_facade::NativeData::handle;
%ignore dk_facade::NativeParams::handle;
%ignore dk_facade::NativeModel::NativeModel;

%newobject dk_facade::NativeData::dense;
%newobject dk_facade::NativeData::csr;
%newobject dk_facade::NativeData::gram;
%newobject dk_facade::NativeData::series;
%newobject dk_facade::NativeData::strings;
%newobject dk_facade::NativeData::graphs;
%newobject dk_facade::NativeData::file;
%newobject dk_facade::NativeData::select;
%newobject dk_facade::NativeModel::train;
%newobject dk_facade::NativeModel::cross_validate;
%newobject dk_facade::NativeModel::compress;
%newobject dk_facade::NativeModel::load;
%newobject dk_facade::NativeModel::read;
%newobject dk_facade::NativeModel::file_like;

%feature("novaluewrapper") std::span<const double>;
%feature("novaluewrapper") std::span<double>;
%feature("novaluewrapper") std::span<const std::int64_t>;
%feature("novaluewrapper") std::span<std::int64_t>;
%feature("novaluewrapper") std::span<const std::uint8_t>;
%feature("novaluewrapper") std::span<std::uint8_t>;

#if defined(SWIGJAVA)
%include "java/java.i"
#elif defined(SWIGCSHARP)
%include "csharp/csharp.i"
#elif defined(SWIGR)
%include "r/r.i"
#elif defined(SWIGGO)
%include "go/go.i"
#endif

%include "facade.hpp"
