// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/expression.hpp"

namespace dk {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20U;
constexpr int deepest_nesting = 64;
constexpr int highest_power = 100;

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Expression parse() {
        if (text_.size() > longest_text) {
            fail(Status::invalid_kernel, "the specification has ", text_.size(), " characters; allowed are ",
                 longest_text);
        }
        Expression result = sum();
        if (!at_end()) expected("'+', '*' or the end");
        return result;
    }

  private:
    Expression sum() {
        return chain('+', Expression::Kind::sum, [this] { return product(); });
    }
    Expression product() {
        return chain('*', Expression::Kind::product, [this] { return power(); });
    }

    template <typename Operand>
    Expression chain(char symbol, Expression::Kind kind, Operand operand) {
        const Index start = position();
        Expression first = operand();
        if (!peek(symbol)) return first;
        Expression result;
        result.kind = kind;
        result.position = start;
        result.children.push_back(std::move(first));
        while (accept(symbol)) result.children.push_back(operand());
        return result;
    }

    Expression power() {
        const Index start = position();
        Expression base = factor();
        if (!accept('^')) return base;
        skip_blanks();
        const Index at = position();
        const double exponent = starts_number() ? number() : 0;
        if (exponent < 1 || exponent > highest_power || exponent != std::floor(exponent))
            fail_at(at, text("expected an exponent, an integer from 1 to ", highest_power));
        Expression result;
        result.kind = Expression::Kind::power;
        result.position = start;
        result.number = exponent;
        result.children.push_back(std::move(base));
        return result;
    }

    Expression factor() {
        const Nesting nesting(*this);
        skip_blanks();
        Expression result;
        result.position = position();
        if (accept('(')) {
            result = sum();
            require(')');
        } else if (accept('[')) {
            result.kind = Expression::Kind::bank;
            do result.children.push_back(sum());
            while (accept(','));
            require(']');
        } else if (starts_number()) {
            result.number = number();
        } else if (starts_name()) {
            result.kind = Expression::Kind::call;
            result.name = name();
            if (accept('(')) result.arguments = arguments();
        } else {
            expected("a kernel, a number, '(' or '['");
        }
        return result;
    }

    std::vector<Argument> arguments() {
        std::vector<Argument> result;
        if (accept(')')) return result;
        do result.push_back(argument());
        while (accept(','));
        require(')');
        return result;
    }

    Argument argument() {
        skip_blanks();
        Argument result;
        result.position = position();
        const std::size_t start = at_;
        if (starts_name()) {
            std::string key = name();
            if (accept('=')) {
                result.key = std::move(key);
                result.values = value_list(true);
                return result;
            }
            at_ = start;
        }
        // A positional argument is a list of numbers if it ends where numbers end, else a kernel.
        if (starts_number()) {
            result.values = value_list(false);
            if (peek(',') || peek(')')) return result;
            at_ = start;
            result.values.clear();
        }
        result.expression = std::make_shared<const Expression>(sum());
        return result;
    }

    /// Multiples of rules stand only after a key; elsewhere 2*name is a weighted kernel.
    std::vector<WrittenValue> value_list(bool multiples) {
        std::vector<WrittenValue> values;
        do values.push_back(value(multiples));
        while (accept(':'));
        return values;
    }

    WrittenValue value(bool multiples) {
        skip_blanks();
        WrittenValue result;
        if (starts_name()) {
            read_word(result);
        } else if (starts_number()) {
            result.number = number();
            if (accept('/')) {
                skip_blanks();
                if (!starts_name() || name() != "d") expected("'d' after '/'");
                result.kind = WrittenValue::Kind::per_column;
            } else if (multiples && accept('*')) {
                if (starts_name()) read_word(result);
                if (result.kind != WrittenValue::Kind::rule) expected("auto, median or mean after '*'");
            }
        } else {
            expected("a value (a number, a number/d, auto, median, mean or a name)");
        }
        return result;
    }

    void read_word(WrittenValue& result) {
        result.word = name();
        const bool rule = result.word == "auto" || result.word == "median" || result.word == "mean";
        result.kind = rule ? WrittenValue::Kind::rule : WrittenValue::Kind::word;
    }

    double number() {
        const std::size_t start = at_;
        if (text_[at_] == '+' || text_[at_] == '-') ++at_;
        while (at_ < text_.size() && continues_number()) ++at_;
        const auto digits = text_.substr(start, at_ - start);
        const auto parsed = parse_number(digits);
        if (!parsed) fail_at(static_cast<Index>(start) + 1, in_quotes(digits) + " is no finite number");
        return *parsed;
    }

    bool continues_number() const {
        const char c = text_[at_];
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E') return true;
        return (c == '+' || c == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
    }

    std::string name() {
        const std::size_t start = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
            ++at_;
        }
        return std::string(text_.substr(start, at_ - start));
    }

    bool starts_name() {
        skip_blanks();
        return at_ < text_.size() &&
               (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_');
    }

    bool starts_number() {
        skip_blanks();
        if (at_ == text_.size()) return false;
        const char c = text_[at_];
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }
    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }
    bool peek(char c) { return !at_end() && text_[at_] == c; }
    bool accept(char c) {
        if (!peek(c)) return false;
        ++at_;
        return true;
    }
    void require(char c) {
        if (!accept(c)) expected(text("'", c, "'"));
    }
    Index position() const { return static_cast<Index>(at_) + 1; }

    [[noreturn]] void expected(const std::string& what) {
        const std::string found = at_end() ? "the end" : in_quotes(text_.substr(at_, 20));
        fail_at(position(), text("expected ", what, ", found ", found));
    }

    /// Counts the depth of the recursion so that hostile text cannot exhaust the stack.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_(parser) {
            if (++parser_.depth_ > deepest_nesting) {
                fail_at(parser_.position(), text("nested deeper than ", deepest_nesting));
            }
        }
        ~Nesting() { --parser_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

void fail_at(Index position, const std::string& message) {
    fail(Status::invalid_kernel, "specification, character ", position, ": ", message);
}

Expression parse_expression(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace dk
