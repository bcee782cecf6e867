// SPDX-License-Identifier: Apache-2.0
// Dictionaries of classes and of levels: values derived by hand, falling objectives, gradients, and the
// objective as a function of the kernels' weights.
#include <algorithm>

#include "kernel/algebra/algebra.hpp"
#include "machine/class_dictionary/incoherent_atoms.hpp"
#include "machine/class_dictionary/projective_pairs.hpp"
#include "machine/level_dictionary/hyperline_levels.hpp"
#include "model/dictionary/class_reconstruction.hpp"
#include "model/dictionary/level_codes.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "pipeline/score.hpp"
#include "solve/smooth/trace_ratio.hpp"
#include "trained.hpp"

namespace dk::test::class_dictionary_test {
namespace {

LargeMatrix large(const Matrix& values) {
    LargeMatrix copy(values.rows(), values.cols());
    copy.view() = values;
    return copy;
}

/// Rows of two classes, ordered by class, and their matrices under some kernels.
struct Rows {
    static constexpr Index size = 24;
    Dataset data = ordered(7);
    Bank bank = normalised_bank(data);
    MemoryBudget budget{0};
    BegunControl control;
    BankMatrices stream{bank, data, budget, control};
    std::vector<ClassRange> classes{{0, 14}, {14, 10}};

    static Dataset ordered(std::uint64_t seed) {
        auto values = normal_values(3 * size, seed);
        std::vector<std::int64_t> labels;
        for (Index i = 0; i < size; ++i) {
            labels.push_back(i < 14 ? 0 : 1);
            values[3 * i] += i < 14 ? 0 : 1.5;
        }
        return with_labels(dense(size, 3, values), labels);
    }
    static Bank normalised_bank(const Dataset& data) {
        return make_bank("[rbf(gamma=0.2), rbf(gamma=1), laplacian(gamma=0.3), cauchy(gamma=2)]", data);
    }
    LargeMatrix mean() { return stream.combined(Vector::Constant(4, 0.25)); }
};

/// The objective is beta' Q beta + b' beta and a constant, where atoms stay.
template <typename Learning>
void expect_objective_of_weights(Rows& rows, LargeMatrix& gram, Learning& learning) {
    const QuadraticObjective quadratic = learning.of_weights();
    Matrix v(4, quadratic.length);
    Vector b(4);
    rows.stream.read([&](Index l, const ConstMatrixView& kernel) {
        Vector own(quadratic.length);
        b[l] = quadratic.terms(kernel, own);
        v.row(l) = own.transpose();
    });
    const Matrix Q = v * v.transpose();
    const auto predicted = [&](const Vector& beta) { return beta.dot(Q * beta) + b.dot(beta); };
    const Vector equal = Vector::Constant(4, 0.25);
    const double constant = learning.objective() - predicted(equal);
    for (const Vector& beta :
         {Vector(Vector::Unit(4, 2)), Vector((Vector(4) << .5, .1, .3, .1).finished())}) {
        gram = rows.stream.combined(beta);
        EXPECT_NEAR(learning.objective(), predicted(beta) + constant, 1e-9);
    }
}

TEST(ProjectivePairs, NoBlockRaisesTheObjectiveAndAtomsKeepTheirBound) {
    Rows rows;
    const LargeMatrix gram = rows.mean();
    ProjectivePairs learning(gram, rows.classes, {}, rows.control);
    learning.initialise(4);
    double before = learning.objective();
    const auto expect_fall = [&] {
        const double now = learning.objective();
        EXPECT_LE(now, before * (1 + 1e-12));
        before = now;
    };
    for (int iteration = 0; iteration < 15; ++iteration) {
        learning.move_analysis();
        expect_fall();
        learning.move_codes();
        expect_fall();
        learning.move_atoms();
        expect_fall();
        for (const ClassAtoms& q : learning.classes()) EXPECT_LE(atom_lengths(gram, q).maxCoeff(), 1 + 1e-9);
    }
}

TEST(ProjectivePairs, TheObjectiveIsQuadraticInTheWeights) {
    Rows rows;
    LargeMatrix gram = rows.mean();
    ProjectivePairs learning(gram, rows.classes, {}, rows.control);
    learning.initialise(4);
    learning.step();
    learning.step();
    expect_objective_of_weights(rows, gram, learning);
}

/// Without the terms of analysis and rank, atoms and codes minimise the reconstruction error alone, whose
/// least value is the sum of the smallest eigenvalues.
TEST(ProjectivePairs, WithoutItsTermsIsKernelPrincipalComponents) {
    Matrix K(3, 3);
    K << 1, .5, .2, .5, 1, .4, .2, .4, 1;
    const double limits[2] = {1.253558338533, 0.447562444266};
    for (Index atoms = 1; atoms <= 2; ++atoms) {
        BegunControl control;
        const LargeMatrix gram = large(K);
        ProjectivePairs learning(gram, {{0, 3}}, {.tau = 1e-12, .lambda = 0, .gamma = 1e-4, .nu = 0},
                                 control);
        learning.initialise(atoms);
        for (int iteration = 0; iteration < 3000; ++iteration) {
            learning.move_codes();
            learning.move_atoms();
        }
        EXPECT_NEAR(reconstruction_error(gram, learning.classes()[0]), limits[atoms - 1], 1e-8);
    }
}

TEST(ProjectivePairs, ABoundedAtomIsThatDerivedByHand) {
    Matrix K(3, 3);
    K << 1, .5, .2, .5, 1, .4, .2, .4, 1;
    const LargeMatrix gram = large(K);
    BegunControl control;
    ProjectivePairs learning(gram, {{0, 3}}, {}, control);
    learning.initialise(1);
    std::vector<ClassAtoms> atoms = learning.classes();
    atoms[0].codes << 1, .5, .2;
    learning.restore(atoms);
    learning.move_atoms();
    const Vector expected = (Vector(3) << .716114874039, .358057437020, .143222974808).finished();
    EXPECT_LT((learning.classes()[0].atoms.col(0) - expected).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_NEAR(reconstruction_error(gram, learning.classes()[0]), 1.497151991246, 1e-11);
}

TEST(IncoherentAtoms, NoBlockRaisesTheObjective) {
    Rows rows;
    const LargeMatrix gram = rows.mean();
    IncoherentAtoms learning(gram, rows.classes, {.atoms_of_row = 2, .eta = .3}, rows.control);
    learning.initialise(4);
    double before = learning.objective();
    for (int iteration = 0; iteration < 15; ++iteration) {
        learning.code_rows();
        const double coded = learning.objective();
        EXPECT_LE(coded, before * (1 + 1e-12));
        learning.move_atoms();
        before = learning.objective();
        EXPECT_LE(before, coded * (1 + 1e-12));
        for (const ClassAtoms& q : learning.classes()) {
            EXPECT_LT((atom_lengths(gram, q).array() - 1).abs().maxCoeff(), 1e-12);
            EXPECT_LE((q.codes.array() != 0).colwise().count().maxCoeff(), 2);
        }
    }
}

TEST(IncoherentAtoms, TheGradientIsThatOfFiniteDifferences) {
    Rows rows;
    const LargeMatrix gram = rows.mean();
    IncoherentAtoms learning(gram, rows.classes, {.atoms_of_row = 2, .eta = .3}, rows.control);
    learning.initialise(3);
    learning.step();
    const std::vector<ClassAtoms> atoms = learning.classes();
    const double h = 1e-6;
    for (Index q = 0; q < 2; ++q) {
        const Matrix gradient = learning.gradient(q);
        for (Index i = 0; i < 5; ++i) {
            const auto shifted = [&](double by) {
                std::vector<ClassAtoms> moved = atoms;
                moved[q].atoms(i, 1) += by;
                learning.restore(moved);
                return learning.objective();
            };
            EXPECT_NEAR((shifted(h) - shifted(-h)) / (2 * h), gradient(i, 1), 1e-7);
        }
        learning.restore(atoms);
    }
}

TEST(IncoherentAtoms, TheObjectiveIsQuadraticInTheWeights) {
    Rows rows;
    LargeMatrix gram = rows.mean();
    IncoherentAtoms learning(gram, rows.classes, {.atoms_of_row = 3, .eta = .2}, rows.control);
    learning.initialise(4);
    learning.step();
    expect_objective_of_weights(rows, gram, learning);
}

TEST(ClassDictionary, WeightsNeverRaiseTheObjective) {
    for (const bool diverse : {false, true}) {
        Rows rows;
        LargeMatrix gram;
        ProjectivePairs learning(gram, rows.classes, {}, rows.control);
        const QuadraticWeighingOptions weighing{.diverse = diverse};
        const BankFacts facts(rows.stream, weighing.sketch_size(), rows.budget, rows.control);
        const auto result =
            learn_class_dictionary(learning, gram, rows.stream, facts, {.atoms = 4, .weighing = weighing},
                                   rows.budget, rows.control);
        EXPECT_NEAR(result.weights.sum(), 1, 1e-12);
        EXPECT_GE(result.weights.minCoeff(), 0);
        for (const auto& [name, value] : result.report.entries()) {
            if (name != "objectives") continue;
            const auto& objectives = std::get<std::vector<double>>(value);
            ASSERT_GE(objectives.size(), 3U);
            // With the penalty of alike kernels, the first step of weights chooses how much it counts.
            for (std::size_t t = 2; t < objectives.size(); ++t)
                EXPECT_LE(objectives[t], objectives[t - 1] * (1 + 1e-12));
        }
    }
}

TEST(HyperlineLevels, LeaveLessEnergyLevelByLevel) {
    Rows rows;
    const LargeMatrix gram = rows.mean();
    const LevelDictionary learned = learn_levels(gram.view(), 6, 3, 0, rows.control);
    ASSERT_EQ(learned.levels(), 6);
    for (std::size_t level = 1; level < learned.energies.size(); ++level)
        EXPECT_LT(learned.energies[level], learned.energies[level - 1]);
    // What is left is what the codes do not reconstruct.
    const Matrix rest = Matrix::Identity(Rows::size, Rows::size) - learned.atoms * learned.codes.transpose();
    const double energy = (rest.transpose() * gram.view() * rest).trace() / gram.view().trace();
    EXPECT_NEAR(energy, learned.energies.back(), 1e-10);
    // Atoms have length 1, and a training row's code is what the rule finds for it.
    const Matrix products = learned.atoms.transpose() * gram.view() * learned.atoms;
    EXPECT_LT((products.diagonal().array() - 1).abs().maxCoeff(), 1e-9);
    for (Index i = 0; i < Rows::size; ++i) {
        const Vector of_row = learned.atoms.transpose() * gram.view().col(i);
        const Vector code = level_code(products, learned.begins, of_row);
        EXPECT_LT((code - learned.codes.row(i).transpose()).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(TraceRatio, RisesToTheMaximumDerivedByHand) {
    const Vector b = (Vector(4) << 1, .9, .5, .2).finished();
    const Vector w = (Vector(4) << 1, .8, .6, .5).finished();
    const auto vertex = maximise_trace_ratio(b, w, 0);
    EXPECT_EQ(vertex.x[1], 1);
    EXPECT_NEAR(vertex.ratio, 1.125, 1e-12);
    EXPECT_NEAR(maximise_trace_ratio(b, w, .05).ratio, 1.09375, 1e-12);
    const auto several = maximise_trace_ratio(b, w, .5);
    const Vector expected = (Vector(4) << .363278559546, .533333333333, .103388107121, 0).finished();
    EXPECT_LT((several.x - expected).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_NEAR(several.ratio, .925136934468, 1e-12);
    ASSERT_GE(several.ratios.size(), 4U);
    EXPECT_NEAR(several.ratios[0], .810344827586, 1e-12);
    EXPECT_NEAR(several.ratios[1], .923925715431, 1e-12);
    EXPECT_NEAR(several.ratios[2], .925136796744, 1e-12);
}

/// The means of centred classes have squares that are rounding alone, about half of them negative. A square
/// that an indefinite kernel makes negative is none of that.
TEST(PrototypeDictionary, SquaresThatAreRoundingAreZero) {
    BegunControl control;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        auto values = normal_values(2 * 3 * 15, seed);
        for (Index c = 0; c < 2; ++c) {
            for (Index k = 0; k < 3; ++k) {
                double sum = 0;
                for (Index i = 0; i < 15; ++i) sum += values[(15 * c + i) * 3 + k];
                for (Index i = 0; i < 15; ++i) values[(15 * c + i) * 3 + k] -= sum / 15;
            }
        }
        std::vector<std::int64_t> labels(30, 0);
        std::fill(labels.begin() + 15, labels.end(), 1);
        const Dataset data = with_labels(dense(30, 3, values), labels);
        Matrix means = Matrix::Zero(30, 2);
        means.col(0).head(15).setConstant(1.0 / 15);
        means.col(1).tail(15).setConstant(1.0 / 15);
        const auto rule = std::make_shared<const ClassReconstruction>(1);
        const auto made_with = [&](const char* kernel, Precision precision) {
            const LearnedPrototypes learned{
                .kernel = make_kernel(kernel, data),
                .coefficients = ConstMatrixView(means.data(), 30, 2, Eigen::OuterStride<>(2)),
                .rule = rule};
            return make_prototype_dictionary(learned, data, precision, 1, control);
        };
        for (const Precision precision : {Precision::real64, Precision::real32}) {
            const auto made = made_with("linear", precision);
            for (const double square : made->prototypes().squared_norms) EXPECT_GE(square, 0);
            EXPECT_THROW(made_with("sigmoid(gamma=0.01,coef0=-1)", precision), Error);
        }
    }
}

/// Eighty of two hundred columns tell five classes a little each, and under a mean kernel of all columns most
/// of a row is what it has in common with every other.
Dataset rows_that_are_mostly_alike(std::uint64_t seed) {
    constexpr Index rows = 200;
    constexpr Index columns = 200;
    constexpr Index classes = 5;
    auto values = normal_values(rows * columns, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const Index c = i % classes;
        labels.push_back(c);
        for (Index j = 0; j < 80; ++j)
            values[i * columns + j] += 0.6 * static_cast<double>(c * (j + 1) * 7 % classes);
    }
    return with_labels(dense(rows, columns, values), labels);
}

TEST(LevelDictionary, TellsClassesByWhatTheFirstLevelsLeave) {
    const Dataset data = rows_that_are_mostly_alike(31);
    const Dataset others = rows_that_are_mostly_alike(32);
    const Model model = trained("dkmld", data, {{"kernel", "each_feature(rbf(gamma=mean))"}});
    BegunControl control;
    const auto predicted = predictions(model, others, control);
    Index right = 0;
    for (Index i = 0; i < others.rows(); ++i) right += predicted[i] == static_cast<double>(i % 5) ? 1 : 0;
    EXPECT_GE(right, 180) << "of " << others.rows();
}

}  // namespace
}  // namespace dk::test::class_dictionary_test
