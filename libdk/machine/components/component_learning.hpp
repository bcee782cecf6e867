// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/report.hpp"
#include "machine/components/centred_spectrum.hpp"
#include "model/principal_components.hpp"

namespace dk {

/// Kernel principal components that were learned from training rows, and what is known of these rows.
struct ComponentLearning {
    CentredSpectrum spectrum;
    /// The predictor's parts without threshold and coordinates of prototypes.
    PrincipalComponents::Components learned;
    Report report;

    /// Gives what the components' features of the training rows are.
    Matrix features() const;
};

/// Which components are learned, and how their kernel values and features are kept.
struct ComponentSettings {
    ComponentChoice choice;
    bool whitens = false;
    Precision precision = Precision::real64;
    Index neighbours = 0;  // so many nearest rows of each prototype are found
};

/// Finds the components of rows that all count the same. Throws Error(numerical) where there are none.
ComponentLearning learn_components(const KernelPointer& kernel, const Dataset& data,
                                   const ComponentSettings& settings, Control& control);

}  // namespace dk
