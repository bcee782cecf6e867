// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <dk/dk.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "parallel_timer.hpp"

namespace dk_bench {
namespace {

constexpr const char* kPeerNames[] = {"scikit-learn", "kernlab"};

std::string text_of(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

std::string date_now() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", std::gmtime(&now));
    return text.data();
}

// Tells the reader of other work, which takes processors away from whatever is measured at that moment.
std::string load_remark(double load) {
    return load < 0.5 ? "machine otherwise idle"
                      : "MACHINE BUSY: load average " + text_of("%.1f", load) +
                            " before measuring; times are not reliable";
}

std::optional<PeerTime> find_peer(const Peers& peers, const std::string& name, const Case& what) {
    for (const PeerTime& time : peers.times) {
        if (time.peer == name && time.family == what.family && time.rows == what.rows &&
            (time.precision == "f32") == what.single) {
            return time;
        }
    }
    return std::nullopt;
}

// Writes the peer's seconds and how many times ours that is, as in "1.234 (6.1x)".
std::string peer_cell(const std::optional<PeerTime>& peer, double ours) {
    if (!peer) return "-";
    return text_of("%.3f", peer->seconds) + " (" + text_of("%.1f", peer->seconds / ours) + "x)";
}

}  // namespace

Peers read_peers(const std::vector<std::string>& paths) {
    Peers peers;
    for (const std::string& path : paths) {
        std::ifstream in(path);
        if (!in) throw std::runtime_error("cannot read " + path);
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with('#')) {
                peers.remarks.push_back(line.substr(2));
                continue;
            }
            std::istringstream fields(line);
            PeerTime time;
            if (fields >> time.peer >> time.family >> time.precision >> time.rows >> time.seconds >>
                time.first_row_sum) {
                peers.times.push_back(time);
            }
        }
    }
    return peers;
}

void print_machine(const Machine& machine) {
    const double gigabytes = machine.big_bytes * 1e-9;
    std::printf("\nmachine        %s, %s, %d threads, %s\n", host_name().c_str(), processor_name().c_str(),
                machine.threads, date_now().c_str());
    std::printf("load           %s\n", load_remark(machine.load).c_str());
    std::printf("library        %s\n", dk_build_info());
    std::printf("touched memory %.1f GB/s streaming, %.1f ordinary, %.1f memcpy\n",
                gigabytes / machine.big_write.streaming, gigabytes / machine.big_write.ordinary,
                gigabytes / machine.big_write.library);
    std::printf(
        "fresh pages    %.1f GB/s: first touch of the largest matrix takes %.3f s more than rewriting it\n",
        gigabytes / machine.first_touch, machine.first_touch - machine.big_write.best());
    std::printf(
        "vector rates   %s: exp %.2f G/s, exp f32 %.2f, asin+sqrt %.2f, |x - y| %.1f, f32 %.1f, "
        "chi-square %.2f, f32 %.2f\n",
        vector_target_name(), machine.vector_rates.exponential_double * 1e-9,
        machine.vector_rates.exponential_single * 1e-9, machine.vector_rates.angle_double * 1e-9,
        machine.vector_rates.absolute_difference_double * 1e-9,
        machine.vector_rates.absolute_difference_single * 1e-9, machine.vector_rates.chi_square_double * 1e-9,
        machine.vector_rates.chi_square_single * 1e-9);
    std::printf("product rates  dgemm %.1f GFlop/s, sgemm %.1f\n\n",
                machine.gemm_rates.double_precision * 1e-9, machine.gemm_rates.single_precision * 1e-9);
}

void print_table(const std::vector<Measurement>& measurements, const Peers& peers) {
    std::printf("%-10s %-4s %6s %4s %-8s %9s %8s %7s %9s %9s %9s %18s %18s\n", "kernel", "type", "rows",
                "cols", "memory", "seconds", "floor", "ratio", "= write", "+ maps", "+ product",
                kPeerNames[0], kPeerNames[1]);
    for (const Measurement& measured : measurements) {
        const Case& what = measured.what;
        const double seconds = median(measured.seconds);
        std::printf("%-10s %-4s %6lld %4lld %-8s %9.4f %8.4f %6.2fx %9.4f %9.4f %9.4f %18s %18s\n",
                    what.family.c_str(), what.single ? "f32" : "f64", static_cast<long long>(what.rows),
                    static_cast<long long>(what.cols), what.fresh_pages ? "fresh" : "touched", seconds,
                    measured.floor.total(), seconds / measured.floor.total(), measured.floor.write,
                    measured.floor.functions, measured.floor.product,
                    peer_cell(find_peer(peers, kPeerNames[0], what), seconds).c_str(),
                    peer_cell(find_peer(peers, kPeerNames[1], what), seconds).c_str());
    }
    std::printf("\nseconds are medians; ratio = seconds / floor; in brackets the peer's seconds / ours\n");
    std::printf(
        "peers return fresh memory each time, which is part of their seconds as of the row `fresh`\n");
    for (const std::string& remark : peers.remarks) std::printf("peer: %s\n", remark.c_str());
}

bool same_matrices(const std::vector<Measurement>& measurements, const Peers& peers) {
    bool same = true;
    for (const Measurement& measured : measurements) {
        const double tolerance = measured.what.single ? 1e-5 : 1e-12;
        for (const char* name : kPeerNames) {
            const std::optional<PeerTime> peer = find_peer(peers, name, measured.what);
            if (!peer) continue;
            const double difference = std::abs(peer->first_row_sum - measured.first_row_sum);
            if (difference <= tolerance * std::abs(peer->first_row_sum)) continue;
            std::printf("DIFFERENT: %s: first row sums to %.17g here, to %.17g in %s\n",
                        measured.what.name().c_str(), measured.first_row_sum, peer->first_row_sum, name);
            same = false;
        }
    }
    return same;
}

}  // namespace dk_bench
