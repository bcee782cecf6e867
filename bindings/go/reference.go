// SPDX-License-Identifier: Apache-2.0
// Code generated from the library's description. DO NOT EDIT.

// The machines, kernels, weight strategies, parameters and metrics of libdk, as its description lists them.
//
// # Machines
//
//   - svm: support vector machine: 1-norm, 2-norm or hard margin (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008; solver: Fan, Chen, Lin, JMLR 6, 2005).
//     C (default 1; a number, greater than 0): cost of slack.
//     loss (default hinge; one of hinge, squared_hinge, hard): slack: linear (1-norm), squared (2-norm), or none allowed.
//     tolerance (default 0.001; a number, greater than 0): largest violation of the optimality conditions.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): limit of steps; 0 is max(10^8, 1000 rows).
//     class_weight (default none; text): factors of C by class: none, balanced, or label:weight,label:weight.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - nu_svm: support vector machine with nu, a bound on the share of margin errors, in place of C (Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12, 2000).
//     nu (default 0.5; a number, greater than 0 and at most 1): share of rows that may be margin errors, at most.
//     tolerance (default 0.001; a number, greater than 0): largest violation of the optimality conditions.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): limit of steps; 0 is max(10^8, 1000 rows).
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - svr: support vector regression: errors beyond a tube of width epsilon count (Smola, Schoelkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004).
//     C (default 1; a number, greater than 0): cost of errors beyond the tube.
//     epsilon (default 0.1; a number, at least 0 and at most 1e+300): half the width of the tube.
//     tolerance (default 0.001; a number, greater than 0): largest violation of the optimality conditions.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): limit of steps; 0 is max(10^8, 1000 rows).
//   - nu_svr: support vector regression with nu, the share of rows outside the tube, in place of epsilon (Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12, 2000).
//     C (default 1; a number, greater than 0): cost of errors beyond the tube.
//     nu (default 0.5; a number, greater than 0 and at most 1): share of rows that may lie outside the tube, at most.
//     tolerance (default 0.001; a number, greater than 0): largest violation of the optimality conditions.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): limit of steps; 0 is max(10^8, 1000 rows).
//   - one_class_svm: one-class support vector machine: 1 for rows like the training rows, -1 for others (Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson, Estimating the support of a high-dimensional distribution, Neural Computation 13, 2001).
//     nu (default 0.5; a number, greater than 0 and at most 1): share of training rows that may be left out, at most.
//     tolerance (default 0.001; a number, greater than 0): largest violation of the optimality conditions.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): limit of steps; 0 is max(10^8, 1000 rows).
//   - cvm: core vector machine: 2-norm support vector machine by a core set; deep with kernel arccos (Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; Afzal, Deep learning in kernel machines, 2018).
//     C (default 1; a number, greater than 0): cost of squared slack.
//     offset (default yes; yes or no): whether functions have an offset, which is penalised; of narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): many rows at a time until the gap is certain; or the papers' steps and rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): certified share by which the objective may miss the best.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): limit of rounds with stop=gap; 0 is none.
//     epsilon (default 0; a number, at least 0 and at most 1): the papers' rule: radii beyond the ball; 0 is LibCVM's choice.
//     sample (default 59; an integer, at least 1 and at most 1e+09): the papers' rule: rows looked at for the farthest.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): the papers' rule: limit of steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): limit of the core set.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - bvm: ball vector machine: a core vector machine that begins with a ball of fixed radius (Tsang, Kocsor, Kwok, Simpler core vector machines with enclosing balls, ICML 2007).
//     C (default 1; a number, greater than 0): cost of squared slack.
//     offset (default yes; yes or no): whether functions have an offset, which is penalised; of narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): many rows at a time until the gap is certain; or the papers' steps and rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): certified share by which the objective may miss the best.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): limit of rounds with stop=gap; 0 is none.
//     epsilon (default 0; a number, at least 0 and at most 1): the papers' rule: radii beyond the ball; 0 is LibCVM's choice.
//     sample (default 59; an integer, at least 1 and at most 1e+09): the papers' rule: rows looked at for the farthest.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): the papers' rule: limit of steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): limit of the core set.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - mcvm: core vector machine of all classes in one program (Asharaf, Murty, Shevade, Multiclass core vector machine, ICML 2007; Afzal, Deep learning in kernel machines, 2018).
//     C (default 1; a number, greater than 0): cost of squared slack.
//     offset (default yes; yes or no): whether functions have an offset, which is penalised; of narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): many rows at a time until the gap is certain; or the papers' steps and rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): certified share by which the objective may miss the best.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): limit of rounds with stop=gap; 0 is none.
//     epsilon (default 0; a number, at least 0 and at most 1): the papers' rule: radii beyond the ball; 0 is LibCVM's choice.
//     sample (default 59; an integer, at least 1 and at most 1e+09): the papers' rule: rows looked at for the farthest.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): the papers' rule: limit of steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): limit of the core set.
//   - elm: extreme learning machine: ridge regression to the classes on random features of the kernel (Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007).
//     C (default 1; a number, greater than 0): cost of squared errors.
//     hidden (default 1000; an integer, at least 1 and at most 1e+06): random features.
//     leave_one_out (default no; yes or no): whether to report the exact leave-one-out error.
//   - kelm: kernel extreme learning machine: ridge regression to the classes; deep with kernel arccos (Huang, Zhou, Ding, Zhang, Extreme learning machine for regression and multiclass classification, IEEE Transactions SMC B 42, 2012; Afzal, Deep learning in kernel machines, 2018).
//     C (default 1; a number, greater than 0): cost of squared errors: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): whether to take of 2^-10, 2^-8, ..., 2^20 the C with the least leave-one-out error instead.
//     offset (default no; yes or no): whether functions have an offset: a least squares support vector machine.
//     leave_one_out (default no; yes or no): whether to report the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): exact: Cholesky, or in closed form for kernels that have factors; falkon: coefficients of landmarks only; auto is falkon from 30000 rows on.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): rows that have coefficients with falkon.
//     tolerance (default 1e-07; a number, greater than 0): relative residual to stop at with falkon.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): limit of steps with falkon.
//   - kernel_ridge: kernel ridge regression: squared errors (Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998).
//     C (default 1; a number, greater than 0): cost of squared errors: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): whether to take of 2^-10, 2^-8, ..., 2^20 the C with the least leave-one-out error instead.
//     offset (default no; yes or no): whether functions have an offset: a least squares support vector machine.
//     leave_one_out (default no; yes or no): whether to report the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): exact: Cholesky, or in closed form for kernels that have factors; falkon: coefficients of landmarks only; auto is falkon from 30000 rows on.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): rows that have coefficients with falkon.
//     tolerance (default 1e-07; a number, greater than 0): relative residual to stop at with falkon.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): limit of steps with falkon.
//   - rvm: relevance vector machine: few rows whose weights have the largest evidence (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003).
//     centred (default yes; yes or no): whether the columns of the centred kernel matrix are the basis, so that prototypes are convex; without, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): change of a precision's logarithm to stop at.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): limit of additions, removals and changes.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - rvr: relevance vector regression: few rows whose weights have the largest evidence (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003).
//     centred (default yes; yes or no): whether the columns of the centred kernel matrix are the basis, so that prototypes are convex; without, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): change of a precision's logarithm to stop at.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): limit of additions, removals and changes.
//   - boosted: boosted prototypes: multiplicative updates towards the nearest points of both classes' hulls, with a certificate of the margin (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008).
//     C (default 1; a number, at least 0 and at most 1e+300): cost of squared slack: 1 / C is added to the diagonal; 0: none is allowed, the classes must be separable.
//     epsilon (default 0.3; a number, greater than 0 and at most 1): how much of the margin a step aims below; small is slow.
//     max_iterations (default 30000; an integer, at least 1 and at most 1e+12): limit of steps.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - imkpl: interpretable multiple-kernel prototypes: few, each of near rows of one class, in the kernels that show it; weighs the bank itself (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019).
//     prototypes (default 5; an integer, at least 1 and at most 10000): prototypes of a class, rows that one is made of at most, prototypes that a row is reconstructed by at most, and neighbours (T0).
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): weight of reconstructing rows by their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): weight of the sum of the prototypes' coefficients.
//     tolerance (default 1e-04; a number, greater than 0): relative fall of the objective to stop at, twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): limit of iterations.
//     mu (default 0.2; a number, at least 0 and at most 1e+06): weight of near rows being of one class, to which kernels are chosen.
//     policy (default quadratic; one of quadratic, capped, lp_vertex): how kernels are weighed: by cost with a quadratic penalty, the cheapest alike, or the cheapest alone.
//     kernels (default 0; an integer, at least 0 and at most 1e+09): kernels with a weight at the first iteration (quadratic), or always (capped); 0 is a tenth of the bank, at least 2.
//   - iskpl: interpretable prototypes in one kernel: few, each of near rows of one class (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019).
//     prototypes (default 5; an integer, at least 1 and at most 10000): prototypes of a class, rows that one is made of at most, prototypes that a row is reconstructed by at most, and neighbours (T0).
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): weight of reconstructing rows by their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): weight of the sum of the prototypes' coefficients.
//     tolerance (default 1e-04; a number, greater than 0): relative fall of the objective to stop at, twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): limit of iterations.
//   - super_sparse: super-sparse machine: a few prototypes that are free vectors, shared by all classes (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016).
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): number of prototypes, or the largest number tried.
//     choose_prototypes (default no; yes or no): whether the number of prototypes is chosen by cross-validation, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): price of a prototype in that choice; 0 is a hundredth of the error with most.
//     penalty (default ridge; one of ridge, lasso): of the prototypes' weights: squares or absolute values.
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): weight of the penalty, beside the mean squared error.
//     move (default yes; yes or no): whether prototypes leave the training rows they start at.
//     copies (default -1; an integer, at least -1 and at most 1000): copies of every row, moved by noise, at which the model that is learned from is asked too; -1 is as many as the prototypes' coordinates need, 0 to 20.
//     focus (default 1; a number, at least 0 and at most 1000): how much more rows near that model's boundaries weigh: exp(-focus margin / mean margin).
//     repulsion (default no; yes or no): whether the first steps keep prototypes apart, less each step.
//     tolerance (default 1e-05; a number, greater than 0): relative fall of the objective to stop at, twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): limit of steps of the prototypes.
//     target (default svm; one of svm, labels): what is learned: the decisions of support vector machines, or the classes themselves.
//     C (default 1; a number, greater than 0): cost of slack of these support vector machines.
//     balanced (default no; yes or no): whether every class weighs the same.
//   - super_sparse_regression: super-sparse ridge or lasso regression: a few prototypes that are free vectors (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016).
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): number of prototypes, or the largest number tried.
//     choose_prototypes (default no; yes or no): whether the number of prototypes is chosen by cross-validation, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): price of a prototype in that choice; 0 is a hundredth of the error with most.
//     penalty (default ridge; one of ridge, lasso): of the prototypes' weights: squares or absolute values.
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): weight of the penalty, beside the mean squared error.
//     move (default yes; yes or no): whether prototypes leave the training rows they start at.
//     copies (default -1; an integer, at least -1 and at most 1000): copies of every row, moved by noise, at which the model that is learned from is asked too; -1 is as many as the prototypes' coordinates need, 0 to 20.
//     focus (default 1; a number, at least 0 and at most 1000): how much more rows near that model's boundaries weigh: exp(-focus margin / mean margin).
//     repulsion (default no; yes or no): whether the first steps keep prototypes apart, less each step.
//     tolerance (default 1e-05; a number, greater than 0): relative fall of the objective to stop at, twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): limit of steps of the prototypes.
//   - fisher: kernel Fisher discriminant (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008).
//     regularisation (default 0.001; a number, greater than 0): share of the mean scatter added to its diagonal.
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//   - mean_of_class: nearest class mean in feature space (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008).
//     multiclass (default ovo; one of ovo, ovr): more than two classes: a function for every pair (ovo) or every class (ovr).
//
// # Kernels
//
//   - linear: k(x, z) = x.z.
//   - poly: k(x, z) = (gamma x.z + coef0)^degree.
//     degree (default 3; an integer, at least 1 and at most 100): exponent.
//     gamma (default 1; a number, greater than 0): factor of the inner product.
//     coef0 (default 1; a number, at least -1e+300 and at most 1e+300): offset of the inner product.
//   - cosine: the cosine of the angle between x and z: normalize(linear).
//   - rbf: Gaussian: k(x, z) = exp(-gamma |x - z|^2).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - laplacian: k(x, z) = exp(-gamma sum |x - z|).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - cauchy: k(x, z) = 1 / (1 + gamma |x - z|^2) (Basak, A least square kernel machine with box constraints, ICPR 2008).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - rational_quadratic: k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2).
//     gamma (default auto; a number, greater than 0): inverse width.
//     alpha (default 1; a number, greater than 0): mixture of widths: infinite is rbf.
//   - matern: Matern of smoothness nu = 0.5, 1.5 or 2.5; gamma = 1 / (2 length^2), so that infinite nu is rbf (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2).
//     gamma (default auto; a number, greater than 0): inverse width, 1 / (2 length^2).
//     nu (default 1.5; a number, at least 0.5 and at most 2.5): smoothness: 0.5, 1.5 or 2.5.
//   - circular: k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0 (Genton, Classes of kernels for machine learning, JMLR 2, 2001).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - spherical: k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0 (Genton, Classes of kernels for machine learning, JMLR 2, 2001).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - chi_square: k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)) of values >= 0 (Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007).
//     gamma (default auto; a number, greater than 0): inverse width.
//   - additive_chi_square: k(x, z) = sum 2 x z / (x + z) of values >= 0 (Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012).
//   - intersection: histogram intersection: k(x, z) = sum min(x, z) of values >= 0 (Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003).
//   - sigmoid: k(x, z) = tanh(gamma x.z + coef0).
//     gamma (default auto; a number, greater than 0): factor of the inner product; auto as for rbf.
//     coef0 (default 0; a number, at least -1e+300 and at most 1e+300): offset.
//   - arccos: multilayer arc-cosine kernel, a network of infinite width with one layer a degree; arguments: degrees of the layers, each 0, 1, 2 or 3; default 1 (Cho and Saul, Kernel methods for deep learning, NIPS 2009).
//   - gak: global alignment kernel of series: all alignments, normalised (Cuturi, Fast global alignment kernels, ICML 2011).
//     sigma (default auto; a number, greater than 0): width; auto is the median distance of two steps times the root of the median length.
//     band (default 0; an integer, at least 0 and at most 1e+09): triangular weight 1 - |i - j| / band; 0 for none.
//     divisible (default 1; an integer, at least 0 and at most 1): 1: local kernel k / (2 - k), which is safe; 0: the Gaussian k.
//   - dtw: exp(-gamma d), d the least sum of squared distances over all alignments (time warping) (Sakoe and Chiba, IEEE Trans. ASSP 26, 1978).
//     gamma (default auto; a number, greater than 0): inverse width; auto and mean are 1 / mean d.
//     band (default 0; an integer, at least 0 and at most 1e+09): only alignments with |i - j| <= band, or the difference of the lengths; 0 for all.
//   - spectrum: number of common substrings of a length: sum over u of count(u, x) count(u, z) (Leslie, Eskin, Noble, The spectrum kernel, PSB 2002).
//     length (default 3; an integer, at least 1 and at most 1000): characters of a substring.
//   - mismatch: the spectrum kernel where substrings may differ in some characters (Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels, Bioinformatics 20, 2004).
//     length (default 3; an integer, at least 1 and at most 100): characters of a substring.
//     mismatches (default 1; an integer, at least 0 and at most 99): how many may differ, less than length.
//     alphabet (default auto; an integer, at least 2 and at most 1114112): number of characters there are; auto counts the training data's.
//   - subsequence: number of common subsequences of a length, with gaps, each weighted by decay^extent (Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, JMLR 2, 2002).
//     length (default 3; an integer, at least 1 and at most 100): characters of a subsequence.
//     decay (default 0.5; a number, at least 1e-06 and at most 1): factor for each character of the extent.
//   - edit: exp(-gamma d), d the edit distance (insertions, deletions, replacements) (Wagner and Fischer, The string-to-string correction problem, JACM 21, 1974).
//     gamma (default auto; a number, greater than 0): inverse width; auto and mean are 1 / mean d.
//   - weisfeiler_lehman: number of common subtree patterns of labelled graphs up to a height (Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, JMLR 12, 2011).
//     iterations (default 3; an integer, at least 0 and at most 100): rounds of relabelling: the greatest height.
//   - gram: similarities computed by the caller: matrix q of the data; arguments: position of the matrix, from 0; default 0.
//
// # Operators on kernels
//
//   - exp: exp(k): the exponential of a kernel.
//   - normalize: normalize(k): k(x, z) / sqrt(k(x, x) k(z, z)), cosine normalisation.
//   - center: center(k): k of features whose mean over the training rows is zero.
//   - lowrank: lowrank(k, rank=100): k approximated by at most that many features.
//     rank (default 100; an integer, at least 1 and at most 1e+06): number of features at most.
//     method (default rpcholesky; one of rpcholesky, kmeans, uniform, random): landmarks by randomly pivoted Cholesky, k-means or chance; or random features.
//     seed (default 1; an integer, at least 0 and at most 9e+15): of everything random.
//   - corrected: corrected(k, method=clip): k made positive semidefinite on the training rows.
//     method (default clip; one of clip, flip, shift, square): what becomes of negative eigenvalues.
//   - on: on(0:9, 12, k): the kernel sees only these columns, counted from 0.
//   - each_feature: each_feature(k): a bank with one kernel a column.
//   - each_channel: each_channel(k): a bank with one kernel a channel of the series.
//   - grid: grid(rbf, gamma=0.1:1:10): a bank with one kernel for every combination of the values.
//   - arccos_lists: arccos_lists(3): a bank of arccos with every list of different degrees, up to so many layers.
//
// # Weights of banks
//
//   - uniform: every kernel the same weight, with sum 1.
//   - fixed: the weights given, one a kernel; kernels are taken as they are; arguments: the weights, at least 0 and not all 0.
//   - dimkl1: DiMKL1: exp(-(mean - IQR between classes)^2 / (2 deviation within)) (Divergence measures for multiple kernel learning (DiMKL)).
//     form (default literal; one of literal, variance, absolute): the exponent: distance^2 / (2 deviation) as printed, distance^2 / (2 variance), or distance / (2 deviation).
//     diagonal (default no; yes or no): whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): whether spreads are means over the columns of a quadrant, not those of all.
//     symmetrise (default no; yes or no): whether two classes are compared in both orders, as more always are.
//   - dimkl2: DiMKL2: exp(-(mean - deviation between classes)^2 / (2 deviation within)) (Divergence measures for multiple kernel learning (DiMKL)).
//     form (default literal; one of literal, variance, absolute): the exponent: distance^2 / (2 deviation) as printed, distance^2 / (2 variance), or distance / (2 deviation).
//     diagonal (default no; yes or no): whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): whether spreads are means over the columns of a quadrant, not those of all.
//     symmetrise (default no; yes or no): whether two classes are compared in both orders, as more always are.
//   - dimkl3: DiMKL3: |(mean - IQR within) - (mean - IQR between)| (Divergence measures for multiple kernel learning (DiMKL)).
//     diagonal (default no; yes or no): whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): whether spreads are means over the columns of a quadrant, not those of all.
//     symmetrise (default no; yes or no): whether two classes are compared in both orders, as more always are.
//   - dimkl4: DiMKL4: |mean within - mean between| / sqrt(IQR within + IQR between) (Divergence measures for multiple kernel learning (DiMKL)).
//     diagonal (default no; yes or no): whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): whether spreads are means over the columns of a quadrant, not those of all.
//     symmetrise (default no; yes or no): whether two classes are compared in both orders, as more always are.
//   - dimkl5: DiMKL5: Bhattacharyya distances of the quadrants' values against their deviations (Divergence measures for multiple kernel learning (DiMKL)).
//     diagonal (default no; yes or no): whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): whether spreads are means over the columns of a quadrant, not those of all.
//     symmetrise (default no; yes or no): whether two classes are compared in both orders, as more always are.
//   - dimkl6: DiMKL6: Bhattacharyya distance of the classes as Gaussians in feature space (Divergence measures for multiple kernel learning (DiMKL); Zhou, Chellappa, IEEE TPAMI 28, 2006).
//     rho (default 0.001; a number, greater than 0): variance of the directions that are not kept.
//     rank (default 20; an integer, at least 0 and at most 1000): directions kept of each class.
//   - mklgl: MKLGL: the weights of p-norm at most 1 with which a support vector machine has the least objective; p = 1 is sparse (Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML 2010).
//     p (default 1.3333333333333333; a number, at least 1 and at most 1000): norm of the weights.
//     C (default 0; a number, at least 0 and at most 1e+300): cost of slack; 0 is the machine's, or 1 where it has none.
//     gap (default 0.001; a number, greater than 0): duality gap, of the objective, to stop at.
//     max_iterations (default 200; an integer, at least 1 and at most 1e+06): limit of turns.
//
// # Parameters of every machine
//
//   - kernel: (default auto; kernel) kernel or bank of kernels; auto is rbf, gram(0) for similarities, gak for series, normalize(spectrum) for strings, normalize(weisfeiler_lehman) for graphs.
//   - weights: (default uniform; weights) how a bank of kernels becomes one.
//   - scale: (default none; one of none, standard, robust, minmax) scaling of the columns, learned in training and applied in predicting.
//   - impute: (default none; one of none, mean, median) what fills missing values; none refuses them.
//   - spectrum: (default none; one of none, clip, flip, shift, square) what becomes of negative eigenvalues of kernels that are not positive semidefinite.
//   - precision: (default double; one of double, single) of kernel values.
//   - memory_mb: (default 0; an integer, at least 0 and at most 1e+09) memory for kernel matrices; 0 is half of the machine's.
//   - seed: (default 1; an integer, at least 0 and at most 9e+15) of everything random.
//   - probability: (default no; yes or no) whether to learn probabilities, from out-of-fold decisions.
//   - neighbours: (default 5; an integer, at least 0 and at most 1e+06) nearest training rows kept for each prototype.
//   - folds: (default 5; an integer, at least 2 and at most 1e+06) folds of cross-validation.
//   - repeats: (default 1; an integer, at least 1 and at most 1e+06) repetitions of cross-validation with other folds.
//   - grid: (default ; text) what cross-validation compares: C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)].
//   - select: (default auto; one of auto, accuracy, precision, recall, f1, auc, mae, rmse, r2) metric by which the best of a grid is chosen; auto is accuracy, or rmse.
//
// # Metrics
//
//   - accuracy: share of rows whose class is predicted.
//   - precision: true positives / predicted positives; macro average over classes.
//   - recall: true positives / positives; macro average over classes.
//   - f1: harmonic mean of precision and recall; macro average over classes.
//   - auc: area under the ROC curve of the decisions; mean over classes, each against the rest.
//   - mae: mean absolute difference of predicted and true labels or targets.
//   - rmse: root of the mean squared difference of predicted and true targets.
//   - r2: coefficient of determination: 1 - squared error / variance of the targets.
package libdk
