// SPDX-License-Identifier: Apache-2.0
//
// This program measures core vector machines from 10,000 to 1,000,000 rows: seconds, memory, core set and
// certified gap, by the gap rule and with a core set of fixed size. It trains the exact machine beside the
// smallest.
//
//     dk_core_vector_bench [threads [largest rows]]
#include <dk/dk.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int64_t columns = 20;
constexpr int64_t clouds = 20;

void check(dk_status status) {
    if (status == DK_OK) return;
    std::fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());
    std::exit(1);
}

// Makes Gaussian clouds around random centres, in turn of either class, so that no hyperplane separates them.
dk_data* make_data(int64_t rows, unsigned seed) {
    std::mt19937_64 generator(3);
    std::normal_distribution<double> normal;
    std::vector<double> centres(clouds * columns);
    for (double& value : centres) value = 2 * normal(generator);
    generator.seed(seed);
    std::vector<double> values(static_cast<std::size_t>(rows * columns));
    std::vector<int64_t> labels(static_cast<std::size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) {
        const auto cloud = static_cast<int64_t>(generator() % clouds);
        labels[static_cast<std::size_t>(i)] = cloud % 2;
        for (int64_t j = 0; j < columns; ++j)
            values[static_cast<std::size_t>(i * columns + j)] =
                centres[static_cast<std::size_t>(cloud * columns + j)] + normal(generator);
    }
    dk_data* data = nullptr;
    check(dk_data_from_dense(&data, values.data(), rows, columns, columns, DK_ROW_MAJOR));
    check(dk_data_set_labels(data, labels.data(), rows));
    return data;
}

std::string info_of(const dk_model* model) {
    int64_t needed = 0;
    check(dk_model_info(nullptr, 0, &needed, model));
    std::string text(static_cast<std::size_t>(needed), '\0');
    check(dk_model_info(text.data(), needed, &needed, model));
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    return text;
}

double peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const char* name, const char* machine, const std::string& settings, const dk_data* data,
             const dk_data* test, int threads) {
    dk_params* params = nullptr;
    dk_control* control = nullptr;
    dk_model* model = nullptr;
    check(dk_params_create(&params, machine));
    check(dk_params_parse(params, ("C=10 kernel=rbf(gamma=0.05) precision=single " + settings).c_str()));
    check(dk_control_create(&control));
    check(dk_control_set_threads(control, threads));
    const auto began = std::chrono::steady_clock::now();
    check(dk_train(&model, data, params, control));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    double accuracy = 0;
    check(dk_score(&accuracy, model, test, "accuracy", control));
    const auto info = nlohmann::json::parse(info_of(model));
    const auto& function = info.at("training").at("functions").at(0);
    std::printf("%-22s %9lld %8.2f s %7.0f MiB  core %6lld  objective %12.4f  gap %.4f  accuracy %.4f\n",
                name, static_cast<long long>(dk_data_rows(data)), seconds.count(), peak_mebibytes(),
                static_cast<long long>(info.at("support_rows")), function.at("objective").get<double>(),
                function.at("gap").get<double>(), accuracy);
    std::fflush(stdout);
    dk_model_free(model);
    dk_control_free(control);
    dk_params_free(params);
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    const double largest = argc > 2 ? std::atof(argv[2]) : 1e6;
    dk_data* test = make_data(20000, 5);
    for (const double rows : {1e4, 3e4, 1e5, 3e5, 1e6}) {
        if (rows > largest) break;
        dk_data* data = make_data(static_cast<int64_t>(rows), 4);
        if (rows == 1e4) measure("svm, squared hinge", "svm", "loss=squared_hinge", data, test, threads);
        measure("cvm, core set of 1000", "cvm", "max_core=1000", data, test, threads);
        measure("cvm, gap 0.05", "cvm", "", data, test, threads);
        dk_data_free(data);
    }
    dk_data_free(test);
}
