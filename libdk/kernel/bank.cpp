// SPDX-License-Identifier: Apache-2.0
#include "kernel/bank.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "kernel/algebra.hpp"
#include "kernel/centred.hpp"
#include "kernel/correction.hpp"
#include "kernel/degree_lists.hpp"
#include "kernel/expression.hpp"
#include "kernel/family.hpp"
#include "kernel/family_call.hpp"
#include "kernel/low_rank.hpp"
#include "kernel/setting.hpp"

namespace dk {

namespace {

constexpr std::size_t largest_bank = 100000;

/// Turns a syntax tree into kernels.
class Expander {
  public:
    /// `control` is for kernels that learn; without one they stay as they are. `stored` has the states of
    /// such kernels, in the order of the text, in place of learning.
    explicit Expander(const Dataset* data, Control* control = nullptr,
                      std::vector<KernelState>* stored = nullptr)
        : setting_(data), control_(control), stored_(stored) {}

    Bank expand(const Expression& expression, const Columns& columns) const {
        switch (expression.kind) {
            case Expression::Kind::number:
                return {linear_combination({}, expression.number)};
            case Expression::Kind::sum:
                return {sum(expression, columns)};
            case Expression::Kind::product:
                return {product(expression, columns)};
            case Expression::Kind::power:
                return {power_of(single(expression.children.front(), columns),
                                 static_cast<int>(expression.number))};
            case Expression::Kind::bank:
                return bank(expression, columns);
            case Expression::Kind::call:
                break;
        }
        return call(expression, columns);
    }

  private:
    using OperatorFunction = Bank (Expander::*)(const Expression&, const Columns&) const;

    KernelPointer single(const Expression& expression, const Columns& columns) const {
        Bank kernels = expand(expression, columns);
        if (kernels.size() != 1)
            fail_at(expression.position, "a bank cannot be a term or factor; write [a + b, ...]");
        return kernels.front();
    }

    KernelPointer sum(const Expression& expression, const Columns& columns) const {
        std::vector<WeightedKernel> terms;
        double offset = 0;
        for (const auto& child : expression.children) {
            if (child.kind == Expression::Kind::number) {
                offset += child.number;
            } else {
                terms.push_back(weighted(child, columns));
            }
        }
        return linear_combination(std::move(terms), offset);
    }

    /// The numbers of a product become one weight.
    WeightedKernel weighted(const Expression& expression, const Columns& columns) const {
        if (expression.kind != Expression::Kind::product) return {1, single(expression, columns)};
        double weight = 1;
        std::vector<KernelPointer> factors;
        for (const auto& child : expression.children) {
            if (child.kind == Expression::Kind::number) {
                weight *= child.number;
            } else {
                factors.push_back(single(child, columns));
            }
        }
        if (!std::isfinite(weight)) fail_at(expression.position, "the factors overflow");
        if (factors.empty()) return {1, linear_combination({}, weight)};
        return {weight, factors.size() == 1 ? factors.front() : product_of(std::move(factors))};
    }

    KernelPointer product(const Expression& expression, const Columns& columns) const {
        return linear_combination({weighted(expression, columns)}, 0);
    }

    Bank bank(const Expression& expression, const Columns& columns) const {
        Bank kernels;
        for (const auto& child : expression.children) append(kernels, expand(child, columns), child.position);
        return kernels;
    }

    static void append(Bank& kernels, Bank more, Index position) {
        if (kernels.size() + more.size() > largest_bank) {
            fail_at(position, text("the bank has more than ", largest_bank, " kernels"));
        }
        std::ranges::move(more, std::back_inserter(kernels));
    }

    static OperatorFunction operator_named(std::string_view name) {
        if (name == "exp") return &Expander::exponential;
        if (name == "normalize") return &Expander::normalize;
        if (name == "center") return &Expander::center;
        if (name == "corrected") return &Expander::correct;
        if (name == "lowrank") return &Expander::reduce_rank;
        if (name == "on") return &Expander::on;
        if (name == "each_feature") return &Expander::each_feature;
        if (name == "each_channel") return &Expander::each_feature;
        if (name == "grid") return &Expander::grid;
        if (name == "arccos_lists") return &Expander::arc_cosine_lists;
        return nullptr;
    }

    Bank call(const Expression& expression, const Columns& columns) const {
        if (const auto function = operator_named(expression.name))
            return (this->*function)(expression, columns);
        return {make_from_call(family_named(expression.name, expression.position), expression, columns, {},
                               setting_)};
    }

    static const KernelFamily& family_named(const std::string& name, Index position) {
        const auto families = kernel_families();
        const auto found = std::ranges::find(families, name, &KernelFamily::name);
        if (found != families.end()) return *found;
        std::vector<std::string> names;
        for (const auto& family : families) names.push_back(family.name);
        for (const auto& operation : kernel_operators()) names.push_back(operation.name);
        fail_at(position, text("there is no kernel ", in_quotes(name), "; nearest is ",
                               in_quotes(nearest_name(name, names))));
    }

    /// The only kernel argument of exp, normalize, each_feature.
    static const Expression& kernel_argument(const Expression& expression) {
        if (expression.arguments.size() != 1 || !expression.arguments.front().expression) {
            fail_at(expression.position, expression.name + " takes one kernel");
        }
        return *expression.arguments.front().expression;
    }

    Bank exponential(const Expression& expression, const Columns& columns) const {
        Bank kernels = expand(kernel_argument(expression), columns);
        for (auto& kernel : kernels) kernel = exponential_of(kernel);
        return kernels;
    }

    Bank normalize(const Expression& expression, const Columns& columns) const {
        Bank kernels = expand(kernel_argument(expression), columns);
        for (auto& kernel : kernels) kernel = normalised(kernel);
        return kernels;
    }

    /// The next state from the model file.
    KernelState next_state() const {
        if (next_state_ == stored_->size())
            fail(Status::model_format, "damaged model: a kernel's state is missing");
        return std::move((*stored_)[next_state_++]);
    }

    /// What learns around a kernel must be able to evaluate it on any rows.
    static void require_values_alone(const Kernel& kernel, const Expression& expression) {
        if (!kernel.knows_rows()) return;
        fail_at(expression.position, text(expression.name,
                                          " cannot stand around corrected(method=shift), which knows "
                                          "the training rows alone; put corrected outside"));
    }

    /// Every kernel of a bank holds what it learned, such as reference rows, each for itself.
    void require_states(const Kernel& kernel) const {
        std::vector<const KernelState*> states;
        kernel.collect_states(states);
        if (states.empty()) return;
        const KernelState& own = *states.back();  // those before it are of the kernels within
        learned_bytes_ += 8.0 * static_cast<double>(own.numbers.size());
        for (const Dataset& rows : own.rows) learned_bytes_ += rows.feature_bytes();
        ++learned_kernels_;
        control_->memory().require(learned_bytes_,
                                   text("what the first ", learned_kernels_, " kernels of the bank learned"));
    }

    /// Kernels that learn from the training rows, or get back what they learned.
    template <typename Restore, typename Learn>
    Bank learned(const Expression& expression, const Expression& inner, const Columns& columns,
                 Restore restore, Learn learn) const {
        Bank kernels = expand(inner, columns);
        for (auto& kernel : kernels) {
            require_values_alone(*kernel, expression);
            if (stored_) {
                kernel = restore(kernel, next_state());
            } else if (control_) {
                kernel = learn(kernel);
                require_states(*kernel);
            }
        }
        return kernels;
    }

    Bank center(const Expression& expression, const Columns& columns) const {
        return learned(expression, kernel_argument(expression), columns, restore_centred,
                       [&](const KernelPointer& k) { return centred(k, *setting_.data(), *control_); });
    }

    Bank correct(const Expression& expression, const Columns& columns) const {
        const Parameters parameters = operator_parameters(expression);
        const std::string& method = parameters.text("method");
        return learned(
            expression, *expression.arguments.front().expression, columns,
            [&](const KernelPointer& k, KernelState state) {
                return restore_corrected(k, method, std::move(state));
            },
            [&](const KernelPointer& k) { return corrected(k, method, *setting_.data(), *control_).kernel; });
    }

    Bank reduce_rank(const Expression& expression, const Columns& columns) const {
        const Parameters parameters = operator_parameters(expression);
        return learned(
            expression, *expression.arguments.front().expression, columns,
            [&](const KernelPointer& k, KernelState state) {
                return restore_low_rank(k, parameters, std::move(state));
            },
            [&](const KernelPointer& k) { return low_rank(k, parameters, *setting_.data(), *control_); });
    }

    /// The key=value arguments after the kernel of an operator.
    static Parameters operator_parameters(const Expression& expression) {
        const auto& all = kernel_operators();
        const auto found = std::ranges::find(all, expression.name, &OperatorDescription::name);
        Parameters parameters("operator " + expression.name, found->parameters);
        if (expression.arguments.empty() || !expression.arguments.front().expression)
            fail_at(expression.position, expression.name + " takes a kernel, then key=value arguments");
        for (std::size_t a = 1; a < expression.arguments.size(); ++a) {
            const Argument& argument = expression.arguments[a];
            if (argument.key.empty()) fail_at(argument.position, expression.name + " takes one kernel");
            const WrittenValue& value = only_value(argument);
            try {
                parameters.set(argument.key, value.kind == WrittenValue::Kind::number
                                                 ? format_value(value.number)
                                                 : value.word);
            } catch (const Error& error) {
                fail_at(argument.position, error.what());
            }
        }
        return parameters;
    }

    Bank each_feature(const Expression& expression, const Columns& columns) const {
        const Expression& kernel = kernel_argument(expression);
        require_all_columns(expression, columns);
        Bank kernels;
        for (Index j = 0; j < setting_.column_count({}); ++j)
            append(kernels, expand(kernel, {j}), kernel.position);
        return kernels;
    }

    static void require_all_columns(const Expression& expression, const Columns& columns) {
        if (!columns.empty())
            fail_at(expression.position, expression.name + " cannot stand inside on or each_feature");
    }

    Bank on(const Expression& expression, const Columns& columns) const {
        require_all_columns(expression, columns);
        if (expression.arguments.size() < 2 || !expression.arguments.back().expression) {
            fail_at(expression.position, "on takes columns and a kernel: on(0:9, kernel)");
        }
        Columns chosen;
        for (std::size_t a = 0; a + 1 < expression.arguments.size(); ++a)
            add_columns(expression.arguments[a], chosen);
        std::ranges::sort(chosen);
        if (std::ranges::adjacent_find(chosen) != chosen.end()) {
            fail_at(expression.position, "a column is named twice");
        }
        return expand(*expression.arguments.back().expression, chosen);
    }

    void add_columns(const Argument& argument, Columns& columns) const {
        const Index last = setting_.data() ? setting_.data()->cols() - 1 : Index{2147483647};
        const auto column = [&](const WrittenValue& value) {
            const double number = value.number;
            if (value.kind != WrittenValue::Kind::number || number < 0 ||
                number > static_cast<double>(last) ||
                number != static_cast<double>(static_cast<Index>(number))) {
                fail_at(
                    argument.position,
                    text("column ",
                         value.kind == WrittenValue::Kind::word ? value.word : format_number(number),
                         " is not allowed; columns are integers from 0 to ", last, ", or ranges first:last"));
            }
            return static_cast<Index>(number);
        };
        if (!argument.key.empty() || argument.values.empty() || argument.values.size() > 2) {
            fail_at(argument.position, "expected a column or a range first:last");
        }
        const Index first = column(argument.values.front());
        const Index end = column(argument.values.back());
        if (end < first) fail_at(argument.position, text("the range ", first, ":", end, " is empty"));
        if (!setting_.data()) {  // only checking: the columns' number is not known
            columns.push_back(first);
            return;
        }
        for (Index j = first; j <= end; ++j) columns.push_back(j);
    }

    /// grid(rbf, gamma=a:b:c, ...): the kernel for every combination, the last key running fastest.
    Bank grid(const Expression& expression, const Columns& columns) const {
        const auto& arguments = expression.arguments;
        if (arguments.size() < 2 || !arguments.front().expression ||
            arguments.front().expression->kind != Expression::Kind::call) {
            fail_at(expression.position, "grid takes a kernel's name and lists: grid(rbf, gamma=0.1:1:10)");
        }
        const Expression& prototype = *arguments.front().expression;
        const KernelFamily& family = family_named(prototype.name, prototype.position);
        Expression expanded = prototype;
        std::size_t combinations = 1;
        for (std::size_t a = 1; a < arguments.size(); ++a) {
            if (arguments[a].key.empty()) fail_at(arguments[a].position, "expected key=a:b:c");
            combinations *= arguments[a].values.size();
            if (combinations > largest_bank) fail_at(arguments[a].position, "the grid is too large");
            expanded.arguments.push_back(arguments[a]);
        }
        Bank kernels;
        for (std::size_t c = 0; c < combinations; ++c) {
            std::map<std::string, WrittenValue> chosen;
            std::size_t rest = c;
            for (std::size_t a = arguments.size() - 1; a >= 1; --a) {
                const auto& values = arguments[a].values;
                chosen[arguments[a].key] = values[rest % values.size()];
                rest /= values.size();
            }
            kernels.push_back(make_from_call(family, expanded, columns, chosen, setting_));
        }
        return kernels;
    }

    /// arccos_lists(depth): arccos of every list of different degrees 0 to 3 with at most so many layers.
    Bank arc_cosine_lists(const Expression& expression, const Columns& columns) const {
        const auto& arguments = expression.arguments;
        const bool one =
            arguments.size() == 1 && arguments.front().key.empty() && !arguments.front().values.empty();
        const double depth = one ? only_value(arguments.front()).number : 0;
        if (depth != 1 && depth != 2 && depth != 3 && depth != 4)
            fail_at(expression.position, "arccos_lists takes the largest number of layers, 1 to 4");
        Bank kernels;
        for (const auto& list : degree_lists(static_cast<Index>(depth)))
            kernels.push_back(arc_cosine(expression, list, columns));
        return kernels;
    }

    KernelPointer arc_cosine(const Expression& expression, const std::vector<double>& degrees,
                             const Columns& columns) const {
        Expression written;
        written.position = expression.position;
        for (const double degree : degrees) {
            Argument argument;
            argument.values.emplace_back().number = degree;
            written.arguments.push_back(std::move(argument));
        }
        return make_from_call(family_named("arccos", expression.position), written, columns, {}, setting_);
    }

    Setting setting_;
    Control* control_;
    std::vector<KernelState>* stored_;
    mutable std::size_t next_state_ = 0;
    mutable std::size_t learned_kernels_ = 0;
    mutable double learned_bytes_ = 0;
};

}  // namespace

namespace {

void require_kind(const Bank& kernels, const Dataset& data) {
    for (const auto& kernel : kernels) {
        if (kernel->works_on(data.kind())) continue;
        fail(Status::unsupported, "kernel ", kernel->text(), " does not work on ", name_of(data.kind()),
             " data");
    }
}

KernelPointer only_kernel(Bank kernels, std::string_view text) {
    if (kernels.size() != 1) {
        fail(Status::invalid_kernel, "one kernel is needed, ", in_quotes(text), " is a bank of ",
             kernels.size());
    }
    return kernels.front();
}

}  // namespace

Bank make_bank(std::string_view text, const Dataset& data, Control* control) {
    Control own;
    own.set_threads(1);
    Bank kernels = Expander(&data, control ? control : &own).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return kernels;
}

Index count_kernels(std::string_view text, const Dataset& data) {
    const Bank kernels = Expander(&data).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return size_of(kernels);
}

std::vector<std::string> kernel_texts(std::string_view text, const Dataset& data) {
    const Bank kernels = Expander(&data).expand(parse_expression(text), {});
    require_kind(kernels, data);
    std::vector<std::string> texts;
    for (const auto& kernel : kernels) texts.push_back(kernel->text());
    return texts;
}

KernelPointer make_kernel(std::string_view text, const Dataset& data, Control* control) {
    return only_kernel(make_bank(text, data, control), text);
}

KernelPointer restore_kernel(std::string_view text, const Dataset& data, std::vector<KernelState> states) {
    Bank kernels = Expander(&data, nullptr, &states).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return only_kernel(std::move(kernels), text);
}

void check_kernel_text(std::string_view text) {
    const Expression expression = parse_expression(text);
    if (expression.kind == Expression::Kind::number) {
        fail_at(expression.position,
                "nothing can be learned with a number alone; it can be a factor or an offset");
    }
    Expander(nullptr).expand(expression, {});
}

}  // namespace dk
