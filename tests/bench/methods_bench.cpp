// SPDX-License-Identifier: Apache-2.0
//
// This program measures what the papers' methods cost beside what they are made of: weights of multiple
// kernel learning against the kernel matrices, ridge machines against the installed LAPACK's Cholesky,
// super-sparse against support vector prediction, a million rows by Falkon and by weights of kernels with
// features, and how the seconds of weights and of prototype machines grow with the rows.
//
//     dk_methods_bench [threads [dimkl | mklgl | mklgl_rows | weights | ridge | sparse | falkon | prototypes
//     |
//                       MACHINE]...]
//
// MACHINE is one of those of prototypes: imkpl, mkldpl, kglvq or prototype_selection.
#include <dlfcn.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>

#include "base/large_array.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"
#include "model/model.hpp"
#include "pipeline/prototypes/compress.hpp"
#include "pipeline/train.hpp"
#include "weights/strategy/strategy.hpp"

namespace {

using namespace dk;

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class BenchControl : public Control {
  public:
    explicit BenchControl(int threads) {
        set_threads(threads);
        begin();
    }
};

/// Makes two Gaussian classes, some way apart.
Dataset two_classes(Index rows, Index cols, double apart, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    DenseMatrix matrix{rows, cols};
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        for (Index j = 0; j < cols; ++j)
            matrix.values.push_back(normal(generator) + apart * static_cast<double>(i % 2));
    }
    Dataset data(std::move(matrix));
    data.labels = labels_from_integers(labels);
    return data;
}

KernelWeights weigh(const std::string& text, const Bank& bank, const Dataset& data, Control& control,
                    const MachineLoss& loss = {}) {
    const auto specification = parse_weights(text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, 1, 1, MemoryBudget(0), control, {}, loss});
}

double gap_of(const KernelWeights& found) {
    for (const auto& [name, value] : found.report.entries()) {
        if (name == "gap") return std::get<double>(value);
    }
    return 1;
}

double peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

Model learn(const char* machine, const Dataset& data, Control& control,
            const std::vector<std::pair<std::string, std::string>>& parameters) {
    auto settings = default_specification(machine);
    for (const auto& [key, value] : parameters) set_parameter(settings, key, value);
    return train(data, settings, control);
}

/// Times DiMKL on 20 kernels of 10,000 rows, and their matrices alone, which are a part of its work.
void bench_dimkl(int threads) {
    BenchControl control(threads);
    const Dataset data = two_classes(10000, 20, 0.5, 1);
    const Bank bank = make_bank(
        "grid(rbf, "
        "gamma=0.001:0.002:0.004:0.007:0.01:0.015:0.02:0.03:0.04:0.05:0.07:0.1:0.15:0.2:0.3:0.4:0.5:"
        "0.7:1:2)",
        data);
    LargeArray<double> matrix(data.rows() * data.rows());
    const double matrices = seconds_of([&] {
        for (const auto& kernel : bank)
            GramEngine<double>(kernel, data, data, &control).matrices(matrix.data(), control);
    });
    weigh("dimkl1", bank, data, control);  // The first run touches its memory, and is not measured.
    std::printf("kernel matrices, 20 of 10000 x 10000: %.2f s\n", matrices);
    for (const char* name : {"dimkl1", "dimkl2", "dimkl3", "dimkl4", "dimkl5"}) {
        const double all = seconds_of([&] { weigh(name, bank, data, control); });
        std::printf("  %s: %.2f s, beside the matrices %.2f of their time\n", name, all,
                    (all - matrices) / matrices);
    }
}

void bench_mklgl(int threads) {
    BenchControl control(threads);
    for (const double apart : {0.7, 1.5}) {
        const Dataset data = two_classes(5000, 10, apart, 2);
        const Bank bank = make_bank("grid(rbf, gamma=0.002:0.02:0.1:0.5:2)", data);
        for (const char* text : {"mklgl(p=1)", "mklgl", "mklgl(p=2)"}) {
            KernelWeights found;
            const double seconds = seconds_of([&] { found = weigh(text, bank, data, control); });
            std::printf(
                "%s, 5 kernels, 5000 rows, classes %.1f apart: %.2f s to a gap of %.1e (the paper: 10.1)\n",
                text, apart, seconds, gap_of(found));
        }
    }
}

constexpr const char* five_widths =
    "lowrank([rbf(gamma=0.005),rbf(gamma=0.02),rbf(gamma=0.05),rbf(gamma=0.1),rbf(gamma=0.3)],rank=50)";

/// Times weights of five kernels with 50 features each for squared slack, on a million rows, landmarks apart,
/// and a machine that is trained with them from the beginning.
void bench_mklgl_rows(int threads) {
    BenchControl control(threads);
    for (const Index rows : {100000, 1000000}) {
        const Dataset data = two_classes(rows, 20, 0.3, 9);
        Bank bank;
        const double landmarks = seconds_of([&] { bank = make_bank(five_widths, data, &control); });
        std::ranges::transform(bank, bank.begin(), normalised);
        KernelWeights found;
        const double seconds = seconds_of(
            [&] { found = weigh("mklgl", bank, data, control, {.errors = ErrorLoss::squared_hinge}); });
        std::printf(
            "mklgl of squared slack, %td x 20, 5 kernels of rank 50: %.1f s to a gap of %.1e, landmarks %.1f "
            "s, peak memory %.0f MiB\n",
            rows, seconds, gap_of(found), landmarks, peak_mebibytes());
        std::fflush(stdout);
        const double all = seconds_of([&] {
            learn("svm", data, control,
                  {{"loss", "squared_hinge"},
                   {"kernel", five_widths},
                   {"weights", "mklgl"},
                   {"neighbours", "0"}});
        });
        std::printf("  and the support vector machine with them, landmarks among it: %.1f s, %.0f MiB\n", all,
                    peak_mebibytes());
        std::fflush(stdout);
    }
}

constexpr const char* ten_widths = "grid(rbf, gamma=0.002:0.005:0.01:0.02:0.05:0.1:0.2:0.5:1:2)";
constexpr const char* twenty_widths =
    "grid(rbf, "
    "gamma=0.001:0.002:0.004:0.007:0.01:0.015:0.02:0.03:0.04:0.05:0.07:0.1:0.15:0.2:0.3:0.4:0.5:0.7:1:2)";

/// Prints the seconds of a piece of work for each number of rows, and the power of the rows by which they
/// grow.
void print_growth(const std::string& name, std::initializer_list<Index> sizes,
                  const std::function<double(const Dataset&)>& seconds_for) {
    std::printf("%s:", name.c_str());
    double before = 0;
    double before_rows = 0;
    for (const Index rows : sizes) {
        const double seconds = seconds_for(two_classes(rows, 20, 0.3, 8));
        std::printf(" %td rows %.4g s", rows, seconds);
        if (before > 0)
            std::printf(" (power %.1f)",
                        std::log(seconds / before) / std::log(static_cast<double>(rows) / before_rows));
        std::printf(rows == *(sizes.end() - 1) ? "\n" : ",");
        std::fflush(stdout);
        before = seconds;
        before_rows = static_cast<double>(rows);
    }
}

/// Times every strategy as the rows grow: those of Table 10 of the DiMKL paper with five kernels, and the
/// others with the banks that their users have. An index of n rows reads n^2 / 4 values of each quadrant.
void bench_weights(int threads) {
    BenchControl control(threads);
    const auto weigh_bank = [&](const std::string& strategy, const char* kernels) {
        return [&control, strategy, kernels](const Dataset& data) {
            const Bank bank = make_bank(kernels, data);
            return seconds_of([&] { weigh(strategy, bank, data, control); });
        };
    };
    for (const char* name :
         {"dimkl1", "dimkl2", "dimkl3", "dimkl4", "dimkl5", "dimkl6", "mklgl(p=1)", "mklgl"})
        print_growth(name, {500, 1000, 5000, 10000},
                     weigh_bank(name, "grid(rbf, gamma=0.002:0.02:0.1:0.5:2)"));
    print_growth("umkl, 20 kernels", {1250, 2500, 5000}, weigh_bank("umkl", twenty_widths));
    const auto learn_in = [&](const char* machine, const char* weights) {
        return [&control, machine, weights](const Dataset& data) {
            return seconds_of([&] {
                learn(machine, data, control,
                      {{"kernel", ten_widths}, {"weights", weights}, {"neighbours", "0"}});
            });
        };
    };
    print_growth("defimkl, 10 kernels", {250, 500, 1000}, learn_in("defimkl", "uniform"));
    print_growth("gamkl and svm, 10 kernels", {250, 500, 1000}, learn_in("svm", "gamkl"));
}

/// Times three layers of DMMlKL before a core vector machine: unsupervised weights for three kernels, a tenth
/// of the rows as kernel principal components, and the quarter of these with the largest F statistic.
void bench_layers(int threads) {
    BenchControl control(threads);
    const std::string layer =
        "kernel_pca([rbf, normalize(arccos(0,1)), rbf(gamma=0.1*auto)], weights=umkl, components=0.1), "
        "anova_f(0.25)";
    const std::string layers = "[" + layer + ", " + layer + ", " + layer + "]";
    print_growth("cvm after three layers of three kernels", {1250, 2500, 5000}, [&](const Dataset& data) {
        return seconds_of([&] {
            learn("cvm", data, control,
                  {{"kernel", "arccos(0,1)"}, {"layers", layers}, {"C", "100"}, {"neighbours", "0"}});
        });
    });
}

using Potrf = void (*)(const char*, const int*, double*, const int*, int*);
using SetThreads = void (*)(int);

/// Times dpotrf of the installed library on the kernel matrix and its ridge.
double lapack_seconds(const Dataset& data, int threads, Control& control) {
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 0;
    const auto factor = reinterpret_cast<Potrf>(dlsym(library, "dpotrf_"));
    const auto set_threads = reinterpret_cast<SetThreads>(dlsym(library, "openblas_set_num_threads"));
    if (factor == nullptr) return 0;
    if (set_threads != nullptr) set_threads(threads);
    const Index n = data.rows();
    LargeArray<double> matrix(n * n);
    GramEngine<double>(make_kernel("rbf(gamma=0.05)", data), data, data, &control)
        .matrices(matrix.data(), control);
    for (Index i = 0; i < n; ++i) matrix[i * n + i] += 0.1;
    const int order = static_cast<int>(n);
    int info = 0;
    return seconds_of([&] { factor("U", &order, matrix.data(), &order, &info); });
}

void bench_ridge(int threads) {
    BenchControl control(threads);
    const Dataset data = two_classes(15000, 20, 0.5, 3);
    const double ours = seconds_of([&] {
        learn("kelm", data, control, {{"C", "10"}, {"kernel", "rbf(gamma=0.05)"}, {"neighbours", "0"}});
    });
    const double theirs = lapack_seconds(data, threads, control);
    std::printf(
        "kelm, 15000 rows, all of its training: %.1f s; dpotrf alone of the installed LAPACK: %.1f s "
        "(%.2f)\n",
        ours, theirs, ours / theirs);
}

void bench_sparse(int threads) {
    BenchControl control(threads);
    const Dataset data = two_classes(20000, 16, 0.6, 4);
    const Dataset test = two_classes(50000, 16, 0.6, 5);
    const Model full = learn("svm", data, control, {{"C", "1"}, {"kernel", "rbf(gamma=0.05)"}});
    auto settings = default_specification("super_sparse");
    set_parameter(settings, "prototypes", "30");
    set_parameter(settings, "max_iterations", "30");
    Model small;
    const double compressing = seconds_of([&] { small = compress(full, data, settings, control); });
    double before = 1e300;
    double after = 1e300;
    std::vector<double> decided;
    for (int repeat = 0; repeat < 5; ++repeat) {
        before = std::min(before, seconds_of([&] { decided = decisions(full, test, control); }));
        after = std::min(after, seconds_of([&] { decided = decisions(small, test, control); }));
    }
    std::printf(
        "predicting 50000 rows: svm with %td support rows %.4f s, compressed to 30 prototypes %.4f s (%.0f "
        "times faster); compressing %.1f s\n",
        full.predictor->support_count(), before, after, before / after, compressing);
}

void bench_falkon(int threads) {
    BenchControl control(threads);
    for (const Index rows : {100000, 1000000}) {
        const Dataset data = two_classes(rows, 20, 0.5, 6);
        const double seconds = seconds_of([&] {
            learn(
                "kelm", data, control,
                {{"C", "1"}, {"kernel", "rbf(gamma=0.02)"}, {"landmarks", "1000"}, {"max_iterations", "15"}});
        });
        std::printf("kelm by Falkon, %td x 20, 1000 landmarks, 15 steps: %.1f s, peak memory %.0f MiB\n",
                    rows, seconds, peak_mebibytes());
    }
}

struct GrowthCase {
    const char* machine;
    const char* kernel;
    const char* steps;  // what the machine's report calls the passes that it made
    Index rows;
    Index cols;
};

/// Times a prototype machine on a quarter, half and all of its rows. Each size takes the least of some runs,
/// unless they are long, since others may use the machine; the passes are printed too, because a machine that
/// stops by itself needs more of them for some sizes, and that is no growth of its steps.
void bench_growth(const GrowthCase& what, int threads) {
    constexpr int repeats = 3;
    constexpr double long_enough = 10;  // seconds
    BenchControl control(threads);
    double before = 0;
    for (const Index part : {4, 2, 1}) {
        const Dataset data = two_classes(what.rows / part, what.cols, 0.3, 7);
        Model model;
        double least = 1e300;
        double all = 0;
        for (int repeat = 0; repeat < repeats && all < long_enough; ++repeat) {
            const double seconds = seconds_of([&] {
                model = learn(what.machine, data, control, {{"kernel", what.kernel}});
            });
            least = std::min(least, seconds);
            all += seconds;
        }
        std::printf("%s, %td x %td: %.2f s", what.machine, data.rows(), what.cols, least);
        const auto report = nlohmann::json::parse(model.training_report);
        std::printf(", %d %s", report.at(what.steps).get<int>(), what.steps);
        if (before > 0) std::printf(", growing with the power %.1f of the rows", std::log2(least / before));
        std::printf("\n");
        std::fflush(stdout);  // Long ones are read while the next ones run.
        before = least;
    }
}

constexpr const char* columns_apart = "each_feature(rbf(gamma=mean))";
constexpr GrowthCase growth_cases[] = {
    {"imkpl", columns_apart, "iterations", 2000, 100},
    {"mkldpl", columns_apart, "iterations", 2000, 100},
    {"kglvq", "rbf(gamma=0.05)", "epochs", 10000, 20},
    {"prototype_selection", "rbf(gamma=0.05)", "prototypes", 5000, 20},
};

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    const std::set<std::string> wanted(argv + std::min(argc, 2), argv + argc);
    const auto run = [&](const char* name, void (*bench)(int)) {
        if (wanted.empty() || wanted.contains(name)) bench(threads);
    };
    run("falkon", bench_falkon);  // It runs first, because the memory reported is that of the process.
    run("mklgl_rows", bench_mklgl_rows);
    run("dimkl", bench_dimkl);
    run("mklgl", bench_mklgl);
    run("weights", bench_weights);
    run("layers", bench_layers);
    run("ridge", bench_ridge);
    run("sparse", bench_sparse);
    for (const GrowthCase& what : growth_cases) {
        if (wanted.empty() || wanted.contains("prototypes") || wanted.contains(what.machine))
            bench_growth(what, threads);
    }
    return 0;
}
