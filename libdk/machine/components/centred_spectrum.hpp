// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// How many directions of largest variance are kept: so many, or, where `variance` is above 0, as few as have
/// this share of all variance.
struct ComponentChoice {
    Index components = 0;
    double variance = 0;
};

/// The directions in which the images of the training rows vary most about their mean.
struct CentredSpectrum {
    Vector eigenvalues;     // lambda of Kc = H K H, in descending order
    Matrix scores;          // of the training rows, U Lambda^(1/2): rows x components
    double trace = 0;       // of Kc, the sum of all eigenvalues
    Vector self;            // kc(x, x) of the training rows
    Vector column_means;    // of K
    double grand_mean = 0;  // of K
    // So many are negative and have no component, as those of an indefinite kernel are, where all were found.
    Index negative_eigenvalues = 0;

    Index components() const { return eigenvalues.size(); }
    /// Gives A = U Lambda^(-1/2), whose columns are directions of unit length in feature space.
    Matrix directions() const;
    /// Gives the deviation of the training rows along each component.
    Vector deviations() const;
};

/// Finds the spectrum of the centred kernel matrix: of the whole matrix, or by its factors where the kernel
/// is known by fewer features than there are rows.
CentredSpectrum centred_spectrum(const KernelPointer& kernel, const Dataset& data,
                                 const ComponentChoice& choice, Control& control);

}  // namespace dk
