// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/grid.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "base/unicode.hpp"
#include "kernel/language/bank.hpp"
#include "pipeline/search/kernel_texts.hpp"
#include "pipeline/search/search_space.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

constexpr std::size_t most_candidates = 100000;

struct Axis {
    std::string key;
    std::string values;  // as they are written
};

/// Reads the axes of key=values;key=values, where semicolons inside brackets belong to the values.
std::vector<Axis> axes_of(std::string_view grid) {
    std::vector<Axis> axes;
    for (Scanner scanner(grid); !scanner.at_end(); scanner.accept(';')) {
        const std::string_view part = trimmed(scanner.until(";"));
        const auto equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == part.size()) {
            fail(Status::invalid_parameter, "grid: expected key=value:value;key=value, found ",
                 in_quotes(part));
        }
        Axis axis{std::string(trimmed(part.substr(0, equals))),
                  std::string(trimmed(part.substr(equals + 1)))};
        if (std::ranges::find(axes, axis.key, &Axis::key) != axes.end())
            fail(Status::invalid_parameter, "grid: ", axis.key, " is named twice");
        axes.push_back(std::move(axis));
    }
    return axes;
}

/// Lists the values of an axis between colons, where colons inside brackets belong to the values.
std::vector<std::string> values_of(const Axis& axis) {
    std::vector<std::string> values;
    Scanner scanner(axis.values);
    do values.emplace_back(trimmed(scanner.until(":")));
    while (scanner.accept(':'));
    return values;
}

void require_comparable(const std::string& key) {
    for (const auto* fixed : {"grid", "tune", "search", "trials", "learning_curve", "select", "folds",
                              "repeats", "outer_folds", "halves", "seed", "memory_mb", "neighbours"}) {
        if (key == fixed)
            fail(Status::invalid_parameter, "grid: ", key, " cannot vary from candidate to candidate");
    }
}

/// Splits a list such as "[a, b(c, d)]" into its items a and b(c, d). Text without brackets is one item.
std::vector<std::string> items_of(std::string_view list) {
    if (list.size() < 2 || list.front() != '[' || list.back() != ']') return {std::string(list)};
    std::vector<std::string> items;
    Scanner scanner(list.substr(1, list.size() - 2));
    do items.emplace_back(trimmed(scanner.until(",")));
    while (scanner.accept(','));
    return items;
}

/// Tells whether rows have what a strategy must know of them.
bool is_known(Knowledge needed, Task task, DataKind kind) {
    switch (needed) {
        case Knowledge::coordinates:
            return kind == DataKind::dense || kind == DataKind::sparse;
        case Knowledge::targets:
            return learns_answers(task);
        case Knowledge::classes:
            return task == Task::classification;
        default:
            return true;
    }
}

/// Gives the kind of the rows as machines are given them, which layers make dense.
DataKind prepared_kind(const MachineSpecification& specification, const Dataset& data) {
    return specification.parameters[parameter::layers].empty() ? data.kind() : DataKind::dense;
}

/// Tells whether a strategy that solves the machine's program can: with one target or class a row, and where
/// errors are squared with rows of one weight.
bool has_program(const MachineSpecification& specification, const Dataset& data) {
    const Machine& machine = *specification.machine;
    if (machine.task == Task::regression && data.target_count > 1) return false;
    if (learned_task(machine, data) == Task::multilabel) return false;
    return data.sample_weights.empty() || !machine.loss ||
           machine.loss(specification.parameters, data).errors != ErrorLoss::squares;
}

/// Lists the ways to weigh a bank for which `all` stands: those that the machine and the rows allow, where
/// there are some, that need no arguments and that do not train hundreds of machines.
std::vector<std::string> all_strategies(const MachineSpecification& specification, const Dataset* data) {
    const Machine& machine = *specification.machine;
    if (machine.weighs_kernels) return {"uniform"};
    const DataKind kind = data == nullptr ? DataKind::dense : prepared_kind(specification, *data);
    const Task task = data == nullptr ? machine.task : learned_task(machine, *data);
    std::vector<std::string> names;
    for (const WeightStrategy& strategy : weight_strategies()) {
        if (!strategy.normalises || strategy.searches || !is_known(strategy.needs, task, kind)) continue;
        if (strategy.solves_program && data != nullptr && !has_program(specification, *data)) continue;
        names.push_back(strategy.name);
    }
    return names;
}

std::vector<std::string> compared_strategies(std::string_view values,
                                             const MachineSpecification& specification, const Dataset* data) {
    std::vector<std::string> strategies;
    for (const std::string& item : items_of(values)) {
        if (item == "all") {
            std::ranges::copy(all_strategies(specification, data), std::back_inserter(strategies));
        } else {
            strategies.push_back(item);
        }
    }
    return strategies;
}

/// Candidates that become more and more: a grid of few bytes has a great many. They are counted and their
/// memory is asked for as they come, and a cancel is heard.
class GrowingCandidates {
  public:
    explicit GrowingCandidates(Control& control) : control_(control), polls_(control, polled_candidates) {}

    void add(Candidate candidate) {
        if (all_.size() == most_candidates)
            fail(Status::invalid_parameter, "grid: there are more than ", most_candidates, " combinations");
        polls_.step();
        bytes_ += bytes_of(candidate);
        if (bytes_ > asked_) {
            asked_ = 2 * bytes_;  // The vector holds twice as much while it grows, too.
            control_.memory().require(asked_, text("a grid of more than ", all_.size() + 1, " combinations"));
        }
        all_.push_back(std::move(candidate));
    }
    std::vector<Candidate> take() { return std::move(all_); }

  private:
    static constexpr Index polled_candidates = 256;

    static double bytes_of(const Candidate& candidate) {
        std::size_t bytes = sizeof candidate + candidate.kernel.size() + candidate.alone_text.size();
        for (const auto& pair : candidate.chosen)
            bytes += sizeof pair + pair.first.size() + pair.second.size();
        return static_cast<double>(bytes);
    }

    Control& control_;
    Polls polls_;
    std::vector<Candidate> all_;
    double bytes_ = 0;
    double asked_ = 0;
};

/// Combines every candidate with each of the values, which set(candidate, value) sets.
template <typename Value, typename Set>
void multiply(std::vector<Candidate>& candidates, const std::vector<Value>& values, Control& control,
              Set set) {
    GrowingCandidates all(control);
    for (const Candidate& candidate : candidates) {
        for (const Value& value : values) {
            Candidate with_value = candidate;
            set(with_value, value);
            all.add(std::move(with_value));
        }
    }
    candidates = all.take();
}

}  // namespace

void check_grid(const MachineSpecification& specification, std::string_view grid) {
    for (const Axis& axis : axes_of(grid)) {
        require_comparable(axis.key);
        MachineSpecification tried = specification;
        if (axis.key == "kernel") {
            set_parameter(tried, axis.key, axis.values);
            continue;
        }
        if (axis.key == "weights") {
            for (const std::string& strategy : compared_strategies(axis.values, specification, nullptr)) {
                if (strategy != "each") set_parameter(tried, axis.key, strategy);
            }
            continue;
        }
        for (const std::string& value : values_of(axis)) set_parameter(tried, axis.key, value);
    }
}

namespace {

/// Gives the text of the bank that a specification asks for, of rows as machines are given them.
std::string bank_text(const MachineSpecification& specification, const Dataset& data) {
    const std::string& text = specification.parameters[parameter::kernel];
    return text == "auto" ? default_kernel(prepared_kind(specification, data)) : text;
}

/// A way to use a bank: a strategy that weighs it, or one of its kernels alone.
struct Weighing {
    std::string strategy;
    Index alone = -1;  // the kernel; -1 where the strategy weighs all
};

void multiply_by_weights(std::vector<Candidate>& candidates, const Axis& axis,
                         const MachineSpecification& specification, const Dataset& data, KernelTexts& texts,
                         Control& control) {
    const auto& kernels = texts.of(specification, bank_text(specification, data));
    std::vector<Weighing> weighings;
    for (const std::string& strategy : compared_strategies(axis.values, specification, &data)) {
        if (strategy != "each") {
            weighings.push_back({strategy});
            continue;
        }
        for (Index k = 0; k < std::ssize(kernels); ++k) weighings.push_back({"uniform", k});
    }
    const std::string bank = text("[", join(kernels, ", "), "]");
    multiply(candidates, weighings, control, [&](Candidate& candidate, const Weighing& weighing) {
        candidate.kernel = bank;
        candidate.alone = weighing.alone;
        if (weighing.alone >= 0) candidate.alone_text = kernels[weighing.alone];
        candidate.chosen.emplace_back("weights", weighing.strategy);
    });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Candidate::parameters() const {
    auto all = chosen;
    if (alone >= 0) std::erase_if(all, [](const auto& pair) { return pair.first == "weights"; });
    const bool weighed =
        std::ranges::find(chosen, "weights", &decltype(chosen)::value_type::first) != chosen.end();
    if (alone >= 0) {
        all.insert(all.begin(), {"kernel", alone_text});
    } else if (!kernel.empty() && !weighed) {
        all.insert(all.begin(), {"kernel", kernel});
    }
    return all;
}

namespace {

/// Candidates that share a kernel stand together, so that they can share its values. The order stays
/// otherwise.
std::vector<Candidate> by_kernel(std::vector<Candidate> candidates) {
    std::map<std::string, std::size_t> places;
    for (const Candidate& candidate : candidates) places.try_emplace(candidate.kernel, places.size());
    std::ranges::stable_sort(candidates, {},
                             [&](const Candidate& candidate) { return places.at(candidate.kernel); });
    return candidates;
}

}  // namespace

std::vector<Candidate> grid_candidates(const MachineSpecification& specification, const Dataset& data,
                                       Control& control) {
    std::vector<Candidate> candidates(1);
    const auto axes = axes_of(specification.parameters[parameter::grid]);
    const auto has = [&](const char* key) { return std::ranges::find(axes, key, &Axis::key) != axes.end(); };
    if (has("kernel") && has("weights"))
        fail(Status::invalid_parameter,
             "grid: kernel and weights exclude each other; weights compares how the bank is weighed");
    // Kernels come last, because their widths are found on rows as a candidate scales them.
    for (const Axis& axis : axes) {
        if (axis.key == "kernel" || axis.key == "weights") continue;
        multiply(candidates, values_of(axis), control,
                 [&](Candidate& c, const std::string& value) { c.chosen.emplace_back(axis.key, value); });
    }
    KernelTexts texts(data, control);
    GrowingCandidates all(control);
    for (const Candidate& candidate : candidates) {
        std::vector<Candidate> some{candidate};
        const MachineSpecification chosen = with_candidate(specification, candidate);
        for (const Axis& axis : axes) {
            if (axis.key == "weights") multiply_by_weights(some, axis, chosen, data, texts, control);
            if (axis.key != "kernel") continue;
            multiply(some, texts.of(chosen, axis.values), control,
                     [](Candidate& c, const std::string& value) { c.kernel = value; });
        }
        for (Candidate& one : some) all.add(std::move(one));
    }
    return by_kernel(all.take());
}

std::vector<std::vector<Index>> cost_paths(std::span<const Candidate> candidates) {
    std::vector<double> costs;
    std::map<std::vector<std::pair<std::string, std::string>>, std::vector<Index>> paths;
    for (Index c = 0; c < std::ssize(candidates); ++c) {
        auto others = candidates[c].parameters();
        const auto cost = std::ranges::find(others, "C", &decltype(others)::value_type::first);
        costs.push_back(cost == others.end() ? 0 : parse_number(cost->second).value_or(0));
        if (cost != others.end()) others.erase(cost);
        paths[others].push_back(c);
    }
    std::vector<std::vector<Index>> list;
    for (auto& [others, path] : paths) {
        std::ranges::stable_sort(path, {}, [&](Index c) { return costs[c]; });
        list.push_back(std::move(path));
    }
    return list;
}

std::string with_battery(const std::string& grid) {
    const auto axes = axes_of(grid);
    if (std::ranges::find(axes, "weights", &Axis::key) != axes.end()) return grid;
    return "weights=[all, each]" + (grid.empty() ? "" : ";" + grid);
}

MachineSpecification with_candidate(const MachineSpecification& specification, const Candidate& candidate) {
    MachineSpecification chosen = specification;
    if (!candidate.kernel.empty()) set_parameter(chosen, "kernel", candidate.kernel);
    if (candidate.alone >= 0) set_parameter(chosen, "kernel", candidate.alone_text);
    for (const auto& [key, value] : candidate.chosen) set_parameter(chosen, key, value);
    return chosen;
}

}  // namespace dk
