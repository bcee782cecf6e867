# SPDX-License-Identifier: Apache-2.0
# Learners compared over data sets and folds, and how readable and how stable their prototypes and selections are.

dk_mean_ranks <- function(scores, threads = 0, memory = 0) {
  scores <- as.matrix(scores)
  ranks <- filled(ncol(scores), function(out)
    native(R_swig_mean_ranks, out, as.double(t(scores)), control_of(threads, memory)))
  structure(ranks, names = colnames(scores))
}

dk_critical_difference <- function(learners, sets, level = 0.05) {
  native(R_swig_critical_difference, as.double(learners), as.double(sets), as.double(level))
}

dk_resampled_test <- function(differences, share) {
  found <- filled(3, function(out) native(R_swig_resampled_test, out, as.double(differences), as.double(share)))
  list(difference = found[1], t = found[2], p = found[3])
}

# Rows of a matrix are sets, columns members; a member that a set's sample had not is NA.
selection_numbers <- function(selected) {
  selected <- as.double(t(as.matrix(selected)))
  ifelse(is.na(selected), -1, selected)
}

dk_jaccard_stability <- function(selected, threads = 0, memory = 0) {
  native(R_swig_jaccard_stability, selection_numbers(selected), ncol(as.matrix(selected)), control_of(threads, memory))
}

dk_selection_stability <- function(selected) {
  native(R_swig_selection_stability, selection_numbers(selected), ncol(as.matrix(selected)))
}

dk_prototype_measures <- function(object, newdata, y = NULL, threads = 0, memory = 0) {
  model <- native_model(object)
  data <- truth_data(object, newdata, y)
  count <- native(R_swig_NativeModel_prototype_count, model)
  purity <- double(count)
  compactness <- filled(count, function(out)
    native(R_swig_NativeModel_prototype_measures, model, purity, out, data, control_of(threads, memory)))
  data.frame(purity, compactness)
}
