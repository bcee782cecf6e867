// SPDX-License-Identifier: Apache-2.0
// UMKL weighs kernels without labels: each row shall be reconstructed from its neighbours, each of them
// multiplied by its kernel value, and rows that a kernel holds for alike shall be near each other,
//
//     (1)  J = 1/2 sum_i |x_i - sum_{j in B_i} k_ij x_j|^2 + gamma sum_i sum_{j in B_i} k_ij |x_i - x_j|^2,
//
// with k_ij = sum_t mu_t k_t(x_i, x_j) and mu on the simplex. For given neighbours this is a quadratic
// program,
//
//     (2)  2 J = mu'W mu + z'mu + |X|^2,   W_tu = sum_i r_ti.r_ui,   r_ti = sum_{j in B_i} k_t,ij x_j,
//          z_t = 2 gamma sum_i sum_{j in B_i} k_t,ij |x_i - x_j|^2 - 2 sum_i x_i.r_ti.
//
// sum_j k_ij need not be 1, so that J depends on the origin, which is the mean of the rows. With
// `rows=normalise` each k_t,ij is divided by the sum of its row over the neighbours, and r_ti and x_i count
// from x_i: then J does not depend on the origin. With `rows=average` every kernel is divided by the number
// of neighbours. (The authors' W is printed as an n x n sum, which (2) mends.)
//
// With `alternate=yes` the neighbours are chosen anew for the weights that were found: the part of J of row i
// is d'Qd + c'd in the indicator d of B_i, with Q_tj = k_it k_ij x_t.x_j and c_j = 2 gamma k_ij |x_i - x_j|^2
// - 2 k_ij x_i.x_j, and rows join greedily. A row keeps its neighbours unless its part falls.
//
//     letter     name
//     X          x_, one row a row, less the mean
//     B_i        neighbours_[i], B of them
//     W, z       W_, z_
//     r_ti       the rows of R
//
// J. Zhuang, J. Wang, S. C. H. Hoi, X. Lan, Unsupervised multiple kernel learning, ACML 2011, for (1) and the
// alternation; I. Rebai, Y. BenAyed, W. Mahdi, Deep multilayer multiple kernel learning, Neural Computing and
// Applications 27, 2016, for its use in layers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/select.hpp"
#include "matrix/product.hpp"
#include "solve/smooth/diverse_simplex.hpp"
#include "weights/bank_rows.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

enum class RowScale { literal, normalise, average };

}  // namespace

namespace parameter {
constexpr IntegerKey neighbours{
    "neighbours",
    10,
    {1, 10000},
    "Each row is reconstructed from so many nearest rows, and from fewer where there are not so many."};
constexpr RealKey distances{
    "gamma",
    0.1,
    {0, 1e6},
    "Distances between rows that a kernel holds for alike count so many times beside the errors of "
    "reconstruction."};
constexpr ChoiceKey<RowScale> row_scale{
    "rows",
    {"literal", "normalise", "average"},
    "Kernel values of a row are those of the kernel, as the authors have it (literal), divided by their sum "
    "over the neighbours (normalise), or divided by the number of neighbours (average)."};
constexpr FlagKey alternate{"alternate", false,
                            "With yes, neighbours and weights are chosen in turns until neither changes."};
}  // namespace parameter

namespace {

constexpr int most_rounds = 10;
constexpr double least_fall = 1e-6;

class Reconstruction {
  public:
    explicit Reconstruction(const WeightProblem& problem)
        : problem_(problem),
          data_(with_dense_rows(sampled_rows(problem.data, problem.seed), 4, problem.budget)),
          gamma_(problem.parameters[parameter::distances]),
          scale_(problem.parameters[parameter::row_scale]) {
        if (data_.kind() != DataKind::dense)
            fail(Status::unsupported, "weights=umkl reconstructs dense rows; the data are ",
                 name_of(data_.kind()));
        if (data_.rows() < 3)
            fail(Status::invalid_data, "weights=umkl needs at least 3 rows; there are ", data_.rows());
        const Index count = std::min(problem.parameters[parameter::neighbours], data_.rows() - 2);
        problem.budget.require(8.0 * data_.rows() * (3 * data_.cols() + 3 * count), "weights=umkl");
        x_ = view(data_.dense().values.data(), data_.rows(), data_.cols());
        x_.rowwise() -= x_.colwise().mean().eval();
        squares_ = x_.rowwise().squaredNorm();
        find_neighbours(count);
    }

    KernelWeights run() {
        std::vector<double> objectives;
        std::int64_t rounds = 0;
        bool converged = false;
        while (true) {
            const ProgressScope scope(problem_.control, 1.0 * rounds / most_rounds,
                                      (rounds + 1.0) / most_rounds);
            find_program();
            solve();
            objectives.push_back(objective());
            ++rounds;
            const bool falls =
                objectives.size() < 2 || objectives.end()[-2] - objectives.back() >
                                             least_fall * std::max(std::abs(objectives.end()[-2]), 1e-300);
            converged = !problem_.parameters[parameter::alternate] || !falls || !choose_neighbours();
            if (converged || rounds == most_rounds) break;
        }
        KernelWeights out;
        out.weights.assign(weights_.begin(), weights_.end());
        out.report.add("objective", objectives.back())
            .add("objectives", objectives)
            .add("rounds", rounds)
            .add("converged", converged && solved_)
            .add("rows", static_cast<std::int64_t>(data_.rows()));
        return out;
    }

  private:
    Index kernels() const { return std::ssize(problem_.bank); }
    bool from_row() const { return scale_ == RowScale::normalise; }

    /// Finds the nearest rows of each row, the first of equal ones.
    void find_neighbours(Index count) {
        neighbours_.assign(x_.rows(), {});
        parallel_for_rows(x_.rows(), x_.size(), problem_.control, [&](Index i) {
            Vector distances(x_.rows());
            for (Index j = 0; j < x_.rows(); ++j) distances[j] = (x_.row(i) - x_.row(j)).squaredNorm();
            distances[i] = infinity;
            std::vector<Index> order(x_.rows());
            std::iota(order.begin(), order.end(), Index{0});
            std::ranges::partial_sort(order, order.begin() + count, {},
                                      [&](Index j) { return std::pair(distances[j], j); });
            order.resize(count);
            std::ranges::sort(order);
            neighbours_[i] = std::move(order);
        });
    }

    /// What one row adds to W and z.
    struct Part {
        Matrix W;
        Vector z;
    };

    /// Gives the values k_t,ij of the neighbours of a row, kernels x neighbours.
    Matrix neighbour_values(BankRows& rows, Index r, const std::vector<Index>& chosen) const {
        Matrix values(kernels(), std::ssize(chosen));
        for (Index t = 0; t < values.rows(); ++t) {
            values.row(t) = rows.of_kernel(t).row(r)(chosen);
            if (scale_ == RowScale::average) values.row(t) /= static_cast<double>(values.cols());
            if (scale_ != RowScale::normalise) continue;
            const double sum = values.row(t).sum();
            // Where all values underflow the neighbours count the same.
            if (sum > 0) {
                values.row(t) /= sum;
            } else {
                values.row(t).setConstant(1.0 / static_cast<double>(values.cols()));
            }
        }
        return values;
    }

    Part part_of(Index i, const Matrix& values) const {
        const auto& chosen = neighbours_[i];
        Matrix near = x_(chosen, Eigen::all);
        const Matrix differences = near.rowwise() - x_.row(i);
        if (from_row()) near = differences;
        const Matrix R = values.lazyProduct(near);
        Part part{R.lazyProduct(R.transpose()),
                  2 * gamma_ * values.lazyProduct(differences.rowwise().squaredNorm())};
        if (!from_row()) part.z -= 2 * R.lazyProduct(x_.row(i).transpose());
        return part;
    }

    /// Computes W and z. Rows add their parts in their order.
    void find_program() {
        W_ = Matrix::Zero(kernels(), kernels());
        z_ = Vector::Zero(kernels());
        read_bank_rows(problem_.bank, data_, problem_.budget, problem_.control, [&](BankRows& rows) {
            std::vector<Part> parts(rows.count);
            parallel_for(rows.count, problem_.control, [&](Index r) {
                const Index i = rows.first + r;
                parts[r] = part_of(i, neighbour_values(rows, r, neighbours_[i]));
            });
            for (const Part& part : parts) {
                W_ += part.W;
                z_ += part.z;
            }
        });
    }

    void solve() {
        const Vector start = Vector::Constant(kernels(), 1.0 / static_cast<double>(kernels()));
        const double scale = std::max({W_.cwiseAbs().maxCoeff(), z_.cwiseAbs().maxCoeff(), 1e-300});
        std::vector<Vector> columns;
        for (Index t = 0; t < kernels(); ++t) columns.emplace_back(W_.col(t) / scale);
        const DiverseProgram program{.e = 0.5 * z_ / scale,
                                     .column = [&](Index j) -> const Vector& { return columns[j]; },
                                     .rho = 1,
                                     .kappa = 0};
        const DiverseSolution found = solve_diverse(program, start, 1e-10);
        weights_ = found.x;
        solved_ = found.converged;
    }

    /// Computes J.
    double objective() const {
        const double constant = from_row() ? 0 : x_.squaredNorm();
        return 0.5 * (weights_.dot(W_ * weights_) + z_.dot(weights_) + constant);
    }

    /// Chooses the neighbours of each row anew for the weights; false where none changes.
    bool choose_neighbours() {
        bool changed = false;
        read_bank_rows(problem_.bank, data_, problem_.budget, problem_.control, [&](BankRows& rows) {
            std::vector<char> moved(rows.count);
            parallel_for(rows.count, problem_.control, [&](Index r) {
                moved[r] = choose_neighbours_of(rows.first + r, combined_row(rows, r)) ? 1 : 0;
            });
            changed = changed || std::ranges::count(moved, 1) > 0;
        });
        return changed;
    }

    Vector combined_row(BankRows& rows, Index r) const {
        Vector k = Vector::Zero(x_.rows());
        for (Index t = 0; t < kernels(); ++t) k += weights_[t] * rows.of_kernel(t).row(r).transpose();
        if (scale_ == RowScale::average) k /= static_cast<double>(neighbours_.front().size());
        return k;
    }

    bool choose_neighbours_of(Index i, const Vector& k) {
        const Vector products = x_.lazyProduct(x_.row(i).transpose());
        const Vector c = 2 * gamma_ * k.array() * (squares_.array() - 2 * products.array() + squares_[i]) -
                         2 * k.array() * products.array();
        Vector cost = k.array().square() * squares_.array() + c.array();  // of joining
        std::vector<Index> chosen;
        cost[i] = infinity;
        while (chosen.size() < neighbours_[i].size()) {
            Index best = 0;
            cost.minCoeff(&best);
            chosen.push_back(best);
            const Vector with_best = x_.lazyProduct(x_.row(best).transpose());
            cost.array() += 2 * k[best] * k.array() * with_best.array();
            cost[best] = infinity;
        }
        std::ranges::sort(chosen);
        const auto part = [&](const std::vector<Index>& some) {
            const Vector reconstructed = x_(some, Eigen::all).transpose().lazyProduct(k(some));
            return reconstructed.squaredNorm() + c(some).sum();
        };
        const double before = part(neighbours_[i]);
        if (!(part(chosen) < before - 1e-12 * std::abs(before))) return false;
        neighbours_[i] = std::move(chosen);
        return true;
    }

    const WeightProblem& problem_;
    Dataset data_;
    double gamma_;
    RowScale scale_;
    Matrix x_;
    Vector squares_;  // |x_i|^2
    std::vector<std::vector<Index>> neighbours_;
    Matrix W_;
    Vector z_;
    Vector weights_;
    bool solved_ = true;
};

}  // namespace

WeightStrategy umkl_strategy() {
    return {.name = "umkl",
            .doc =
                "UMKL needs no labels: it finds the weights with which each row is best reconstructed "
                "from its nearest rows, multiplied by their kernel values.",
            .reference =
                "Zhuang, Wang, Hoi, Lan, Unsupervised multiple kernel learning, ACML 2011; Rebai, "
                "BenAyed, Mahdi, Deep multilayer multiple kernel learning, Neural Computing and "
                "Applications 27, 2016",
            .arguments = "",
            .parameters = {parameter::neighbours, parameter::distances, parameter::row_scale,
                           parameter::alternate},
            .normalises = true,
            .needs = Knowledge::coordinates,
            .check = nullptr,
            .weigh = [](const WeightProblem& problem) { return Reconstruction(problem).run(); }};
}

}  // namespace dk
