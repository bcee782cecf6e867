// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/bank.hpp"

#include "base/error.hpp"
#include "kernel/language/construction.hpp"

namespace dk {

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
    Bank kernels = Construction(&data, control ? control : &own).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return kernels;
}

Index count_kernels(std::string_view text, const Dataset& data) {
    const Bank kernels = Construction(&data).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return std::ssize(kernels);
}

std::vector<std::string> kernel_texts(std::string_view text, const Dataset& data) {
    const Bank kernels = Construction(&data).expand(parse_expression(text), {});
    require_kind(kernels, data);
    std::vector<std::string> texts;
    for (const auto& kernel : kernels) texts.push_back(kernel->text());
    return texts;
}

KernelPointer make_kernel(std::string_view text, const Dataset& data, Control* control) {
    return only_kernel(make_bank(text, data, control), text);
}

KernelPointer restore_kernel(std::string_view text, const Dataset& data, std::vector<KernelState> states,
                             Control& control) {
    Bank kernels = Construction(&data, &control, &states).expand(parse_expression(text), {});
    require_kind(kernels, data);
    return only_kernel(std::move(kernels), text);
}

void check_kernel_text(std::string_view text) {
    const Expression expression = parse_expression(text);
    if (expression.kind == Expression::Kind::number) {
        fail_at(expression.position,
                "nothing can be learned with a number alone; it can be a factor or an offset");
    }
    Construction(nullptr).expand(expression, {});
}

std::string default_kernel(DataKind kind) {
    switch (kind) {
        case DataKind::dense:
        case DataKind::sparse:
            break;
        case DataKind::gram:
            return "gram(0)";
        case DataKind::series:
            return "gak";
        case DataKind::strings:
            return "normalize(spectrum)";
        case DataKind::graphs:
            return "normalize(weisfeiler_lehman)";
    }
    return "rbf(gamma=auto)";
}

}  // namespace dk
