// SPDX-License-Identifier: Apache-2.0
//
// One interface for all languages: SWIG reads dk.hpp, each language brings its section (typemaps of spans and texts,
// failures) and a layer above that is written by hand. Spans are filled in every language; what dk.hpp gives as vectors
// and structures is for C++. Default arguments are for C++, too: a layer passes a control always.
#if defined(SWIGJAVA) || defined(SWIGCSHARP) || defined(SWIGPYTHON)
%module(directors="1") Native
%feature("director") libdk::Progress;
#else
%module Native
#endif

%{
#include <dk/dk.hpp>
%}

%include <stdint.i>
typedef int32_t dk_layout;

// the names of the layers above are those of the classes
%rename(NativeControl) libdk::Control;
%rename(NativeData) libdk::Data;
%rename(NativeParams) libdk::Parameters;
%rename(NativeModel) libdk::Model;

%feature("novaluewrapper") std::span<const double>;
%feature("novaluewrapper") std::span<double>;
%feature("novaluewrapper") std::span<const float>;
%feature("novaluewrapper") std::span<float>;
%feature("novaluewrapper") std::span<const std::int64_t>;
%feature("novaluewrapper") std::span<std::int64_t>;
%feature("novaluewrapper") std::span<const std::byte>;
%feature("novaluewrapper") std::span<std::byte>;

// what is for C++
%ignore libdk::Error;
%ignore libdk::Status;
%ignore libdk::Status::internal;
%ignore libdk::name_of;
%ignore libdk::detail::check;
%ignore libdk::detail::text_for_c;
%ignore libdk::detail::pointers_of;
%ignore libdk::ControlOptions;
%ignore libdk::Control::Control(ControlOptions);
%ignore libdk::Control::set_progress;
%ignore libdk::MatrixView;
%ignore libdk::Matrix;
%ignore libdk::Kind;
%ignore libdk::Task;
%ignore libdk::Parameters::task;
%ignore libdk::Model::task;
%ignore libdk::Data::Data(dk_data*);
%ignore libdk::Data::handle;
%ignore libdk::Data::dense(const MatrixView<double>&);
%ignore libdk::Data::dense(const MatrixView<float>&);
%ignore libdk::Data::dense_with_missing;
%ignore libdk::Data::similarity;
%ignore libdk::Data::point_similarity;
%ignore libdk::Data::kind;
%ignore libdk::Data::labels() const;
%ignore libdk::Data::values() const;
%ignore libdk::Data::folds(std::int64_t, std::uint64_t) const;
%ignore libdk::Data::folds(std::int64_t) const;
%ignore libdk::Parameters::Parameters(const Parameters&);
%ignore libdk::Parameters::Parameters(Parameters&&);
%ignore libdk::Parameters::operator=;
%ignore libdk::Parameters::handle;
%ignore libdk::Parameters::set(const std::string&, const char*);
%ignore libdk::Parameters::set(const std::string&, double);
%ignore libdk::Parameters::set(const std::string&, bool);
%ignore libdk::KernelWeight;
%ignore libdk::Prototype;
%ignore libdk::Explanation;
%ignore libdk::Model::Model(dk_model*);
%ignore libdk::Model::handle;
%ignore libdk::Model::write() const;
%ignore libdk::Model::predict(const Data&, const Control&) const;
%ignore libdk::Model::decision(const Data&, const Control&) const;
%ignore libdk::Model::probability(const Data&, const Control&) const;
%ignore libdk::Model::transform(const Data&, const Control&) const;
%ignore libdk::Model::reconstruct(const Data&, const Control&) const;
%ignore libdk::Model::explain(const Data&, const Control&) const;
%ignore libdk::Model::confusion(const Data&, const Control&) const;
%ignore libdk::Model::classes() const;
%ignore libdk::Model::class_names;
%ignore libdk::Model::weights;
%ignore libdk::Model::prototypes;
%ignore libdk::Model::kernel_weights() const;
%ignore libdk::Model::prototype_classes() const;
%ignore libdk::Model::prototype_coefficients() const;
%ignore libdk::Model::prototype_shifts;
%ignore libdk::Model::prototype_offsets() const;
%ignore libdk::Model::prototype_coordinates() const;
%ignore libdk::Model::normals() const;
%ignore libdk::compare_models;  // a list of models is ModelList
%ignore libdk::gram(const Data&, const Data&, const std::string&, const Control&);
%ignore libdk::gram(const Data&, const std::string&, const Control&);
%ignore libdk::gram_product(const Data&, const Data&, const std::string&, std::span<const double>, std::int64_t,
                            const Control&);
%ignore libdk::verification_curve(std::span<const double>, std::span<const double>, std::span<const std::int64_t>,
                                  std::span<const std::int64_t>, const Control&);

// the forms with fewer arguments that SWIG makes of default arguments
%ignore libdk::Data::gram(std::span<const double>, std::int64_t, std::int64_t, std::int64_t);
%ignore libdk::Data::gram(std::span<const double>, std::int64_t, std::int64_t, std::int64_t, std::span<const double>);
%ignore libdk::Data::file(const std::string&);
%ignore libdk::Data::file(const std::string&, const std::string&);
%ignore libdk::Data::folds(std::span<std::int64_t>, std::int64_t) const;
%ignore libdk::Parameters::Parameters(const std::string&);
%ignore libdk::Model::train(const Data&, const Parameters&);
%ignore libdk::Model::cross_validate(const Data&, const Parameters&);
%ignore libdk::Model::compare_weights(const Data&, const Parameters&);
%ignore libdk::Model::load(const std::string&);
%ignore libdk::Model::read(std::span<const std::byte>);
%ignore libdk::Model::import_from(const std::string&);
%ignore libdk::Model::import_from(const std::string&, const std::string&);
%ignore libdk::Model::compress(const Data&, const Parameters&) const;
%ignore libdk::Model::read_rows(const std::string&) const;
%ignore libdk::Model::read_rows(const std::string&, const std::string&) const;
%ignore libdk::Model::predict(std::span<double>, const Data&) const;
%ignore libdk::Model::predict(const Data&) const;
%ignore libdk::Model::decision(std::span<double>, const Data&) const;
%ignore libdk::Model::decision(const Data&) const;
%ignore libdk::Model::probability(std::span<double>, const Data&) const;
%ignore libdk::Model::probability(const Data&) const;
%ignore libdk::Model::transform(std::span<double>, const Data&) const;
%ignore libdk::Model::transform(const Data&) const;
%ignore libdk::Model::reconstruct(std::span<double>, const Data&) const;
%ignore libdk::Model::reconstruct(const Data&) const;
%ignore libdk::Model::explain(std::span<double>, const Data&) const;
%ignore libdk::Model::explain(const Data&) const;
%ignore libdk::Model::explain_row(const Data&, std::int64_t) const;
%ignore libdk::Model::explain_row(const Data&, std::int64_t, const Data&) const;
%ignore libdk::Model::report(const std::string&, const Data&) const;
%ignore libdk::Model::report(const std::string&, const Data&, const std::string&) const;
%ignore libdk::Model::report(const std::string&, const Data&, const Data&) const;
%ignore libdk::Model::report(const std::string&, const Data&, const Data&, const std::string&) const;
%ignore libdk::Model::score(const Data&, const std::string&) const;
%ignore libdk::Model::confusion(std::span<std::int64_t>, const Data&) const;
%ignore libdk::Model::confusion(const Data&) const;
%ignore libdk::gram(std::span<double>, const Data&, const Data&, const std::string&);
%ignore libdk::gram(std::span<float>, const Data&, const Data&, const std::string&);
%ignore libdk::gram(const Data&, const Data&, const std::string&);
%ignore libdk::gram(std::span<double>, const Data&, const std::string&);
%ignore libdk::gram(const Data&, const std::string&);
%ignore libdk::gram_product(std::span<double>, const Data&, const Data&, const std::string&, std::span<const double>,
                            std::int64_t);
%ignore libdk::gram_product(const Data&, const Data&, const std::string&, std::span<const double>, std::int64_t);
%ignore libdk::verification_curve(std::span<double>, std::span<const double>, std::span<const double>,
                                  std::span<const std::int64_t>);
%ignore libdk::verification_curve(std::span<double>, std::span<const double>, std::span<const double>,
                                  std::span<const std::int64_t>, std::span<const std::int64_t>);
%ignore libdk::verification_curve(std::span<const double>, std::span<const double>, std::span<const std::int64_t>);
%ignore libdk::verification_curve(std::span<const double>, std::span<const double>, std::span<const std::int64_t>,
                                  std::span<const std::int64_t>);

// overloads have names of their own, because not every language has overloads
%rename(gram_single) libdk::gram(std::span<float>, const Data&, const Data&, const std::string&, const Control&);
%rename(explain_row_with) libdk::Model::explain_row(const Data&, std::int64_t, const Data&, const Control&) const;
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

%include <dk/error.hpp>
%include <dk/control.hpp>
%include <dk/data.hpp>
%include <dk/model.hpp>
%include <dk/dk.hpp>
%include "comparison.i"
