// SPDX-License-Identifier: Apache-2.0
// Code generated from the library's description. DO NOT EDIT.

// The machines, kernels, weight strategies, parameters and metrics of libdk, as its description lists them.
//
// # Machines
//
//   - svm: The support vector machine separates classes by the largest margin, with slack (the 1-norm and the 2-norm machine) or without (the hard margin). (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008; solver: Fan, Chen, Lin, JMLR 6, 2005)
//     C (default 1; a number, greater than 0): A larger C makes slack cost more, so that the machine fits the training rows more closely.
//     loss (default hinge; one of hinge, squared_hinge, hard): Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm machine), or is not allowed (hard).
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     class_weight (default none; text): A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the same, and label:weight,label:weight gives the factors.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - nu_svm: This support vector machine has nu, a bound on the share of margin errors, in place of C. (Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12, 2000)
//     nu (default 0.5; a number, greater than 0 and at most 1): At most this share of rows may be margin errors.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - svr: Support vector regression counts only errors beyond a tube around the function. (Smola, Schoelkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004)
//     C (default 1; a number, greater than 0): A larger C makes errors beyond the tube cost more.
//     epsilon (default 0.1; a number, at least 0 and at most 1e+300): Errors smaller than epsilon, half the width of the tube, cost nothing.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//   - nu_svr: This support vector regression has nu, a bound on the share of rows outside the tube, in place of epsilon. (Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12, 2000)
//     C (default 1; a number, greater than 0): A larger C makes errors beyond the tube cost more.
//     nu (default 0.5; a number, greater than 0 and at most 1): At most this share of rows may lie outside the tube.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//   - one_class_svm: The one-class support vector machine predicts 1 for rows like the training rows, and -1 for others. (Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson, Estimating the support of a high-dimensional distribution, Neural Computation 13, 2001)
//     nu (default 0.5; a number, greater than 0 and at most 1): At most this share of training rows may be taken for outliers.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//   - cvm: The core vector machine is a 2-norm support vector machine that learns from a core set of rows, so that it trains on very many rows. It is deep with the kernel arccos. (Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; Afzal, Deep learning in kernel machines, 2018)
//     C (default 1; a number, greater than 0): A larger C makes squared slack cost more, so that the machine fits the training rows more closely.
//     offset (default yes; yes or no): With yes, functions have an offset, which is penalised. With narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): This decides when the core set is complete: gap adds many rows at a time until the gap is certified; epsilon takes the papers' steps and ends by their rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): With stop=gap, the objective is certified to miss the best by no more than this share.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): With stop=gap, learning stops after so many rounds; 0 sets no limit.
//     epsilon (default 0; a number, at least 0 and at most 1): With stop=epsilon, rows may lie so many radii beyond the ball; 0 is the choice of the program LibCVM.
//     sample (default 59; an integer, at least 1 and at most 1e+09): With stop=epsilon, each step looks for the farthest of so many random rows.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): With stop=epsilon, learning stops after so many steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): The core set has at most so many rows.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - bvm: The ball vector machine is a core vector machine whose core set begins with that of a ball of fixed radius. (Tsang, Kocsor, Kwok, Simpler core vector machines with enclosing balls, ICML 2007)
//     C (default 1; a number, greater than 0): A larger C makes squared slack cost more, so that the machine fits the training rows more closely.
//     offset (default yes; yes or no): With yes, functions have an offset, which is penalised. With narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): This decides when the core set is complete: gap adds many rows at a time until the gap is certified; epsilon takes the papers' steps and ends by their rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): With stop=gap, the objective is certified to miss the best by no more than this share.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): With stop=gap, learning stops after so many rounds; 0 sets no limit.
//     epsilon (default 0; a number, at least 0 and at most 1): With stop=epsilon, rows may lie so many radii beyond the ball; 0 is the choice of the program LibCVM.
//     sample (default 59; an integer, at least 1 and at most 1e+09): With stop=epsilon, each step looks for the farthest of so many random rows.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): With stop=epsilon, learning stops after so many steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): The core set has at most so many rows.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - mcvm: The multi-class core vector machine learns all classes by one program. (Asharaf, Murty, Shevade, Multiclass core vector machine, ICML 2007; Afzal, Deep learning in kernel machines, 2018)
//     C (default 1; a number, greater than 0): A larger C makes squared slack cost more, so that the machine fits the training rows more closely.
//     offset (default yes; yes or no): With yes, functions have an offset, which is penalised. With narrow kernels mcvm is better without.
//     stop (default gap; one of gap, epsilon): This decides when the core set is complete: gap adds many rows at a time until the gap is certified; epsilon takes the papers' steps and ends by their rule.
//     gap (default 0.05; a number, greater than 0 and at most 0.9): With stop=gap, the objective is certified to miss the best by no more than this share.
//     max_rounds (default 0; an integer, at least 0 and at most 1e+09): With stop=gap, learning stops after so many rounds; 0 sets no limit.
//     epsilon (default 0; a number, at least 0 and at most 1): With stop=epsilon, rows may lie so many radii beyond the ball; 0 is the choice of the program LibCVM.
//     sample (default 59; an integer, at least 1 and at most 1e+09): With stop=epsilon, each step looks for the farthest of so many random rows.
//     max_steps (default 10000; an integer, at least 1 and at most 9e+15): With stop=epsilon, learning stops after so many steps.
//     max_core (default 50000; an integer, at least 2 and at most 1e+09): The core set has at most so many rows.
//   - elm: The extreme learning machine is ridge regression to the signs of the classes on random features of the kernel. (Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     hidden (default 1000; an integer, at least 1 and at most 1e+06): The machine learns from so many random features of the kernel.
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//   - kelm: The kernel extreme learning machine is ridge regression to the signs of the classes. It is deep with the kernel arccos. (Huang, Zhou, Ding, Zhang, Extreme learning machine for regression and multiclass classification, IEEE Transactions SMC B 42, 2012; Afzal, Deep learning in kernel machines, 2018)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C.
//     offset (default no; yes or no): With yes, functions have an offset, as those of a least squares support vector machine have.
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): The system is solved by Cholesky's factors, or by a closed form for kernels that have factors (exact), or for the coefficients of landmarks only (falkon); auto is falkon from 30000 rows on, and exact below.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): With solver=falkon, so many rows have coefficients.
//     tolerance (default 1e-07; a number, greater than 0): With solver=falkon, learning stops when the relative residual is at most this.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): With solver=falkon, learning stops after so many steps.
//   - kernel_ridge: Kernel ridge regression minimises squared errors and the length of the function. (Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C.
//     offset (default no; yes or no): With yes, functions have an offset, as those of a least squares support vector machine have.
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): The system is solved by Cholesky's factors, or by a closed form for kernels that have factors (exact), or for the coefficients of landmarks only (falkon); auto is falkon from 30000 rows on, and exact below.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): With solver=falkon, so many rows have coefficients.
//     tolerance (default 1e-07; a number, greater than 0): With solver=falkon, learning stops when the relative residual is at most this.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): With solver=falkon, learning stops after so many steps.
//   - rvm: The relevance vector machine gives weights to few rows, those with the largest evidence. (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003)
//     centred (default yes; yes or no): With yes, the basis is the columns of the centred kernel matrix, so that prototypes are convex combinations of rows. With no, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no precision's logarithm would change by more than this.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): Learning stops after so many additions, removals and changes of basis functions.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - rvr: Relevance vector regression gives weights to few rows, those with the largest evidence. (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003)
//     centred (default yes; yes or no): With yes, the basis is the columns of the centred kernel matrix, so that prototypes are convex combinations of rows. With no, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no precision's logarithm would change by more than this.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): Learning stops after so many additions, removals and changes of basis functions.
//   - boosted: Boosting moves two prototypes by multiplicative updates towards the nearest points of both classes' convex hulls, and certifies the margin that it finds. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008)
//     C (default 1; a number, at least 0 and at most 1e+300): A larger C makes the machine fit the training rows more closely: 1 / C is added to the diagonal of the kernel matrix. A C of 0 allows no slack, and the classes must be separable.
//     epsilon (default 0.3; a number, greater than 0 and at most 1): Each step aims at a margin that is smaller by epsilon; a small epsilon takes more steps.
//     max_iterations (default 30000; an integer, at least 1 and at most 1e+12): Learning stops after so many steps.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - imkpl: Interpretable multiple-kernel prototype learning finds few prototypes, each made of near rows of one class, and weighs the kernels of the bank such that they show these. (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019)
//     prototypes (default 5; an integer, at least 1 and at most 10000): This number, the paper's T0, limits four: the prototypes of a class, the rows that a prototype is made of, the prototypes that reconstruct a row, and the neighbours of a row.
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): A larger lambda makes rows be reconstructed by prototypes of their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): A larger tau makes the sum of the prototypes' coefficients smaller.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//     mu (default 0.2; a number, at least 0 and at most 1e+06): A larger mu makes kernels weigh more in which near rows are of one class.
//     policy (default quadratic; one of quadratic, capped, lp_vertex): Kernels are weighed by their costs: with a quadratic penalty of the weights (quadratic), the cheapest ones equally (capped), or the cheapest one alone (lp_vertex).
//     kernels (default 0; an integer, at least 0 and at most 1e+09): So many kernels have a weight in the first iteration (quadratic) or always (capped); 0 stands for a tenth of the bank, and at least 2.
//   - iskpl: Interpretable single-kernel prototype learning finds few prototypes, each made of near rows of one class. (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019)
//     prototypes (default 5; an integer, at least 1 and at most 10000): This number, the paper's T0, limits four: the prototypes of a class, the rows that a prototype is made of, the prototypes that reconstruct a row, and the neighbours of a row.
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): A larger lambda makes rows be reconstructed by prototypes of their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): A larger tau makes the sum of the prototypes' coefficients smaller.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//   - super_sparse: The super-sparse machine learns a few prototypes that are free vectors, which all classes share. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): This is the number of prototypes, or the largest number that is tried.
//     choose_prototypes (default no; yes or no): With yes, cross-validation chooses the number of prototypes, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): Each prototype costs so much in that choice; 0 stands for a hundredth of the error with the largest number of prototypes.
//     penalty (default ridge; one of ridge, lasso): The penalty sums the squares of the prototypes' weights (ridge) or their absolute values (lasso).
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): The penalty counts so many times beside the mean squared error.
//     move (default yes; yes or no): With yes, prototypes leave the training rows at which they start.
//     copies (default -1; an integer, at least -1 and at most 1000): The model that is learned from is asked about so many copies of every row too, which noise has moved; -1 stands for as many as the prototypes' coordinates need, from 0 to 20.
//     focus (default 1; a number, at least 0 and at most 1000): A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by exp(-focus margin / root mean square of the margins).
//     repulsion (default no; yes or no): With yes, the first steps push prototypes apart, each step less than the one before.
//     tolerance (default 1e-05; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): Prototypes take at most so many steps.
//     target (default svm; one of svm, labels): The prototypes learn the decisions of support vector machines (svm), or the classes themselves (labels).
//     C (default 1; a number, greater than 0): A larger C makes these support vector machines fit the training rows more closely.
//     balanced (default no; yes or no): With yes, every class weighs the same, however many rows it has.
//   - super_sparse_regression: Super-sparse regression learns a few prototypes that are free vectors, with a ridge or lasso penalty. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): This is the number of prototypes, or the largest number that is tried.
//     choose_prototypes (default no; yes or no): With yes, cross-validation chooses the number of prototypes, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): Each prototype costs so much in that choice; 0 stands for a hundredth of the error with the largest number of prototypes.
//     penalty (default ridge; one of ridge, lasso): The penalty sums the squares of the prototypes' weights (ridge) or their absolute values (lasso).
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): The penalty counts so many times beside the mean squared error.
//     move (default yes; yes or no): With yes, prototypes leave the training rows at which they start.
//     copies (default -1; an integer, at least -1 and at most 1000): The model that is learned from is asked about so many copies of every row too, which noise has moved; -1 stands for as many as the prototypes' coordinates need, from 0 to 20.
//     focus (default 1; a number, at least 0 and at most 1000): A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by exp(-focus margin / root mean square of the margins).
//     repulsion (default no; yes or no): With yes, the first steps push prototypes apart, each step less than the one before.
//     tolerance (default 1e-05; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): Prototypes take at most so many steps.
//   - fisher: The kernel Fisher discriminant finds the direction on which the classes lie far apart for their scatter. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008)
//     regularisation (default 0.001; a number, greater than 0): The diagonal of the within-class scatter grows by this share of its mean element.
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//   - mean_of_class: The mean of class predicts the class whose mean is nearer in feature space. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008)
//     multiclass (default ovo; one of ovo, ovr): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr).
//
// # Kernels
//
//   - linear: k(x, z) = x.z, the inner product of the rows.
//   - poly: k(x, z) = (gamma x.z + coef0)^degree, a polynomial of the inner product.
//     degree (default 3; an integer, at least 1 and at most 100): The exponent.
//     gamma (default 1; a number, greater than 0): The factor of the inner product.
//     coef0 (default 1; a number, at least -1e+300 and at most 1e+300): What is added to the inner product.
//   - cosine: k(x, z) = x.z / (|x| |z|), the cosine of the angle between x and z.
//   - rbf: k(x, z) = exp(-gamma |x - z|^2), the Gaussian kernel.
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - laplacian: k(x, z) = exp(-gamma sum |x - z|), the Laplacian kernel.
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - cauchy: k(x, z) = 1 / (1 + gamma |x - z|^2), the Cauchy kernel. (Basak, A least square kernel machine with box constraints, ICPR 2008)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - rational_quadratic: k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, a mixture of Gaussians of many widths. (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//     alpha (default 1; a number, greater than 0): The smaller it is, the more the widths of the mixture differ; infinite would be rbf.
//   - matern: The Matern kernel of smoothness nu = 0.5, 1.5 or 2.5; gamma is 1 / (2 length^2), so that infinite nu would be rbf. (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//     nu (default 1.5; a number, at least 0.5 and at most 2.5): The smoothness: 0.5, 1.5 or 2.5.
//   - circular: k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two discs. (Genton, Classes of kernels for machine learning, JMLR 2, 2001)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - spherical: k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two balls. (Genton, Classes of kernels for machine learning, JMLR 2, 2001)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - chi_square: k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)) compares histograms, whose values are at least 0. (Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto, median and mean find it on the training rows.
//   - additive_chi_square: k(x, z) = sum 2 x z / (x + z) compares histograms, whose values are at least 0. (Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012)
//   - intersection: k(x, z) = sum min(x, z) is the intersection of histograms, whose values are at least 0. (Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003)
//   - sigmoid: k(x, z) = tanh(gamma x.z + coef0), as a neuron computes.
//     gamma (default auto; a number, greater than 0): The factor of the inner product; auto finds it as for rbf.
//     coef0 (default 0; a number, at least -1e+300 and at most 1e+300): What is added to the inner product.
//   - arccos: The multilayer arc-cosine kernel is a network of infinite width that has one layer for each degree. Arguments: The degrees of the layers, each 0, 1, 2 or 3; default 1. (Cho and Saul, Kernel methods for deep learning, NIPS 2009)
//   - gak: The global alignment kernel sums over all alignments of two series, and is normalised. (Cuturi, Fast global alignment kernels, ICML 2011)
//     sigma (default auto; a number, greater than 0): The width of the local kernel; auto is the median distance of two steps times the root of the median length.
//     band (default 0; an integer, at least 0 and at most 1e+09): Steps i and j that are matched count 1 - |i - j| / band, and none beyond the band; 0 counts all alike.
//     divisible (default 1; an integer, at least 0 and at most 1): 1 takes the local kernel k / (2 - k), which is positive semidefinite for sure; 0 the Gaussian k.
//   - dtw: k(x, z) = exp(-gamma d), where d is the least sum of squared distances over all alignments of two series (time warping). (Sakoe and Chiba, IEEE Trans. ASSP 26, 1978)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto and mean take 1 over the mean distance of training rows, median 1 over the median.
//     band (default 0; an integer, at least 0 and at most 1e+09): Only alignments of steps i and j with |i - j| <= band count, or with the difference of the lengths where that is more; 0 counts all.
//   - spectrum: k(x, z) = sum over u of count(u, x) count(u, z), for all substrings u of a length. (Leslie, Eskin, Noble, The spectrum kernel, PSB 2002)
//     length (default 3; an integer, at least 1 and at most 1000): The number of characters of a substring.
//   - mismatch: The spectrum kernel where substrings may differ in some characters. (Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels, Bioinformatics 20, 2004)
//     length (default 3; an integer, at least 1 and at most 100): The number of characters of a substring.
//     mismatches (default 1; an integer, at least 0 and at most 99): How many characters may differ; less than length.
//     alphabet (default auto; an integer, at least 2 and at most 1114112): The number of different characters; auto counts those of the training strings.
//   - subsequence: The number of common subsequences of a length, with gaps, each of which counts decay^extent. (Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, JMLR 2, 2002)
//     length (default 3; an integer, at least 1 and at most 100): The number of characters of a subsequence.
//     decay (default 0.5; a number, at least 1e-06 and at most 1): The factor for each character of the extent.
//   - edit: k(x, z) = exp(-gamma d), where d is the edit distance: insertions, deletions and replacements. (Wagner and Fischer, The string-to-string correction problem, JACM 21, 1974)
//     gamma (default auto; a number, greater than 0): The inverse width gamma. The rules auto and mean take 1 over the mean distance of training rows, median 1 over the median.
//   - weisfeiler_lehman: The number of common subtree patterns of labelled graphs up to a height. (Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, JMLR 12, 2011)
//     iterations (default 3; an integer, at least 0 and at most 100): The rounds of relabelling, which are the greatest height of a pattern.
//   - gram: The similarities that the caller has computed: matrix q of the data. Arguments: The position of the matrix, from 0; default 0.
//
// # Operators on kernels
//
//   - exp: exp(k) is the exponential of the values of k.
//   - normalize: normalize(k) is the cosine of the angle between features: k(x, z) / sqrt(k(x, x) k(z, z)).
//   - center: center(k) moves the features of k so that their mean over the training rows is zero. (Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998)
//   - lowrank: lowrank(k, rank=100) approximates k by the products of at most that many features.
//     rank (default 100; an integer, at least 1 and at most 1e+06): The largest number of features.
//     method (default rpcholesky; one of rpcholesky, kmeans, uniform, random): How features are found: from landmarks by randomly pivoted Cholesky, k-means or chance (uniform); or as random features.
//     seed (default 1; an integer, at least 0 and at most 9e+15): The seed of everything random.
//   - corrected: corrected(k) makes k positive semidefinite on the training rows. (Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and algorithms, JMLR 10, 2009)
//     method (default clip; one of clip, flip, shift, square): What becomes of negative eigenvalues of the training rows' matrix: clip makes them 0, flip changes their sign, square squares all eigenvalues, and shift adds the lowest one's size to each row's similarity with itself.
//   - on: on(0:9, 12, k) lets k see these columns alone, which are counted from 0.
//   - each_feature: each_feature(k) is a bank that has k once for every column.
//   - each_channel: each_channel(k) is a bank that has k once for every channel of the series.
//   - grid: grid(rbf, gamma=0.1:1:10) is a bank with one kernel for every combination of the values.
//   - arccos_lists: arccos_lists(3) is a bank of arccos with every list of different degrees, up to so many layers. Arguments: The largest number of layers, 1 to 4.
//
// # Weights of banks
//
//   - uniform: Every kernel has the same weight, and the weights sum to 1.
//   - fixed: The weights that are given, one for each kernel. The kernels are taken as they are, not normalised. Arguments: the weights, at least 0 and not all 0.
//   - dimkl1: DiMKL1: exp(-(mean - IQR between classes)^2 / (2 deviation within)). (Divergence measures for multiple kernel learning (DiMKL))
//     form (default literal; one of literal, variance, absolute): The exponent: distance^2 / (2 deviation) as printed (literal), distance^2 / (2 variance), or distance / (2 deviation) (absolute).
//     diagonal (default no; yes or no): Whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): Whether a spread is the mean over the columns of a quadrant, instead of that of all its values.
//     symmetrise (default no; yes or no): Whether two classes are compared in both orders, as more than two always are.
//   - dimkl2: DiMKL2: exp(-(mean - deviation between classes)^2 / (2 deviation within)). (Divergence measures for multiple kernel learning (DiMKL))
//     form (default literal; one of literal, variance, absolute): The exponent: distance^2 / (2 deviation) as printed (literal), distance^2 / (2 variance), or distance / (2 deviation) (absolute).
//     diagonal (default no; yes or no): Whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): Whether a spread is the mean over the columns of a quadrant, instead of that of all its values.
//     symmetrise (default no; yes or no): Whether two classes are compared in both orders, as more than two always are.
//   - dimkl3: DiMKL3: |(mean - IQR within) - (mean - IQR between)|. (Divergence measures for multiple kernel learning (DiMKL))
//     diagonal (default no; yes or no): Whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): Whether a spread is the mean over the columns of a quadrant, instead of that of all its values.
//     symmetrise (default no; yes or no): Whether two classes are compared in both orders, as more than two always are.
//   - dimkl4: DiMKL4: |mean within - mean between| / sqrt(IQR within + IQR between). (Divergence measures for multiple kernel learning (DiMKL))
//     diagonal (default no; yes or no): Whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): Whether a spread is the mean over the columns of a quadrant, instead of that of all its values.
//     symmetrise (default no; yes or no): Whether two classes are compared in both orders, as more than two always are.
//   - dimkl5: DiMKL5: Bhattacharyya distances of the quadrants' values against their deviations. (Divergence measures for multiple kernel learning (DiMKL))
//     diagonal (default no; yes or no): Whether similarities of rows to themselves count.
//     columnwise (default no; yes or no): Whether a spread is the mean over the columns of a quadrant, instead of that of all its values.
//     symmetrise (default no; yes or no): Whether two classes are compared in both orders, as more than two always are.
//   - dimkl6: DiMKL6: Bhattacharyya distance of the classes as Gaussians in feature space. (Divergence measures for multiple kernel learning (DiMKL); Zhou, Chellappa, IEEE TPAMI 28, 2006)
//     rho (default 0.001; a number, greater than 0): The variance of a class in the directions that are not kept.
//     rank (default 20; an integer, at least 0 and at most 1000): How many directions of largest variance are kept of each class.
//   - mklgl: MKLGL: the weights of p-norm at most 1 with which a support vector machine has the least objective; p = 1 is sparse. (Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML 2010)
//     p (default 1.3333333333333333; a number, at least 1 and at most 1000): The norm of the weights, which is at most 1; p = 1 is sparse.
//     C (default 0; a number, at least 0 and at most 1e+300): The cost of slack; 0 is the machine's own C, or 1 where it has none.
//     gap (default 0.001; a number, greater than 0): The duality gap, as a share of the objective, at which learning stops.
//     max_iterations (default 200; an integer, at least 1 and at most 1e+06): The limit of turns of machines and weights.
//
// # Parameters of every machine
//
//   - kernel: (default auto; kernel) The kernel says how alike two rows are; brackets make a bank of several. auto is rbf for tables, gram(0) for similarities, gak for series, normalize(spectrum) for strings and normalize(weisfeiler_lehman) for graphs.
//   - weights: (default uniform; weights) This strategy finds the weight of each kernel of a bank.
//   - scale: (default none; one of none, standard, robust, minmax) Columns are scaled in predicting as training learned it: standard gives each column mean 0 and deviation 1, robust median 0 and interquartile range 1, minmax the range 0 to 1, and none leaves them.
//   - impute: (default none; one of none, mean, median) The column's mean or median over the training rows replaces a missing value; none refuses data that miss values.
//   - spectrum: (default none; one of none, clip, flip, shift, square) This mends a kernel that has negative eigenvalues on the training rows: clip sets them to 0, flip takes their absolute values, shift adds the same number to all eigenvalues, square squares all, and none leaves the kernel as it is.
//   - precision: (default double; one of double, single) Kernel values are computed and kept in this number type: double, or single, which is faster and keeps 7 digits.
//   - memory_mb: (default 0; an integer, at least 0 and at most 1e+09) Kernel matrices may take so many megabytes of memory; 0 allows half of what the computer has.
//   - seed: (default 1; an integer, at least 0 and at most 9e+15) Everything random comes from the seed: the same seed gives the same model.
//   - probability: (default no; yes or no) With yes, the model predicts probabilities too, which it learns from decisions on held-out folds.
//   - neighbours: (default 5; an integer, at least 0 and at most 1e+06) The model keeps so many of the nearest training rows for each prototype.
//   - folds: (default 5; an integer, at least 2 and at most 1e+06) Cross-validation divides the rows into so many parts; each part is predicted by a model that is trained on the others.
//   - repeats: (default 1; an integer, at least 1 and at most 1e+06) Cross-validation runs so many times, each time with other folds.
//   - grid: (default ; text) Cross-validation compares these values, such as C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)].
//   - select: (default auto; one of auto, accuracy, precision, recall, f1, auc, mae, rmse, r2) This metric chooses the best of a grid; auto is accuracy for classes and rmse for numbers.
//
// # Metrics
//
//   - accuracy: The share of the rows whose class is predicted.
//   - precision: Of the rows that are predicted to be of a class the share that is of it; with more than two classes the mean over the classes.
//   - recall: Of the rows of a class the share that is predicted to be of it; with more than two classes the mean over the classes.
//   - f1: The harmonic mean of precision and recall; with more than two classes the mean over the classes.
//   - auc: The area under the ROC curve of the decisions: the probability that a row of a class scores above a row of the others; with more than two classes the mean over the classes.
//   - mae: The mean absolute difference of predicted and true labels or targets.
//   - rmse: The root of the mean squared difference of predicted and true targets.
//   - r2: The coefficient of determination: 1 - squared error / squared deviation of the targets from their mean. It is 1 for perfect predictions and 0 for the mean.
package libdk
