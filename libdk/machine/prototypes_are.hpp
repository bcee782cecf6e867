// SPDX-License-Identifier: Apache-2.0
// What the prototypes of several machines are, as sentences of their entries. "Explanations" are what
// prototypes say of a row, and "features" what the model sees of it.
#pragma once

namespace dk::prototypes_are {

inline constexpr char pairs[] =
    "Each decision function has two prototypes, p+ and p-, which are convex combinations of training rows.";

inline constexpr char unbalanced_pairs[] =
    "Each decision function has two prototypes, p+ and p-. The offset is penalised, so that coefficients do "
    "not balance: those of p+ or of p- sum to less than 1, and the rest is at the origin of feature space.";

inline constexpr char free_vectors[] =
    "Prototypes are free vectors z with coordinates among the features, so that their coefficients of "
    "training "
    "rows are zero; one that is a training row has the coefficient 1 for it. Explanations are weight k(x, z) "
    "in the function that the prototype matters to most: where there is one function, they and its offset "
    "sum "
    "to the decision. Features are k(x, z) of each prototype.";

inline constexpr char nearest_of_class[] =
    "Each class has prototypes of its own, whose coefficients sum to 1 and may be negative. The nearest one "
    "of "
    "a class explains a row by minus its squared distance, the others by 0, so that explanations sum to the "
    "decision of the class. Features are the distances to all prototypes.";

}  // namespace dk::prototypes_are
