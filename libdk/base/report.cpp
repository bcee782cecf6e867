// SPDX-License-Identifier: Apache-2.0
#include "base/report.hpp"

#include <nlohmann/json.hpp>

namespace dk {

namespace {

/// Writes a report as JSON. Texts and numbers are nlohmann's; lists and objects are written here, because its
/// own ones ask for memory when they end, in a destructor, which ends the process where there is none.
class ReportWriter {
  public:
    explicit ReportWriter(int indent) : indent_(indent) {}

    std::string take() { return std::move(out_); }

    void operator()(const Report& report) {
        write_all('{', report.entries(), '}', [&](const Report::Entry& entry) {
            (*this)(entry.name);
            out_ += indent_ < 0 ? ":" : ": ";
            std::visit(*this, entry.value);
        });
    }
    void operator()(const std::shared_ptr<const Report>& report) { (*this)(*report); }
    void operator()(const Report::JsonText& json) { out_ += json.text; }
    template <typename Element>
    void operator()(const std::vector<Element>& elements) {
        write_all('[', elements, ']', *this);
    }
    template <typename Scalar>
    void operator()(const Scalar& scalar) {
        out_ += nlohmann::json(scalar).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

  private:
    template <typename Elements, typename Write>
    void write_all(char begin, const Elements& elements, char end, Write&& write) {
        out_ += begin;
        ++depth_;
        for (const auto& element : elements) {
            if (&element != &elements.front()) out_ += ',';
            break_line();
            write(element);
        }
        --depth_;
        if (!elements.empty()) break_line();
        out_ += end;
    }

    void break_line() {
        if (indent_ >= 0) out_.append("\n").append(static_cast<std::size_t>(indent_) * depth_, ' ');
    }

    std::string out_;
    int indent_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string json_text(const Report& report, int indent) {
    ReportWriter writer(indent);
    writer(report);
    return writer.take();
}

bool reading_json_failed() noexcept {
    try {
        throw;
    } catch (const nlohmann::json::exception&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace dk
