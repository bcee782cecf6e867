// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/error.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "kernel/language/expression.hpp"

namespace dk {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20U;
constexpr int deepest_nesting = 64;
constexpr int highest_power = 100;

class Parser {
  public:
    explicit Parser(std::string_view text) : scanner_(text) {}

    Expression parse() {
        Expression result = sum();
        if (!scanner_.at_end()) expected("'+', '*' or the end");
        return result;
    }

  private:
    Expression sum() {
        return chain('+', Expression::Kind::sum, [this] { return product(); });
    }
    Expression product() {
        return chain('*', Expression::Kind::product, [this] { return power(); });
    }

    /// Operands with one symbol between them, or a single operand.
    template <typename Operand>
    Expression chain(char symbol, Expression::Kind kind, Operand operand) {
        const Index start = scanner_.position();
        Expression first = operand();
        if (!scanner_.sees(symbol)) return first;
        Expression result;
        result.kind = kind;
        result.position = start;
        result.children.push_back(std::move(first));
        while (scanner_.accept(symbol)) result.children.push_back(operand());
        return result;
    }

    Expression power() {
        const Index start = scanner_.position();
        Expression base = factor();
        if (!scanner_.accept('^')) return base;
        scanner_.skip_blanks();
        const Index at = scanner_.position();
        const double exponent = scanner_.sees_number() ? number() : 0;
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
        scanner_.skip_blanks();
        Expression result;
        result.position = scanner_.position();
        if (scanner_.accept('(')) {
            result = sum();
            require(')');
        } else if (scanner_.accept('[')) {
            result.kind = Expression::Kind::bank;
            do result.children.push_back(sum());
            while (scanner_.accept(','));
            require(']');
        } else if (scanner_.sees_number()) {
            result.number = number();
        } else if (scanner_.sees_name()) {
            result.kind = Expression::Kind::call;
            result.name = scanner_.name();
            if (scanner_.accept('(')) result.arguments = arguments();
        } else {
            expected("a kernel, a number, '(' or '['");
        }
        return result;
    }

    std::vector<Argument> arguments() {
        std::vector<Argument> result;
        if (scanner_.accept(')')) return result;
        do result.push_back(argument());
        while (scanner_.accept(','));
        require(')');
        return result;
    }

    Argument argument() {
        scanner_.skip_blanks();
        Argument result;
        result.position = scanner_.position();
        if (scanner_.sees_name()) {
            const std::string_view key = scanner_.name();
            if (scanner_.accept('=')) {
                result.key = key;
                result.values = value_list(true);
                return result;
            }
            scanner_.return_to(result.position);
        }
        // An argument without a key is a list of numbers where a comma or the end follows the numbers, and a
        // kernel elsewhere.
        if (scanner_.sees_number()) {
            result.values = value_list(false);
            if (scanner_.sees(',') || scanner_.sees(')')) return result;
            scanner_.return_to(result.position);
            result.values.clear();
        }
        result.expression = std::make_shared<const Expression>(sum());
        return result;
    }

    /// Multiples of rules are allowed behind a key alone, for elsewhere 2*name is a kernel with a weight.
    std::vector<WrittenValue> value_list(bool multiples) {
        std::vector<WrittenValue> values;
        do values.push_back(value(multiples));
        while (scanner_.accept(':'));
        return values;
    }

    WrittenValue value(bool multiples) {
        scanner_.skip_blanks();
        WrittenValue result;
        if (scanner_.sees_name()) {
            read_word(result);
        } else if (scanner_.sees_number()) {
            result.number = number();
            if (scanner_.accept('/')) {
                scanner_.skip_blanks();
                if (!scanner_.sees_name() || scanner_.name() != "d") expected("'d' after '/'");
                result.kind = WrittenValue::Kind::per_column;
            } else if (multiples && scanner_.accept('*')) {
                if (scanner_.sees_name()) read_word(result);
                if (result.kind != WrittenValue::Kind::rule) expected("auto, median or mean after '*'");
            }
        } else {
            expected("a value (a number, a number/d, auto, median, mean or a name)");
        }
        return result;
    }

    void read_word(WrittenValue& result) {
        result.word = scanner_.name();
        const bool rule = result.word == "auto" || result.word == "median" || result.word == "mean";
        result.kind = rule ? WrittenValue::Kind::rule : WrittenValue::Kind::word;
    }

    double number() {
        const Index start = scanner_.position();
        const std::string_view digits = scanner_.number();
        const auto parsed = parse_number(digits);
        if (!parsed) fail_at(start, in_quotes(digits) + " is no finite number");
        return *parsed;
    }

    void require(char c) {
        if (!scanner_.accept(c)) expected(text("'", c, "'"));
    }

    [[noreturn]] void expected(const std::string& what) {
        const std::string found = scanner_.at_end() ? "the end" : in_quotes(scanner_.preview(20));
        fail_at(scanner_.position(), text("expected ", what, ", found ", found));
    }

    /// Counts the depth of the recursion, so that no text can exhaust the stack.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_(parser) {
            if (++parser_.depth_ > deepest_nesting) {
                fail_at(parser_.scanner_.position(), text("nested deeper than ", deepest_nesting));
            }
        }
        ~Nesting() { --parser_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };

    Scanner scanner_;
    int depth_ = 0;
};

}  // namespace

void fail_at(Index position, const std::string& message) {
    fail(Status::invalid_kernel, "specification, character ", position, ": ", message);
}

Expression parse_expression(std::string_view text) {
    if (text.size() > longest_text) {
        fail(Status::invalid_kernel, "the specification has ", text.size(), " characters; allowed are ",
             longest_text);
    }
    return Parser(text).parse();
}

}  // namespace dk
