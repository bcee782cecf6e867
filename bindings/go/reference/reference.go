// SPDX-License-Identifier: Apache-2.0
// Code generated from the library's description. DO NOT EDIT.

// Package reference is documentation alone, for those who write programs with package libdk.
//
// The machines, kernels, weight strategies, parameters and metrics of libdk, as its description lists them.
//
// # Machines
//
//   - svm: The support vector machine separates classes by the largest margin, with slack (the 1-norm and the 2-norm machine) or without (the hard margin), or by the log odds of logistic regression. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009; solver: Fan, Chen, Lin, JMLR 6, 2005)
//     C (default 1; a number, greater than 0): A larger C makes slack cost more, so that the machine fits the training rows more closely.
//     loss (default hinge; one of hinge, squared_hinge, hard, logistic): Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm machine), or is not allowed (hard). With logistic, every row costs the logarithm of 1 over its probability, so that decisions are log odds, of classes and rows as they are weighed, and models have probabilities without probability=yes.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     class_weight (default none; text): A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the same, and label:weight,label:weight gives the factors.
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
//   - nu_svm: This support vector machine has nu, a bound on the share of margin errors, in place of C. (Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12, 2000)
//     nu (default 0.5; a number, greater than 0 and at most 1): At most this share of rows may be margin errors.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
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
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
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
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
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
//   - elm: The extreme learning machine is ridge regression to the signs of the classes on random features of the kernel, or on random sigmoid nodes. (Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006; Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C. With coefficients of landmarks only, the errors of C above 10^4 are estimates.
//     hidden (default 1000; an integer, at least 1 and at most 1e+06): The machine has so many random nodes.
//     features (default kernel; one of kernel, sigmoid): The nodes are random features of the kernel, or sigmoids of random weights in [-1, 1] and biases in [0, 1], which see the rows themselves: they take kernel=linear, and rows in that range (scale=symmetric).
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//   - kelm: The kernel extreme learning machine is ridge regression to the signs of the classes. It is deep with the kernel arccos. (Huang, Zhou, Ding, Zhang, Extreme learning machine for regression and multiclass classification, IEEE Transactions SMC B 42, 2012; Afzal, Deep learning in kernel machines, 2018)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C. With coefficients of landmarks only, the errors of C above 10^4 are estimates.
//     offset (default no; yes or no): With yes, functions have an offset, as those of a least squares support vector machine have.
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): The system is solved by Cholesky's factors, or by a closed form for kernels that have factors (exact), or for the coefficients of landmarks only (falkon); auto is falkon from 30000 rows on, and exact below.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): With solver=falkon, so many rows have coefficients.
//     tolerance (default 1e-07; a number, greater than 0): With solver=falkon, learning stops when the relative residual is at most this.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): With solver=falkon, learning stops after so many steps.
//     tune_kernel (default no; one of no, leave_one_out, evidence): With leave_one_out or evidence, the real parameters of the kernel and C begin at their values and move along gradients to where the squared leave-one-out errors are least, or the evidence of the Gaussian process with this kernel and the noise 1 / C is largest.
//   - kernel_ridge: Kernel ridge regression minimises squared errors and the length of the function. (Saunders, Gammerman, Vovk, Ridge regression learning algorithm in dual variables, ICML 1998)
//     C (default 1; a number, greater than 0): A larger C makes squared errors cost more: 1 / C is added to the diagonal of the kernel matrix.
//     select_C (default no; yes or no): With yes, the one of 2^-10, 2^-8, ..., 2^20 with the least leave-one-out error takes the place of C. With coefficients of landmarks only, the errors of C above 10^4 are estimates.
//     offset (default no; yes or no): With yes, functions have an offset, as those of a least squares support vector machine have.
//     leave_one_out (default no; yes or no): With yes, the model's report tells the exact leave-one-out error.
//     solver (default auto; one of auto, exact, falkon): The system is solved by Cholesky's factors, or by a closed form for kernels that have factors (exact), or for the coefficients of landmarks only (falkon); auto is falkon from 30000 rows on, and exact below.
//     landmarks (default 2000; an integer, at least 1 and at most 1e+05): With solver=falkon, so many rows have coefficients.
//     tolerance (default 1e-07; a number, greater than 0): With solver=falkon, learning stops when the relative residual is at most this.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+06): With solver=falkon, learning stops after so many steps.
//     tune_kernel (default no; one of no, leave_one_out, evidence): With leave_one_out or evidence, the real parameters of the kernel and C begin at their values and move along gradients to where the squared leave-one-out errors are least, or the evidence of the Gaussian process with this kernel and the noise 1 / C is largest.
//   - rvm: The relevance vector machine gives weights to few rows, those with the largest evidence. (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003)
//     centred (default yes; yes or no): With yes, the basis is the columns of the centred kernel matrix, so that prototypes are convex combinations of rows. With no, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no precision's logarithm would change by more than this.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): Learning stops after so many additions, removals and changes of basis functions.
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
//   - rvr: Relevance vector regression gives weights to few rows, those with the largest evidence. (Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001; Tipping, Faul, Fast marginal likelihood maximisation, AISTATS 2003)
//     centred (default yes; yes or no): With yes, the basis is the columns of the centred kernel matrix, so that prototypes are convex combinations of rows. With no, predicting needs the relevance vectors only.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no precision's logarithm would change by more than this.
//     max_iterations (default 500; an integer, at least 1 and at most 1e+09): Learning stops after so many additions, removals and changes of basis functions.
//   - boosted: Boosting moves two prototypes by multiplicative updates towards the nearest points of both classes' convex hulls, and certifies the margin that it finds. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009)
//     C (default 1; a number, at least 0 and at most 1e+300): A larger C makes the machine fit the training rows more closely: 1 / C is added to the diagonal of the kernel matrix. A C of 0 allows no slack, and the classes must be separable.
//     epsilon (default 0.3; a number, greater than 0 and at most 1): Each step aims at a margin that is smaller by epsilon; a small epsilon takes more steps.
//     max_iterations (default 30000; an integer, at least 1 and at most 1e+12): Learning stops after so many steps.
//     averaging (default restart; one of restart, paper): Averages over the steps begin anew after 64, 128, ... steps (restart), and the prototypes are those of the function that they make; or they have all steps in them, and the prototypes are averages too, as the paper has it.
//     centre (default auto; one of auto, yes, no): With yes the mean of the rows is subtracted in feature space before the first step, on which the way of the steps depends; auto does so with averaging=restart.
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
//   - imkpl: Interpretable multiple-kernel prototype learning finds few prototypes, each made of near rows of one class, and weighs the kernels of the bank such that they show these. (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019)
//     prototypes (default 0; an integer, at least 0 and at most 10000): This number, the paper's T0, limits four: the prototypes of a class, and where nothing else is said the rows that a prototype is made of, the prototypes that reconstruct a row, and the neighbours of a row. 0 stands for half of the smallest class, and at most 20.
//     rows_of_prototype (default 0; an integer, at least 0 and at most 10000): A prototype is made of at most so many rows; 0 stands for the number of prototypes of a class.
//     prototypes_of_row (default 0; an integer, at least 0 and at most 10000): A row is reconstructed by at most so many prototypes; 0 stands for the number of prototypes of a class.
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): A larger lambda makes rows be reconstructed by prototypes of their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): A larger tau makes the sum of the prototypes' coefficients smaller.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//     decision (default share; one of share, residual): A row is of the class that has the largest share of its reconstruction (share), or whose prototypes alone reconstruct it best (residual).
//     mu (default 0.2; a number, at least 0 and at most 1e+06): A larger mu makes kernels weigh more in which near rows are of one class.
//     policy (default diverse; one of diverse, quadratic, capped, lp_vertex, uniform): Kernels are weighed by their costs: with a penalty of alike kernels (diverse), with a quadratic penalty (quadratic), the cheapest ones equally (capped), the cheapest one alone (lp_vertex), or not at all (uniform).
//     centre (default all; one of all, local, none): What a flat kernel, which tells nothing, would be paid is taken from the costs of each: all of it, the part of near rows (local), or nothing as in the paper (none).
//     kernels (default 0; an integer, at least 0 and at most 1e+09): So many kernels have a weight in the first iteration (quadratic) or always (capped); 0 stands for half of the bank, and at least 2.
//     rho (default 10; a number, greater than 0): With a larger rho the policy diverse keeps more kernels. It is a multiple of the difference between the median and the least of the costs.
//     kappa (default 1; a number, at least 0 and at most 1e+06): With a larger kappa the policy diverse asks less how alike kernels are.
//     neighbourhood (default 0; an integer, at least 0 and at most 10000): The kernels' weights look at so many nearest rows of a row's own class and of the others; 0 stands for the number of prototypes of a class.
//     tune (default no; yes or no): Cross-validation within the training rows chooses rho and kappa (diverse), or the number of kernels (quadratic, capped). What is given stays unless another choice is better by more than one standard error.
//   - iskpl: Interpretable single-kernel prototype learning finds few prototypes, each made of near rows of one class. (Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and feature selection, CIKM 2019)
//     prototypes (default 0; an integer, at least 0 and at most 10000): This number, the paper's T0, limits four: the prototypes of a class, and where nothing else is said the rows that a prototype is made of, the prototypes that reconstruct a row, and the neighbours of a row. 0 stands for half of the smallest class, and at most 20.
//     rows_of_prototype (default 0; an integer, at least 0 and at most 10000): A prototype is made of at most so many rows; 0 stands for the number of prototypes of a class.
//     prototypes_of_row (default 0; an integer, at least 0 and at most 10000): A row is reconstructed by at most so many prototypes; 0 stands for the number of prototypes of a class.
//     lambda (default 0.2; a number, at least 0 and at most 1e+06): A larger lambda makes rows be reconstructed by prototypes of their own class.
//     tau (default 0.2; a number, at least 0 and at most 1e+06): A larger tau makes the sum of the prototypes' coefficients smaller.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 50; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//     decision (default share; one of share, residual): A row is of the class that has the largest share of its reconstruction (share), or whose prototypes alone reconstruct it best (residual).
//   - mkldpl: Multiple-kernel projective dictionary pair learning finds atoms for each class, vectors that give a row's codes by one product, and weights of the kernels; the class whose atoms reconstruct a row best is elected. (Gu, Zhang, Zuo, Feng, Projective dictionary pair learning for pattern classification, NIPS 2014, with several kernels)
//     atoms (default 30; an integer, at least 1 and at most 10000): Each class has at most so many atoms.
//     tau (default 0.05; a number, greater than 0): With a larger tau, the codes that atoms reconstruct rows with are nearer to those that analysis finds.
//     lambda (default 0.003; a number, at least 0 and at most 1e+06): A larger lambda makes rows of other classes get smaller codes.
//     gamma (default 1e-04; a number, greater than 0): A larger gamma makes the analysis vectors shorter.
//     nu (default 0.05; a number, at least 0 and at most 1e+06): A larger nu makes the codes of a class more alike.
//     policy (default diverse; one of diverse, objective, uniform): Kernels get the weights that the objective asks for with a penalty of alike kernels (diverse); without it (objective), which are often those of few kernels; or the same (uniform).
//     rho (default 10; a number, greater than 0): With a larger rho the policy diverse keeps more kernels. It is a multiple of the difference between the median and the least of the kernels' costs.
//     kappa (default 1; a number, at least 0 and at most 1e+06): With a larger kappa the policy diverse asks less how alike kernels are.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 20; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//   - dkmld: Discriminative kernel multilevel dictionary learning finds levels of atoms that all classes share, and weights of the kernels; a linear machine decides by the codes. (Thiagarajan, Ramamurthy, Spanias, Multiple kernel sparse representations for supervised and unsupervised learning, IEEE Transactions on Image Processing 23, 2014)
//     prototypes (default 0; an integer, at least 0 and at most 10000): The dictionary has so many atoms for each class, which are shared by all classes; 0 stands for half of the smallest class, and at most 20.
//     levels (default 10; an integer, at least 1 and at most 1000): The atoms are divided into at most so many levels.
//     energy (default 0.05; a number, at least 0 and at most 1): There is no further level once less than this share of the rows' energy is left.
//     rho (default 0.5; a number, at least 0 and at most 1e+06): A larger rho gives more kernels a weight; with 0 one kernel has all of it.
//     max_iterations (default 5; an integer, at least 1 and at most 1e+06): The dictionary and the kernels' weights are learned by turns so many times.
//     C (default 1; a number, greater than 0): A larger C makes the linear machine that decides by the codes fit them more closely.
//   - midl_surrogate: A surrogate of multiple-instance dictionary learning finds atoms of each class that have little in common with those of other classes; the class whose few atoms reconstruct a row best is elected. (after Shrivastava, Patel, Pillai, Chellappa, Generalized dictionaries for multiple instance learning, IJCV 114, 2015, without bags)
//     prototypes (default 0; an integer, at least 0 and at most 10000): Each class has at most so many atoms; 0 stands for half of the smallest class, and at most 20.
//     prototypes_of_row (default 0; an integer, at least 0 and at most 10000): At most so many atoms of a class reconstruct a row; 0 stands for the number of atoms of a class.
//     eta (default 0.1; a number, at least 0 and at most 1e+06): A larger eta makes atoms of different classes have less in common.
//     policy (default diverse; one of diverse, objective, uniform): Kernels get the weights that the objective asks for with a penalty of alike kernels (diverse); without it (objective), which are often those of few kernels; or the same (uniform).
//     rho (default 10; a number, greater than 0): With a larger rho the policy diverse keeps more kernels. It is a multiple of the difference between the median and the least of the kernels' costs.
//     kappa (default 1; a number, at least 0 and at most 1e+06): With a larger kappa the policy diverse asks less how alike kernels are.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 30; an integer, at least 1 and at most 1e+09): Learning stops after so many iterations.
//   - kglvq: Generalised learning vector quantisation in feature space moves prototypes of each class towards rows of their class and away from others; the nearest prototype decides. (Qin, Suganthan, A novel kernel prototype-based learning algorithm, ICPR 2004; Sato, Yamada, Generalized learning vector quantization, NIPS 1995)
//     prototypes (default 0; an integer, at least 0 and at most 10000): Each class has at most so many prototypes; 0 stands for half of the smallest class, and at most 20.
//     rate (default 0.5; a number, at least 0 and at most 100): Prototypes take longer steps in the first epoch with a larger rate.
//     decay (default 0.05; a number, at least 0 and at most 1e+06): The rate of epoch t, from 0, is divided by 1 + decay t.
//     epochs (default 100; an integer, at least 0 and at most 1e+09): Every row moves prototypes at most so many times.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when an epoch changes the cost by less than this share.
//   - akglvq: Approximated generalised learning vector quantisation in feature space learns as kglvq does and then makes each prototype of few rows, which people can look at. (Hofmann, Gisbrecht, Hammer, Efficient approximations of robust soft learning vector quantization for non-vectorial data, Neurocomputing 147, 2015)
//     prototypes (default 0; an integer, at least 0 and at most 10000): Each class has at most so many prototypes; 0 stands for half of the smallest class, and at most 20.
//     rate (default 0.5; a number, at least 0 and at most 100): Prototypes take longer steps in the first epoch with a larger rate.
//     decay (default 0.05; a number, at least 0 and at most 1e+06): The rate of epoch t, from 0, is divided by 1 + decay t.
//     epochs (default 100; an integer, at least 0 and at most 1e+09): Every row moves prototypes at most so many times.
//     tolerance (default 1e-04; a number, greater than 0): Learning stops when an epoch changes the cost by less than this share.
//     sparse (default omp; one of omp, nearest, hull): After learning, a prototype becomes the combination of few rows that is nearest to it (omp), the mean of its nearest rows (nearest), or that of the rows with the largest coefficients (hull).
//     rows_of_prototype (default 0; an integer, at least 0 and at most 10000): A prototype is made of at most so many rows; 0 stands for the number of prototypes of a class.
//   - prototype_selection: Prototype selection covers the rows of each class by balls around few of them, which cover few rows of other classes; the nearest prototype decides. (Bien, Tibshirani, Prototype selection for interpretable classification, Annals of Applied Statistics 5, 2011)
//     method (default greedy; one of greedy, lp): Prototypes are chosen one after the other (greedy), or by a linear program whose solution is rounded at random (lp), which libdk can do where it was built with COIN-OR's CLP.
//     epsilon (default 0; a number, at least 0 and at most 1e+300): A prototype covers the rows that are nearer to it in feature space; with 0, cross-validation within the training rows chooses the distance.
//     price (default 0; a number, at least 0 and at most 1e+300): Each prototype costs so much, where an uncovered row costs 1; 0 stands for 1 / number of rows.
//   - super_sparse: The super-sparse machine learns a few prototypes that are free vectors, which all classes share. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): This is the number of prototypes, or the largest number that is tried.
//     choose_prototypes (default no; yes or no): With yes, cross-validation chooses the number of prototypes, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): Each prototype costs so much in that choice; 0 stands for a hundredth of the error with the largest number of prototypes.
//     penalty (default l2; one of l2, l1): The penalty sums the squares of the prototypes' weights (l2), as the paper does in each of its machines, or their absolute values (l1).
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): The penalty counts so many times beside the mean squared error.
//     move (default yes; yes or no): With yes, prototypes leave the training rows at which they start: along gradients, or by edits of strings and series; of graphs and similarities other rows take their place.
//     preset (default fast; one of fast, paper): What is auto, or -1, among start, steps, repulsion, copies and focus is as libdk learns best (fast: pursuit, joint, no, as needed, 1) or as the paper says (paper: random, single, yes, 0, 0).
//     start (default auto; one of auto, pursuit, random): Prototypes start at rows that matching pursuit chooses (pursuit), or at random rows, as many of each class (random).
//     steps (default auto; one of auto, joint, single): All prototypes move at once by L-BFGS (joint), or one after the other along its gradient (single).
//     repulsion (default auto; one of auto, yes, no): With yes, steps push prototypes apart, each less than the one before; that needs a kernel with a gradient. With auto and preset=paper, it is done where it can be.
//     gradient (default auto; one of auto, kernel, directional, scaled_difference, central): Prototypes among dense rows move along the kernel's own gradient (kernel), along finite differences towards each row (directional) or in each column (central), or along s(x, z) (x - z), the paper's equation 7 (scaled_difference). auto is the kernel's where it has one, directional for kernel similarity and central for others.
//     gradient_step (default 0; a number, at least 0 and at most 0.5): Finite differences are so long: of the way to the row (directional) or of the column's standard deviation (central). 0 stands for 1e-3 and 1e-5; similarities that change in steps need more.
//     copies (default -1; an integer, at least -1 and at most 1000): The model that is learned from is asked about so many copies of every row too, which noise has moved; -1 stands for as many as the prototypes' coordinates need, from 0 to 20.
//     focus (default -1; a number, at least -1 and at most 1000): A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by exp(-focus margin / root mean square of the margins). -1 stands for what the preset says.
//     tolerance (default 1e-05; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): Prototypes take at most so many steps.
//     teacher (default svm; text): The prototypes learn the decisions of this machine on the training rows, such as svm (SSVM), similarity_ridge (SRidge) or similarity_lasso (SLASSO); with none they learn the labels or targets themselves.
//     C (default 1; a number, greater than 0): A larger C makes a teacher that has this parameter fit the training rows more closely.
//     teacher_spectrum (default none; one of none, clip, flip, square, shift): The teacher learns from similarities that are made positive semidefinite in this way; the prototypes keep those that were given.
//     teacher_costs (default equal; one of equal, opposite): Errors of the teacher cost the same in each class (equal), or as much as the rest of the rows has a share in all (opposite), so that the smaller class counts more.
//     balanced (default no; yes or no): With yes, every class weighs the same, however many rows it has.
//   - super_sparse_regression: Super-sparse regression learns a few prototypes that are free vectors, from the targets or from the predictions of another machine. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): This is the number of prototypes, or the largest number that is tried.
//     choose_prototypes (default no; yes or no): With yes, cross-validation chooses the number of prototypes, from the largest down.
//     rho (default 0; a number, at least 0 and at most 1e+300): Each prototype costs so much in that choice; 0 stands for a hundredth of the error with the largest number of prototypes.
//     penalty (default l2; one of l2, l1): The penalty sums the squares of the prototypes' weights (l2), as the paper does in each of its machines, or their absolute values (l1).
//     lambda (default 1e-05; a number, at least 0 and at most 1e+300): The penalty counts so many times beside the mean squared error.
//     move (default yes; yes or no): With yes, prototypes leave the training rows at which they start: along gradients, or by edits of strings and series; of graphs and similarities other rows take their place.
//     preset (default fast; one of fast, paper): What is auto, or -1, among start, steps, repulsion, copies and focus is as libdk learns best (fast: pursuit, joint, no, as needed, 1) or as the paper says (paper: random, single, yes, 0, 0).
//     start (default auto; one of auto, pursuit, random): Prototypes start at rows that matching pursuit chooses (pursuit), or at random rows, as many of each class (random).
//     steps (default auto; one of auto, joint, single): All prototypes move at once by L-BFGS (joint), or one after the other along its gradient (single).
//     repulsion (default auto; one of auto, yes, no): With yes, steps push prototypes apart, each less than the one before; that needs a kernel with a gradient. With auto and preset=paper, it is done where it can be.
//     gradient (default auto; one of auto, kernel, directional, scaled_difference, central): Prototypes among dense rows move along the kernel's own gradient (kernel), along finite differences towards each row (directional) or in each column (central), or along s(x, z) (x - z), the paper's equation 7 (scaled_difference). auto is the kernel's where it has one, directional for kernel similarity and central for others.
//     gradient_step (default 0; a number, at least 0 and at most 0.5): Finite differences are so long: of the way to the row (directional) or of the column's standard deviation (central). 0 stands for 1e-3 and 1e-5; similarities that change in steps need more.
//     copies (default -1; an integer, at least -1 and at most 1000): The model that is learned from is asked about so many copies of every row too, which noise has moved; -1 stands for as many as the prototypes' coordinates need, from 0 to 20.
//     focus (default -1; a number, at least -1 and at most 1000): A larger focus makes rows near that model's boundaries weigh more: the weight of each is multiplied by exp(-focus margin / root mean square of the margins). -1 stands for what the preset says.
//     tolerance (default 1e-05; a number, greater than 0): Learning stops when the objective falls by less than this share twice in turn.
//     max_iterations (default 100; an integer, at least 0 and at most 1e+09): Prototypes take at most so many steps.
//     teacher (default none; text): The prototypes learn the decisions of this machine on the training rows, such as svm (SSVM), similarity_ridge (SRidge) or similarity_lasso (SLASSO); with none they learn the labels or targets themselves.
//     C (default 1; a number, greater than 0): A larger C makes a teacher that has this parameter fit the training rows more closely.
//     teacher_spectrum (default none; one of none, clip, flip, square, shift): The teacher learns from similarities that are made positive semidefinite in this way; the prototypes keep those that were given.
//   - selected_svm: SVMsel is a support vector machine that keeps only a few of its support vectors, those that can replace the others best. (Schoelkopf, Mika, Burges, Knirsch, Mueller, Raetsch, Smola, Input space versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999)
//     prototypes (default 10; an integer, at least 1 and at most 1e+06): So many support vectors are kept for each function, of which two classes have one and more have one each.
//     selection (default auto; one of auto, kpca, exact): The support vector that is deleted next costs least by an upper bound from kernel principal components (kpca) or exactly (exact); auto is exact for more than 500 support vectors, and kpca below.
//     C (default 1; a number, greater than 0): A larger C makes slack cost more, so that the machine fits the training rows more closely.
//     loss (default hinge; one of hinge, squared_hinge, hard, logistic): Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm machine), or is not allowed (hard). With logistic, every row costs the logarithm of 1 over its probability, so that decisions are log odds, of classes and rows as they are weighed, and models have probabilities without probability=yes.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     class_weight (default none; text): A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the same, and label:weight,label:weight gives the factors.
//   - reduced_svm: SVMred is a support vector machine whose support vectors a few vectors replace that need not be training rows. (Burges, Simplified support vector decision rules, ICML 1996; Schoelkopf et al., Input space versus feature space in kernel-based methods, IEEE Transactions on Neural Networks 10, 1999)
//     prototypes (default 10; an integer, at least 1 and at most 1e+05): So many vectors at most take the place of the support vectors of each function, of which two classes have one and more have one each.
//     polish (default no; yes or no): With yes, all vectors of a function move together at the end, which takes longer.
//     C (default 1; a number, greater than 0): A larger C makes slack cost more, so that the machine fits the training rows more closely.
//     loss (default hinge; one of hinge, squared_hinge, hard, logistic): Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm machine), or is not allowed (hard). With logistic, every row costs the logarithm of 1 over its probability, so that decisions are log odds, of classes and rows as they are weighed, and models have probabilities without probability=yes.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     class_weight (default none; text): A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the same, and label:weight,label:weight gives the factors.
//   - similarity_ridge: The ridge classifier in similarity space learns weights of the similarities to training rows. The similarity may be any, also an indefinite one. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     lambda (default 0; a number, at least 0 and at most 1e+300): The sum of the squared weights counts so many times beside the squared errors; 0 stands for the lambda with the least error on rows left out.
//     folds (default 0; an integer, at least 0 and at most 1e+06): With lambda=0, rows are left out in so many parts by cross-validation; 0 stands for one row at a time, which is quicker.
//     basis (default all; one of all, random, border, spanning, k_medoids): Rows are seen by their similarities to these training rows: to all of them, to some at random, to those farthest from the others (border), to a central row and those farthest from each other (spanning), or to the most central row of each cluster (k_medoids).
//     prototypes (default 0; an integer, at least 0 and at most 1e+09): The basis has so many training rows; 0 stands for all of them.
//     per_class (default no; yes or no): With yes, each class gives an equal share of the basis, chosen among its rows.
//   - similarity_ridge_regression: Ridge regression in similarity space learns weights of the similarities to training rows. The similarity may be any, also an indefinite one. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     lambda (default 0; a number, at least 0 and at most 1e+300): The sum of the squared weights counts so many times beside the squared errors; 0 stands for the lambda with the least error on rows left out.
//     folds (default 0; an integer, at least 0 and at most 1e+06): With lambda=0, rows are left out in so many parts by cross-validation; 0 stands for one row at a time, which is quicker.
//     basis (default all; one of all, random, border, spanning, k_medoids): Rows are seen by their similarities to these training rows: to all of them, to some at random, to those farthest from the others (border), to a central row and those farthest from each other (spanning), or to the most central row of each cluster (k_medoids).
//     prototypes (default 0; an integer, at least 0 and at most 1e+09): The basis has so many training rows; 0 stands for all of them.
//   - similarity_lasso: The lasso classifier in similarity space learns weights of the similarities to training rows, and keeps only a few of these. The similarity may be any, also an indefinite one. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     lambda (default 0; a number, at least 0 and at most 1e+300): The sum of the weights' absolute values counts so many times beside half the mean squared error; 0 stands for the lambda with the least error in cross-validation.
//     folds (default 5; an integer, at least 2 and at most 1e+06): With lambda=0, cross-validation divides the rows into so many parts.
//     basis (default all; one of all, random, border, spanning, k_medoids): Rows are seen by their similarities to these training rows: to all of them, to some at random, to those farthest from the others (border), to a central row and those farthest from each other (spanning), or to the most central row of each cluster (k_medoids).
//     prototypes (default 0; an integer, at least 0 and at most 1e+09): The basis has so many training rows; 0 stands for all of them.
//     per_class (default no; yes or no): With yes, each class gives an equal share of the basis, chosen among its rows.
//   - similarity_lasso_regression: The lasso in similarity space learns weights of the similarities to training rows, and keeps only a few of these. The similarity may be any, also an indefinite one. (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016)
//     lambda (default 0; a number, at least 0 and at most 1e+300): The sum of the weights' absolute values counts so many times beside half the mean squared error; 0 stands for the lambda with the least error in cross-validation.
//     folds (default 5; an integer, at least 2 and at most 1e+06): With lambda=0, cross-validation divides the rows into so many parts.
//     basis (default all; one of all, random, border, spanning, k_medoids): Rows are seen by their similarities to these training rows: to all of them, to some at random, to those farthest from the others (border), to a central row and those farthest from each other (spanning), or to the most central row of each cluster (k_medoids).
//     prototypes (default 0; an integer, at least 0 and at most 1e+09): The basis has so many training rows; 0 stands for all of them.
//   - kernel_pca: Kernel principal component analysis finds the directions of largest variance in feature space. Its features are a row's coordinates along them; it predicts 1 for rows near their span, as the training rows are, and -1 for others. (Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998; Hoffmann, Kernel PCA for novelty detection, Pattern Recognition 40, 2007)
//     components (default 10; an integer, at least 1 and at most 1e+06): This is the number of components, or fewer where the rows have fewer.
//     variance (default 0; a number, at least 0 and at most 1): With a value above 0 there are as many components as have this share of the training rows' variance in feature space, and `components` does not count.
//     whiten (default no; yes or no): With yes, features have the variance 1 on the training rows.
//     nu (default 0.05; a number, at least 0 and at most 1): This share of the training rows lies further from the components' span than the threshold.
//   - defimkl: DeFIMKL trains a support vector machine for each kernel of a bank and combines their decisions by a Choquet integral, whose fuzzy measure says what each set of kernels is worth. The weights are the kernels' Shapley values. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022; Pinar, Rice, Hu, Anderson, Havens, Efficient multiple kernel classification using feature and decision level fusion, IEEE Transactions on Fuzzy Systems 25, 2017)
//     C (default 1; a number, greater than 0): A larger C makes slack cost more, so that the machine fits the training rows more closely.
//     loss (default hinge; one of hinge, squared_hinge, hard, logistic): Slack counts by its size (hinge, the 1-norm machine) or by its square (squared_hinge, the 2-norm machine), or is not allowed (hard). With logistic, every row costs the logarithm of 1 over its probability, so that decisions are log odds, of classes and rows as they are weighed, and models have probabilities without probability=yes.
//     tolerance (default 0.001; a number, greater than 0): Learning stops when no optimality condition is violated by more than this.
//     max_iterations (default 0; an integer, at least 0 and at most 9e+15): Learning stops after so many steps; 0 stands for the larger of 10^8 and 1000 steps a row.
//     class_weight (default none; text): A factor for each class multiplies C: none leaves C as it is, balanced makes every class weigh the same, and label:weight,label:weight gives the factors.
//     lambda (default 0; a number, at least 0 and at most 1e+300): The worth of all sets of kernels, to the power p, costs so much beside the squared errors.
//     p (default 1; a number, at least 1 and at most 10): This is the power of that penalty.
//     insample (default no; yes or no): With yes, the measure is fitted to decisions at rows that the machines know; otherwise to those of machines that were trained without them.
//   - nearest_neighbours: The training rows nearest in feature space vote for their classes. On the layers of a multilayer kernel machine, with large_margin as the last one, it is that machine's rule. (Cover, Hart, Nearest neighbor pattern classification, IEEE Transactions on Information Theory 13, 1967; Cho, Saul, Kernel methods for deep learning, NIPS 2009)
//     voters (default 5; an integer, at least 1 and at most 1e+06): So many of the training rows nearest to a row vote for its class.
//   - fisher: The kernel Fisher discriminant finds the direction on which the classes lie far apart for their scatter. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009)
//     regularisation (default 0.001; a number, greater than 0): The diagonal of the within-class scatter grows by this share of its mean element.
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
//   - mean_of_class: The mean of class predicts the class whose mean is nearer in feature space. (Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009)
//     multiclass (default ovo; one of ovo, ovr, nearest): More than two classes are told apart by a function for every pair of classes (ovo), or by one for every class against all others (ovr). With nearest, the prototypes of the classes against all others decide, also of two classes: a row is of the class whose prototype is nearest in feature space.
//
// # Kernels
//
//   - linear: k(x, z) = x.z, the inner product of the rows.
//   - poly: k(x, z) = (gamma x.z + coef0)^degree, a polynomial of the inner product.
//     degree (default 3; an integer, at least 1 and at most 100): degree is the exponent.
//     gamma (default 1; a number, greater than 0): gamma multiplies the inner product.
//     coef0 (default 1; a number, at least -1e+300 and at most 1e+300): coef0 is added to gamma times the inner product.
//   - cosine: k(x, z) = x.z / (|x| |z|), the cosine of the angle between x and z.
//   - rbf: k(x, z) = exp(-gamma |x - z|^2), the Gaussian kernel.
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - laplacian: k(x, z) = exp(-gamma sum |x - z|), the Laplacian kernel.
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - cauchy: k(x, z) = 1 / (1 + gamma |x - z|^2), the Cauchy kernel. (Basak, A least square kernel machine with box constraints, ICPR 2008)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - rational_quadratic: k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, a mixture of Gaussians of many widths. (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//     alpha (default 1; a number, greater than 0): The smaller alpha is, the more the widths of the mixture differ; with an infinite alpha the kernel would be rbf.
//   - matern: The Matern kernel has the smoothness nu = 0.5, 1.5 or 2.5; gamma is 1 / (2 length^2), so that infinite nu would be rbf. (Rasmussen and Williams, Gaussian processes for machine learning, 2006, section 4.2)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//     nu (default 1.5; a number, at least 0.5 and at most 2.5): nu is the smoothness: 0.5, 1.5 or 2.5.
//   - circular: k(x, z) = 2/pi (acos u - u sqrt(1 - u^2)) for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two discs. (Genton, Classes of kernels for machine learning, JMLR 2, 2001)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - spherical: k(x, z) = 1 - 3/2 u + 1/2 u^3 for u = sqrt(gamma) |x - z| < 1, else 0: the overlap of two balls. (Genton, Classes of kernels for machine learning, JMLR 2, 2001)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - chi_square: k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)) compares histograms, whose values are at least 0. (Zhang, Marszalek, Lazebnik, Schmid, Local features and kernels, IJCV 73, 2007)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules auto, median and mean find it on the training rows.
//   - additive_chi_square: k(x, z) = sum 2 x z / (x + z) compares histograms, whose values are at least 0. (Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 34, 2012)
//   - intersection: k(x, z) = sum min(x, z) is the intersection of histograms, whose values are at least 0. (Barla, Odone, Verri, Histogram intersection kernel for image classification, ICIP 2003)
//   - sigmoid: k(x, z) = tanh(gamma x.z + coef0), as a neuron computes.
//     gamma (default auto; a number, greater than 0): gamma multiplies the inner product; auto finds it as for rbf.
//     coef0 (default 0; a number, at least -1e+300 and at most 1e+300): coef0 is added to gamma times the inner product.
//   - arccos: The multilayer arc-cosine kernel is a network of infinite width that has one layer for each degree. Arguments: The degrees of the layers are each 0, 1, 2 or 3; without them there is one layer of degree 1. (Cho and Saul, Kernel methods for deep learning, NIPS 2009)
//     weight_variance (default 1; a number, greater than 0): The weights of a layer's units have this variance.
//     bias_variance (default 0; a number, at least 0): Each unit adds a bias to its input, which has this variance; 0 means that there are none.
//   - neural_tangent: The neural tangent kernel of a network of infinitely wide layers of rectifiers compares the gradients of the network's output by all its weights and biases. (Jacot, Gabriel and Hongler, Neural tangent kernel, NeurIPS 2018)
//     depth (default 1; an integer, at least 1 and at most 64): The network has so many layers of rectifiers.
//     weight_variance (default 1; a number, greater than 0): The weights of a layer's units have this variance.
//     bias_variance (default 0; a number, at least 0): Each unit adds a bias to its input, which has this variance; 0 means that there are none.
//   - gak: The global alignment kernel sums over all alignments of two series, and is normalised. (Cuturi, Fast global alignment kernels, ICML 2011)
//     sigma (default auto; a number, greater than 0): sigma is the width of the local kernel; auto is the median distance of two steps times the root of the median length.
//     band (default 0; an integer, at least 0 and at most 1e+09): Steps i and j that are matched count 1 - |i - j| / band, and none beyond the band; 0 counts all alike.
//     divisible (default 1; an integer, at least 0 and at most 1): 1 takes the local kernel k / (2 - k), which is positive semidefinite for sure; 0 the Gaussian k.
//   - dtw: k(x, z) = exp(-gamma d), where d is the least sum of squared distances over all alignments of two series (time warping). (Sakoe and Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech, and Signal Processing 26, 1978)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width. The rules auto and mean take 1 over the mean distance of training rows, median 1 over the median.
//     band (default 0; an integer, at least 0 and at most 1e+09): Only alignments of steps i and j with |i - j| <= band count, or with the difference of the lengths where that is more; 0 counts all.
//   - spectrum: k(x, z) = sum over u of count(u, x) count(u, z), for all substrings u of a length. (Leslie, Eskin, Noble, The spectrum kernel: a string kernel for SVM protein classification, Pacific Symposium on Biocomputing 2002)
//     length (default 3; an integer, at least 1 and at most 1000): Substrings have this many characters.
//   - mismatch: The mismatch kernel is the spectrum kernel of substrings that may differ in some characters. (Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels for discriminative protein classification, Bioinformatics 20, 2004)
//     length (default 3; an integer, at least 1 and at most 100): Substrings have this many characters.
//     mismatches (default 1; an integer, at least 0 and at most 99): This many characters of a substring may differ; they must be fewer than length.
//     alphabet (default auto; an integer, at least 2 and at most 1114112): Strings are made of this many different characters; auto counts those of the training strings.
//   - subsequence: k(x, z) counts the common subsequences of a length, which may have gaps; each counts decay^extent. (Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, Text classification using string kernels, JMLR 2, 2002)
//     length (default 3; an integer, at least 1 and at most 100): Subsequences have this many characters.
//     decay (default 0.5; a number, at least 1e-06 and at most 1): Each character of the extent multiplies the weight of a subsequence by this factor.
//   - edit: k(x, z) = exp(-gamma d), where d is the edit distance, the least number of insertions, deletions and replacements. (Wagner and Fischer, The string-to-string correction problem, JACM 21, 1974)
//     gamma (default auto; a number, greater than 0): gamma is the inverse width. The rules auto and mean take 1 over the mean distance of training rows, median 1 over the median.
//   - weisfeiler_lehman: k(x, z) counts the common subtree patterns of two labelled graphs up to a height. (Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt, Weisfeiler-Lehman graph kernels, JMLR 12, 2011)
//     iterations (default 3; an integer, at least 0 and at most 100): The labels are refined in this many rounds, which is the greatest height of a pattern.
//   - gram: gram(q) takes the similarities that the caller has computed, matrix q of the data. Arguments: The position q of the matrix counts from 0, which is the default.
//   - similarity: similarity asks the caller, who gave the rows with a function for their similarities to any points (dk_data_from_point_similarity). (Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE Computational Intelligence Magazine 11, 2016)
//
// # Operators on kernels
//
//   - exp: exp(k) is the exponential of the values of k.
//   - normalize: normalize(k) is the cosine of the angle between features: k(x, z) / sqrt(k(x, x) k(z, z)).
//   - center: center(k) moves the features of k so that their mean over the training rows is zero. (Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998)
//   - lowrank: lowrank(k, rank=100) approximates k by the products of at most that many features.
//     rank (default 100; an integer, at least 1 and at most 1e+06): The approximation has at most this many features.
//     method (default rpcholesky; one of rpcholesky, kmeans, uniform, random, sigmoid_nodes): The method says where features come from: from landmarks, which randomly pivoted Cholesky (rpcholesky), k-means or chance (uniform) chooses, or from random features (random). sigmoid_nodes are the random nodes of an extreme learning machine; they take linear alone, which they do not approximate.
//     seed (default 1; an integer, at least 0 and at most 9e+15): The seed starts the random numbers.
//   - corrected: corrected(k) makes k positive semidefinite on the training rows. (Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and algorithms, JMLR 10, 2009)
//     method (default clip; one of clip, flip, shift, square): What becomes of negative eigenvalues of the training rows' matrix: clip makes them 0, flip changes their sign, square squares all eigenvalues, and shift adds the lowest one's size to each row's similarity with itself.
//   - on: on(0:9, 12, k) lets k see these columns alone, which are counted from 0.
//   - each_feature: each_feature(k) is a bank that has k once for every column but those that are the same in all rows.
//   - each_channel: each_channel(k) is a bank that has k once for every channel of the series.
//   - grid: grid(rbf, gamma=0.1:1:10) is a bank with one kernel for every combination of the values.
//   - arccos_lists: arccos_lists(3) is a bank that has arccos with every list of 1 to 3 different degrees. Arguments: The largest number of layers is 1 to 4.
//
// # Weights of banks
//
//   - uniform: Every kernel has the same weight, and the weights sum to 1.
//   - fixed: You give the weights yourself, one for each kernel. The kernels are taken as they are, without normalisation. Arguments: Each weight is at least 0, and at least one is greater than 0.
//   - dimkl1: DiMKL1 favours kernels whose values between the classes are about as small as their spread: the weight of a kernel is proportional to exp(-(mean - IQR)^2 / (2 deviation)), with the mean and the interquartile range (IQR) of its values between the classes and the standard deviation of those within the first class. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     form (default literal; one of literal, variance, absolute): This chooses the exponent of the index, in which distance stands for the difference between the mean and the spread of the values between the classes: literal takes distance^2 / (2 deviation), as the paper prints it, variance takes distance^2 / (2 deviation^2), and absolute takes distance / (2 deviation).
//     diagonal (default no; yes or no): If yes, the similarity of each row to itself counts among the values within its class; if no, it is left out, since it is 1 for every row and tells nothing.
//     columnwise (default no; yes or no): If yes, means and spreads are computed for each column of the kernel matrix and averaged over the columns of a class; if no, they are computed from all values together.
//     symmetrise (default no; yes or no): If yes, each of two classes takes the place of the first class once and the two indices are averaged; if no, the positive class is the first. More than two classes are always compared in both orders.
//   - dimkl2: DiMKL2 is DiMKL1 for values with a normal distribution: the weight of a kernel is proportional to exp(-(mean - spread)^2 / (2 deviation)), with the mean and the standard deviation (spread) of its values between the classes and the standard deviation of those within the first class. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     form (default literal; one of literal, variance, absolute): This chooses the exponent of the index, in which distance stands for the difference between the mean and the spread of the values between the classes: literal takes distance^2 / (2 deviation), as the paper prints it, variance takes distance^2 / (2 deviation^2), and absolute takes distance / (2 deviation).
//     diagonal (default no; yes or no): If yes, the similarity of each row to itself counts among the values within its class; if no, it is left out, since it is 1 for every row and tells nothing.
//     columnwise (default no; yes or no): If yes, means and spreads are computed for each column of the kernel matrix and averaged over the columns of a class; if no, they are computed from all values together.
//     symmetrise (default no; yes or no): If yes, each of two classes takes the place of the first class once and the two indices are averaged; if no, the positive class is the first. More than two classes are always compared in both orders.
//   - dimkl3: DiMKL3 favours kernels whose values within the first class and between the classes overlap little: the weight of a kernel is proportional to the absolute difference of mean - IQR within the first class and mean - IQR between the classes, where IQR is the interquartile range. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     diagonal (default no; yes or no): If yes, the similarity of each row to itself counts among the values within its class; if no, it is left out, since it is 1 for every row and tells nothing.
//     columnwise (default no; yes or no): If yes, means and spreads are computed for each column of the kernel matrix and averaged over the columns of a class; if no, they are computed from all values together.
//     symmetrise (default no; yes or no): If yes, each of two classes takes the place of the first class once and the two indices are averaged; if no, the positive class is the first. More than two classes are always compared in both orders.
//   - dimkl4: DiMKL4 favours kernels whose values have different means within the first class and between the classes: the weight of a kernel is proportional to |mean within - mean between| / sqrt(IQR within + IQR between), where IQR is the interquartile range. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     diagonal (default no; yes or no): If yes, the similarity of each row to itself counts among the values within its class; if no, it is left out, since it is 1 for every row and tells nothing.
//     columnwise (default no; yes or no): If yes, means and spreads are computed for each column of the kernel matrix and averaged over the columns of a class; if no, they are computed from all values together.
//     symmetrise (default no; yes or no): If yes, each of two classes takes the place of the first class once and the two indices are averaged; if no, the positive class is the first. More than two classes are always compared in both orders.
//   - dimkl5: DiMKL5 favours kernels whose values within the classes are distributed unlike those between them: the weight of a kernel is proportional to b / (b + s), where b is the sum of the Bhattacharyya distances of the values within each class from those between the classes, and s sums the standard deviations. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     diagonal (default no; yes or no): If yes, the similarity of each row to itself counts among the values within its class; if no, it is left out, since it is 1 for every row and tells nothing.
//     columnwise (default no; yes or no): If yes, means and spreads are computed for each column of the kernel matrix and averaged over the columns of a class; if no, they are computed from all values together.
//     symmetrise (default no; yes or no): If yes, each of two classes takes the place of the first class once and the two indices are averaged; if no, the positive class is the first. More than two classes are always compared in both orders.
//   - dimkl6: DiMKL6 favours kernels in whose feature space the classes lie apart: the weight of a kernel is proportional to the Bhattacharyya distance of the classes, each of which is taken for a Gaussian distribution. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022; Zhou, Chellappa, From sample similarity to ensemble similarity, IEEE TPAMI 28, 2006)
//     rho (default 0.001; a number, greater than 0): This is the variance that each class has in the directions that are not kept.
//     rank (default 20; an integer, at least 0 and at most 1000): This limits how many directions of largest variance each class keeps in the feature space of a kernel.
//   - mklgl: MKLGL learns the weights together with the machine: among all weights whose p-norm is at most 1, it finds those with which the machine has the smallest objective. (Xu, Jin, Yang, King, Lyu, Simple and efficient multiple kernel learning by group lasso, ICML 2010)
//     p (default 1.3333333333333333; a number, at least 1 and at most 1000): The weights have a p-norm of at most 1: with p = 1 most of them are 0, and the larger p is, the more alike they are.
//     C (default 0; a number, at least 0 and at most 1e+300): This is the cost C of errors in the machine that learns the weights; 0 takes the C of the machine that will use them, or 1 where it has none.
//     loss (default machine; one of machine, hinge, squared_hinge, squares): The weights are learned with the loss of the machine that will use them, its class weights and its tube, or with another one. Machines without a loss of their own have hinge for classes and squares for targets.
//     normalise (default norm; one of norm, sum): The machine is trained with weights whose p-norm is 1 (norm), or with these divided by their sum (sum), which makes its C mean the same for any p.
//     gap (default 0.001; a number, greater than 0): Learning stops when the duality gap, divided by the objective, is at most this. The gap bounds how far the objective is from the best one.
//     max_iterations (default 200; an integer, at least 1 and at most 1e+06): Learning stops after this many iterations, in each of which the machine and then the weights are found.
//   - align: ALIGN weighs each kernel by its centred alignment with the labels or targets, which is the cosine between both matrices. (Cortes, Mohri, Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR 13, 2012)
//   - alignf: ALIGNF finds the weights with which the sum of all kernels has the largest centred alignment with the labels or targets, so that alike kernels share one weight. (Cortes, Mohri, Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR 13, 2012)
//   - easymkl: EasyMKL weighs each kernel by the distance in its feature space between two weighted means of the classes, whose rows are chosen so that the distance in all kernels together is least. (Aiolli, Donini, EasyMKL: a scalable multiple kernel learning algorithm, Neurocomputing 169, 2015)
//     smoothness (default 0.1; a number, at least 0 and at most 1): This is EasyMKL's Lambda: with 0 the rows between the classes decide alone, with 1 all rows count the same and the means of the classes are compared.
//   - umkl: UMKL needs no labels: it finds the weights with which each row is best reconstructed from its nearest rows, multiplied by their kernel values. (Zhuang, Wang, Hoi, Lan, Unsupervised multiple kernel learning, ACML 2011; Rebai, BenAyed, Mahdi, Deep multilayer multiple kernel learning, Neural Computing and Applications 27, 2016)
//     neighbours (default 10; an integer, at least 1 and at most 10000): Each row is reconstructed from so many nearest rows, and from fewer where there are not so many.
//     gamma (default 0.1; a number, at least 0 and at most 1e+06): Distances between rows that a kernel holds for alike count so many times beside the errors of reconstruction.
//     rows (default literal; one of literal, normalise, average): Kernel values of a row are those of the kernel, as the authors have it (literal), divided by their sum over the neighbours (normalise), or divided by the number of neighbours (average).
//     alternate (default no; yes or no): With yes, neighbours and weights are chosen in turns until neither changes.
//   - gamkl: GAMKL searches by a genetic algorithm for the weights with which the machine that uses them is right about most of the rows that are held out. (Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, Mathematics 10, 2022)
//     p (default 1.3333333333333333; a number, at least 1 and at most 1000): The weights have the p-norm 1: with p = 1 they may be few, and the larger p is, the more alike they are.
//     normalise (default norm; one of norm, sum): The machine is trained with weights whose p-norm is 1 (norm), or with these divided by their sum (sum), which makes its C mean the same for any p.
//     population (default 30; an integer, at least 4 and at most 1e+05): There are so many weights at a time, and at least two more than kernels.
//     generations (default 40; an integer, at least 0 and at most 1e+05): The search ends after so many generations.
//     patience (default 10; an integer, at least 1 and at most 1e+05): It ends before where so many in turn gained nothing.
//     folds (default 3; an integer, at least 2 and at most 100): Accuracies are those of so many folds.
//
// # Parameters of every machine
//
//   - kernel: (default auto; kernel) The kernel says how alike two rows are; brackets make a bank of several. auto is rbf for tables, gram(0) for similarities, gak for series, normalize(spectrum) for strings and normalize(weisfeiler_lehman) for graphs.
//   - weights: (default uniform; weights) This strategy finds the weight of each kernel of a bank.
//   - scale: (default none; one of none, standard, robust, minmax, symmetric) Columns are scaled in predicting as training learned it: standard gives each column mean 0 and deviation 1, robust median 0 and interquartile range 1, minmax the range 0 to 1, symmetric the range -1 to 1, and none leaves them.
//   - scale_rows: (default none; one of none, l2, l1, max, standard) Each row is scaled by itself, before its columns are: l2 divides by its Euclidean length, l1 by the sum and max by the largest of its magnitudes, standard gives it mean 0 and deviation 1.
//   - impute: (default none; one of none, mean, median) The column's mean or median over the training rows replaces a missing value; none refuses data that miss values.
//   - layers: (default ; text) Layers make of the scaled rows what the machine is given, each of what the one before made, such as [kernel_pca([rbf, arccos(1)], weights=umkl, components=50), anova_f(20)].
//   - spectrum: (default none; one of none, clip, flip, shift, square) This mends a kernel that has negative eigenvalues on the training rows: clip sets them to 0, flip takes their absolute values, shift adds the same number to all eigenvalues, square squares all, and none leaves the kernel as it is.
//   - precision: (default auto; one of auto, double, single) Kernel values are computed and kept in this number type: double, or single, which is faster and keeps 7 digits. auto is double, but support vector machines with radial kernels or very many rows, and core vector machines, search in single precision first and finish in double.
//   - memory_mb: (default 0; an integer, at least 0 and at most 1e+09) Kernel matrices may take so many megabytes of memory; 0 allows half of what the computer has.
//   - seed: (default 1; an integer, at least 0 and at most 9e+15) Everything random comes from the seed: the same seed gives the same model.
//   - probability: (default no; yes or no) With yes, the model predicts probabilities too, which it learns from decisions on held-out folds.
//   - neighbours: (default 5; an integer, at least 0 and at most 1e+06) The model keeps so many of the nearest training rows for each prototype.
//   - folds: (default 5; an integer, at least 2 and at most 1e+06) Cross-validation divides the rows into so many parts; each part is predicted by a model that is trained on the others.
//   - repeats: (default 1; an integer, at least 1 and at most 1e+06) Cross-validation runs so many times, each time with other folds.
//   - outer_folds: (default 0; an integer, at least 0 and at most 1e+06) With 2 or more, cross-validation runs on the training rows of so many outer folds too, and what it chooses there is scored on the other rows, which had no part in the choice.
//   - halves: (default 0; an integer, at least 0 and at most 1e+05) After cross-validation the weights of the bank are learned again on so many random halves of the rows, to tell how much they depend on the rows.
//   - grid: (default ; text) Cross-validation compares these values, such as C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)].
//   - select: (default auto; one of auto, accuracy, precision, recall, f1, auc, nauc, far, frr, eer, mae, rmse, r2) This metric chooses the best of a grid; auto is accuracy for classes and rmse for numbers.
//
// # Metrics
//
//   - accuracy: Accuracy is the share of the rows whose class is predicted.
//   - precision: Precision is the share of the rows predicted to be of the second class that are of it. With more than two classes it is computed for each class and averaged.
//   - recall: Recall is the share of the rows of the second class that are predicted to be of it. With more than two classes it is computed for each class and averaged.
//   - f1: F1 is the harmonic mean of precision and recall. With more than two classes it is computed for each class and averaged.
//   - auc: AUC is the area under the ROC curve of the decisions: the probability that a row of the second class scores above a row of the first. With more than two classes it is computed for each class against the others and averaged.
//   - nauc: NAUC is the mean of the ROC curve over the false acceptance rates up to a limit: nauc(0.05) up to 0.05, and nauc alone up to 0.1. nauc(2, area=4) counts false alarms for each unit of an area of 4 units, up to 2. With more than two classes it is computed for each class against the others and averaged.
//   - far: FAR, the false acceptance rate, is the share of the rows of the first class that are predicted to be of the second. With more than two classes it is computed for each class against the others and averaged.
//   - frr: FRR, the false rejection rate, is the share of the rows of the second class that are predicted to be of the first. With more than two classes it is computed for each class against the others and averaged.
//   - eer: EER, the equal error rate, is what the false acceptance and the false rejection rate are for the threshold of the decisions that makes them equal. With more than two classes it is computed for each class against the others and averaged.
//   - mae: MAE is the mean absolute error: the mean absolute difference of predicted and true labels or targets.
//   - rmse: RMSE is the root of the mean squared error, the squared difference of predicted and true targets.
//   - r2: R2 is the coefficient of determination, 1 - squared error / squared deviation of the targets from their mean. It is 1 for perfect predictions and 0 for predictions that are always the mean.
package reference
