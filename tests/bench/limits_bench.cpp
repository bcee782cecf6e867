// SPDX-License-Identifier: Apache-2.0
//
// This program writes LIMITS.md: each job beside its limit on this machine, at rates that are measured in the
// same run, and beside the best program of its kind that is installed.
//
//     dk_limits_bench [threads [rows of the large jobs [file]]]
//
// OpenBLAS gives the rates of products; OPENBLAS_CORETYPE must name its best core, as run.sh does, where it
// does not know the processor. Peers run as whole processes that read the same file as the command dk, which
// must stand beside this program. One that is not installed is named.
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dk/dk.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "gemm_rates.hpp"
#include "memory_rates.hpp"
#include "parallel_timer.hpp"
#include "vector_rates.hpp"

namespace dk_bench {
namespace {

using Index = std::int64_t;

struct Job {
    std::string name;
    double seconds = 0;
    double limit = 0;
    std::string limit_is;  // what the limit is made of
    std::string peer = {};
};

/// Gives the least time of so many runs, or of more where they are short: other programs on the machine
/// disturb short work most.
double least_seconds(int repeats, const std::function<void()>& work) {
    constexpr double enough_seconds = 3;
    constexpr int enough_repeats = 25;
    double least = seconds_of(work);
    double all = least;
    for (int repeat = 1; repeat < repeats || (all < enough_seconds && repeat < enough_repeats); ++repeat) {
        const double seconds = seconds_of(work);
        least = std::min(least, seconds);
        all += seconds;
    }
    return least;
}

struct Rows {
    Index rows;
    Index cols;
    std::vector<double> values;
    std::vector<Index> labels;

    libdk::Data data() const {
        libdk::Data made = libdk::Data::dense({std::span(values), rows, cols});
        made.set_labels(labels);
        return made;
    }
};

/// Makes some Gaussian clouds a class, in turn, scaled to about [-1, 1].
Rows clouds(Index rows, Index cols, Index classes, Index clouds_a_class, double width) {
    std::mt19937_64 generator(3);
    std::normal_distribution<double> normal;
    std::vector<double> centres(static_cast<std::size_t>(classes * clouds_a_class * cols));
    for (double& value : centres) value = 0.4 * normal(generator);
    Rows out{rows, cols, {}, {}};
    for (Index i = 0; i < rows; ++i) {
        const Index cloud =
            static_cast<Index>(generator() % static_cast<std::uint64_t>(classes * clouds_a_class));
        out.labels.push_back(cloud % classes);
        for (Index j = 0; j < cols; ++j)
            out.values.push_back(centres[static_cast<std::size_t>(cloud * cols + j)] +
                                 width * normal(generator));
    }
    return out;
}

void write_libsvm(const Rows& rows, const std::string& path) {
    std::ofstream out(path);
    for (Index i = 0; i < rows.rows; ++i) {
        out << rows.labels[static_cast<std::size_t>(i)];
        for (Index j = 0; j < rows.cols; ++j)
            out << ' ' << j + 1 << ':' << rows.values[static_cast<std::size_t>(i * rows.cols + j)];
        out << '\n';
    }
}

/// Writes raw counts of words whose frequencies follow Zipf's law, a tenth of them words of the class.
void write_counts(const std::string& path, Index rows, Index words, Index classes) {
    std::mt19937_64 generator(3);
    std::uniform_real_distribution<double> uniform;
    std::lognormal_distribution<double> length(4.7, 0.9);
    const auto zipf = [&](Index most) {
        return static_cast<Index>(std::exp(uniform(generator) * std::log(static_cast<double>(most)))) - 1;
    };
    std::ofstream out(path);
    for (Index i = 0; i < rows; ++i) {
        const Index label = i % classes;
        std::map<Index, int> counts;
        const auto total = static_cast<Index>(std::max(5.0, length(generator)));
        for (Index word = 0; word < total; ++word) {
            const bool own = uniform(generator) < 0.1;
            const Index own_words = words / (2 * classes);
            ++counts[own ? (zipf(own_words) * classes + label) * 2 : zipf(words)];
        }
        out << label;
        for (const auto& [word, count] : counts) out << ' ' << word + 1 << ':' << count;
        out << '\n';
    }
}

/// The number of rows that a model compares others with.
Index support_rows(const libdk::Model& model) {
    const std::string info = model.info();
    const std::string key = "\"support_rows\":";
    const std::size_t at = info.find(key);
    return at == std::string::npos ? 0 : std::atoll(info.c_str() + at + key.size());
}

class Bench {
  public:
    Bench(int threads, Index large, std::string command)
        : threads_(threads),
          large_(large),
          command_(std::move(command)),
          control_({.threads = threads}),
          one_thread_({.threads = 1}),
          rates_(measure_vector_rates(threads)),
          rates_of_one_(measure_vector_rates(1)),
          gemm_(measure_gemm_rates(threads)) {
        folder_ = std::filesystem::temp_directory_path() / "dk_limits";
        std::filesystem::create_directories(folder_);
    }
    ~Bench() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void matrix() {
        const Rows rows = clouds(5000, 50, 2, 20, 0.2);
        const libdk::Data data = rows.data();
        std::vector<double> out(25000000, 0.0);
        const double pairs = 0.5 * 5000 * 5000;
        const double computing = pairs * 2 * 50 / gemm_.double_precision + pairs / rates_.exponential_double;
        const double writing = measure_writing(threads_, out.data(), 8 * out.size()).best();
        add({"kernel matrix, rbf, 5000 x 50",
             least_seconds(7, [&] { libdk::gram(std::span(out), data, "rbf(gamma=0.1)", control_); }),
             std::max(computing, writing), "products and exponentials of half the pairs, or writing all"});
    }

    void landmarks() {
        const Rows rows = clouds(large_, 20, 2, 20, 0.2);
        const libdk::Data data = rows.data();
        const double n = static_cast<double>(large_);
        const double limit = (n * 1000 * 2 * 20 + n * 1000 * 1000) / gemm_.double_precision +
                             n * 1000 / rates_.exponential_double;
        const std::string what = "values with landmarks, half of their square";
        const std::string size = std::to_string(large_) + " x 20, 1000 landmarks";
        train("ridge, " + size, data, "kernel_ridge", "kernel=rbf(gamma=0.5) landmarks=1000 neighbours=0",
              limit, what);
        train("squared hinge, " + size, data, "svm",
              "loss=squared_hinge kernel=lowrank(rbf(gamma=0.5),rank=1000,method=uniform) neighbours=0",
              limit, what);
    }

    void logistic() {
        const Rows rows = clouds(large_, 20, 2, 20, 0.2);
        const double n = static_cast<double>(large_);
        train("logistic regression, " + std::to_string(large_) + " x 20, 1000 landmarks", rows.data(), "svm",
              "loss=logistic kernel=lowrank(rbf(gamma=0.5),rank=1000,method=uniform) neighbours=0",
              (n * 1000 * 2 * 20 + n * 1000 * 1000) / gemm_.double_precision +
                  n * 1000 / rates_.exponential_double,
              "values with landmarks, half of their square");
    }

    void core_vectors() {
        const Rows rows = clouds(large_, 20, 2, 10, 0.2);
        const libdk::Data data = rows.data();
        const double n = static_cast<double>(large_);
        const libdk::Model model = train("core vector machine, gap 0.05, " + std::to_string(large_) + " x 20",
                                         data, "cvm", "C=10 kernel=rbf(gamma=1) neighbours=0", 0,
                                         "its support rows' products and exponentials with all");
        const auto support = static_cast<double>(support_rows(model));
        jobs_.back().limit = n * support * (2 * 20 / gemm_.double_precision + 1 / rates_.exponential_double);
    }

    void series() {
        for (const Index steps : {50, 200, 427, 2000}) {
            const Index columns = std::max<Index>(16, 16000 / steps / 16 * 16);
            constexpr Index lines = 16;
            const libdk::Data left = walks(lines, steps);
            const libdk::Data right = walks(columns, steps);
            const double pairs = static_cast<double>(lines * columns + lines + columns);
            add({"alignments (gak) of " + std::to_string(lines * columns) + " pairs of series of " +
                     std::to_string(steps) + " steps, one thread",
                 least_seconds(3, [&] { libdk::gram(left, right, "gak(sigma=1)", one_thread_); }),
                 pairs * static_cast<double>(steps * steps) / rates_of_one_.exponential_double,
                 "an exponential a cell"});
        }
        const libdk::Data data = walks(100, 427);
        const double alone = least_seconds(2, [&] { libdk::gram(data, "gak(sigma=1)", control_); });
        train("svm on 100 series of 427 steps", data, "svm", "kernel=gak(sigma=1)", alone,
              "its kernel matrix");
        nearest_series();
    }

    void nearest_series() {
        const std::string kernel = "dtw(gamma=1, band=42)";
        const libdk::Data training = walks(1000, 427);
        const libdk::Data others = walks(200, 427, 4);
        const libdk::Model model = libdk::Model::train(
            training, libdk::Parameters("nearest_neighbours", "kernel=" + kernel), control_);
        add({"5 nearest of 1000 series of 427 steps, band 42, for 200 series",
             least_seconds(3, [&] { model.predict(others, control_); }),
             least_seconds(2, [&] { libdk::gram(others, training, kernel, control_); }),
             "their distances from all"});
    }

    /// Trains in one precision beside the kernel matrix of all rows in the same one.
    template <typename T>
    void beside_matrix(const std::string& name, const libdk::Data& data, const std::string& kernel,
                       const std::string& precision) {
        std::vector<T> out(static_cast<std::size_t>(data.rows() * data.rows()));
        const double matrix =
            least_seconds(3, [&] { libdk::gram(std::span(out), data, data, kernel, control_); });
        train(name + ", " + precision, data, "svm",
              "C=16 kernel=" + kernel + " neighbours=0 precision=" + precision, matrix,
              "the kernel matrix of its rows in this precision");
    }

    /// Trains by default, beside single precision, whose seconds are returned.
    double beside_single(const std::string& name, const libdk::Data& data, const std::string& settings,
                         int runs) {
        const libdk::Parameters single("svm", settings + "single");
        const double limit = least_seconds(runs, [&] { libdk::Model::train(data, single, control_); });
        train(name + ", precision=auto", data, "svm", settings + "auto", limit, "precision=single");
        return limit;
    }

    /// Rows like those of the sets Letter, Satellite and pendigits.
    void many_classes() {
        const Rows satellite = clouds(4435, 36, 6, 6, 0.25);
        const Rows digits = clouds(7494, 16, 10, 8, 0.2);
        const Rows rows = clouds(15000, 16, 26, 6, 0.2);
        for (const auto& [name, some, kernel] :
             {std::tuple("svm, 6 classes, 4435 x 36", &satellite, "rbf(gamma=0.1)"),
              std::tuple("svm, 10 classes, 7494 x 16", &digits, "rbf(gamma=0.5)"),
              std::tuple("svm, 26 classes, 15,000 x 16", &rows, "rbf(gamma=2)")}) {
            const libdk::Data data = some->data();
            beside_matrix<double>(name, data, kernel, "double");
            beside_matrix<float>(name, data, kernel, "single");
            beside_single(name, data, std::string("C=16 kernel=") + kernel + " neighbours=0 precision=", 3);
        }
        const std::string file = path("classes");
        write_libsvm(rows, file);
        whole_processes("svm, 26 classes, 15,000 x 16, from a file", "svm-train",
                        "svm-train -q -m 1000 -c 16 -g 2 " + file + " " + path("peer"),
                        " train " + file +
                            " -m svm -p C=16 -p 'kernel=rbf(gamma=2)' -p neighbours=0 -p precision=single");
    }

    void many_rows() {
        const Rows rows = clouds(30000, 20, 2, 30, 0.25);
        const libdk::Data data = rows.data();
        const std::string settings = "C=10 kernel=rbf(gamma=1) neighbours=0 precision=";
        const double limit = beside_single("svm, 30,000 x 20", data, settings, 2);
        train("svm, 30,000 x 20, precision=double", data, "svm", settings + "double", limit,
              "precision=single");
    }

    void counts() {
        const std::string file = path("counts");
        write_counts(file, 15935, 62061, 20);
        for (const int threads : {1, threads_})
            whole_processes(
                "linear svm against the rest, 15,935 x 62,061 counts, 20 classes, " +
                    std::to_string(threads) + " thread(s)",
                "liblinear-train", "liblinear-train -q -s 3 -B 1 -e 0.001 " + file + " " + path("peer"),
                " train " + file + " -m svm -p kernel=linear -p multiclass=ovr -p neighbours=0 --threads " +
                    std::to_string(threads));
        // liblinear-train -v takes one C and one thread.
        const std::string costs = "0.01 0.03 0.1 0.3 1 3 10";
        std::string grid = costs;
        std::ranges::replace(grid, ' ', ':');
        whole_processes(
            "the same over 7 C in 3 folds, " + std::to_string(threads_) + " thread(s)", "liblinear-train",
            "for c in " + costs + "; do liblinear-train -q -s 3 -B 1 -e 0.001 -v 3 -c $c " + file + "; done",
            " cv " + file +
                " -m svm -p kernel=linear -p multiclass=ovr -p neighbours=0 -p folds=3 -p grid=C=" + grid +
                " --threads " + std::to_string(threads_));
    }

    void one_row() {
        const Rows rows = clouds(1400, 50, 2, 300, 0.3);
        const libdk::Data data = rows.data();
        const libdk::Model model = libdk::Model::train(
            data, libdk::Parameters("svm", "C=1 kernel=rbf(gamma=0.3) neighbours=0"), one_thread_);
        const Index support = support_rows(model);
        Rows one{1, 50, {rows.values.begin(), rows.values.begin() + 50}, {0}};
        const libdk::Data row = one.data();
        std::vector<double> out(1);
        constexpr int calls = 20000;
        const double seconds = least_seconds(5, [&] {
            for (int call = 0; call < calls; ++call) model.decision(out, row, one_thread_);
        });
        std::vector<double> products(static_cast<std::size_t>(support));
        const auto count = static_cast<blasint>(support);
        const double of_products = least_seconds(5, [&] {
            for (int call = 0; call < calls; ++call)
                cblas_dgemv(CblasRowMajor, CblasNoTrans, count, 50, 1, rows.values.data(), 50,
                            one.values.data(), 1, 0, products.data(), 1);
        });
        add({"one row, " + std::to_string(support) + " support rows x 50, one thread", seconds / calls,
             of_products / calls + static_cast<double>(support) / rates_of_one_.exponential_double,
             "a matrix-vector product of OpenBLAS, an exponential a support row"});
    }

    void write(const std::string& file) const {
        std::ofstream out(file);
        char line[600];
        char date[16];
        const std::time_t now = std::time(nullptr);
        std::strftime(date, sizeof date, "%F", std::gmtime(&now));
        std::snprintf(
            line, sizeof line,
            "# Limits\n\nWritten by `dk_limits_bench` (tests/bench) with %d threads on %s, %s. Rates of this "
            "run: products %.1f and %.1f G operations a\nsecond in double and single precision, exponentials "
            "%.2f and %.2f G a second. Instructions: %s.\n\n",
            threads_, processor().c_str(), date, gemm_.double_precision * 1e-9, gemm_.single_precision * 1e-9,
            rates_.exponential_double * 1e-9, rates_.exponential_single * 1e-9, vector_target_name());
        out << line
            << "Where a program is named, the limit is its time. One job is one run, or the least of "
               "up to 25 where that is short, so that single digits mean nothing.\n\n"
            << "| job | seconds | limit | times the limit | what the limit is |\n|---|---|---|---|---|\n";
        for (const Job& job : jobs_) {
            if (job.limit > 0)
                std::snprintf(line, sizeof line, "| %s | %.3g | %.3g | %.2f | %s |\n", job.name.c_str(),
                              job.seconds, job.limit, job.seconds / job.limit, job.limit_is.c_str());
            else
                std::snprintf(line, sizeof line, "| %s | %.3g | | | %s |\n", job.name.c_str(), job.seconds,
                              job.limit_is.c_str());
            out << line;
        }
        std::printf("written: %s\n", file.c_str());
    }

  private:
    static std::string processor() {
        std::ifstream facts("/proc/cpuinfo");
        for (std::string line; std::getline(facts, line);) {
            if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
        }
        return "an unknown processor";
    }
    std::string path(const char* name) const { return (folder_ / name).string(); }

    void add(Job job) {
        std::printf("%-75s %9.3g s, limit %9.3g s\n", job.name.c_str(), job.seconds, job.limit);
        std::fflush(stdout);
        jobs_.push_back(std::move(job));
    }

    libdk::Model train(const std::string& name, const libdk::Data& data, const char* machine,
                       const std::string& settings, double limit, const std::string& limit_is) {
        const libdk::Parameters parameters(machine, settings);
        std::optional<libdk::Model> made;
        const double seconds =
            least_seconds(1, [&] { made = libdk::Model::train(data, parameters, control_); });
        add({name, seconds, limit, limit_is});
        return std::move(*made);
    }

    /// Runs a peer and the command, each as a process of its own that reads the file.
    void whole_processes(const std::string& name, const std::string& peer, const std::string& peer_line,
                         const std::string& own_line) {
        const auto run = [](const std::string& line) {
            if (std::system((line + " >/dev/null 2>&1").c_str()) != 0)
                std::fprintf(stderr, "failed: %s\n", line.c_str());
        };
        const double own = least_seconds(2, [&] { run(command_ + own_line + " -o " + path("own")); });
        if (std::system(("command -v " + peer + " >/dev/null").c_str()) != 0)
            return add({name, own, 0, peer + " is not installed"});
        add({name, own, least_seconds(1, [&] { run(peer_line); }), peer});
    }

    static libdk::Data walks(Index rows, Index steps, unsigned seed = 3) {
        std::mt19937_64 generator(seed);
        std::normal_distribution<double> normal(0, 1 / std::sqrt(static_cast<double>(steps)));
        std::vector<double> values;
        std::vector<Index> labels;
        for (Index i = 0; i < rows; ++i) {
            double at = 0;
            labels.push_back(i % 2);
            for (Index t = 0; t < steps; ++t) {
                at += normal(generator);
                values.push_back(at + (i % 2 == 0 ? 0.0 : std::sin(static_cast<double>(t) / 9)));
            }
        }
        libdk::Data data =
            libdk::Data::series(values, std::vector<Index>(static_cast<std::size_t>(rows), steps), 1);
        data.set_labels(labels);
        return data;
    }

    int threads_;
    Index large_;
    std::string command_;
    libdk::Control control_;
    libdk::Control one_thread_;
    VectorRates rates_;
    VectorRates rates_of_one_;
    GemmRates gemm_;
    std::filesystem::path folder_;
    std::vector<Job> jobs_;
};

}  // namespace
}  // namespace dk_bench

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    const std::int64_t large = argc > 2 ? std::atoll(argv[2]) : 1000000;
    const std::string command = (std::filesystem::path(argv[0]).parent_path() / "dk").string();
    dk_bench::Bench bench(threads, large, command);
    bench.matrix();
    bench.one_row();
    bench.series();
    bench.many_classes();
    bench.many_rows();
    bench.counts();
    bench.landmarks();
    bench.logistic();
    bench.core_vectors();
    bench.write(argc > 3 ? argv[3] : "LIMITS.md");
}
