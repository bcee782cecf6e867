// SPDX-License-Identifier: Apache-2.0
// dk is libdk on the command line. It uses the public C++ interface alone.
#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "commands.hpp"
#include "control.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "output/proposals.hpp"
#include "output/terminal.hpp"
#include "system.hpp"

namespace {

// The exit code is 0 if all is done, 1 if something was refused or failed, 2 for wrong usage, and 130 after
// Ctrl-C.
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int fail(const std::string& message, const std::string& remedy = "") {
    const std::string mark = command::toned(command::Tone::warning, "dk:", command::Stream::error);
    std::fprintf(stderr, "%s %s\n", mark.c_str(), command::printable(message).c_str());
    if (!remedy.empty()) std::fprintf(stderr, "%s\n", command::printable(remedy).c_str());
    return kFailed;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // The user asked for --help or --version.
    const auto chosen = app.get_subcommands();
    const std::string name = chosen.empty() ? "dk" : "dk " + chosen.front()->get_name();
    std::string message = error.what();
    if (chosen.empty() && app.remaining_size() > 0) {
        const std::string typed = app.remaining().front();
        const std::string closest = command::closest_subcommand(app, typed);
        message = "there is no subcommand '" + typed + "'" +
                  (closest.empty() ? "" : "; nearest is '" + closest + "'");
    }
    fail(message, "Try '" + name + " --help'.");
    return kWrongUsage;
}

void add_subcommands(CLI::App& app) {
    using namespace command;
    add_data(app);
    add_train(app);
    add_predict(app);
    add_weights(app);
    add_prototypes(app);
    add_explain(app);
    add_report(app);
    add_info(app);
    add_describe(app);
    add_cross_validate(app);
    add_tune(app);
    add_mkl_compare(app);
    add_prototypes_compare(app);
    add_compress(app);
    add_threshold(app);
    add_update(app);
    add_drift(app);
    add_import(app);
    add_export(app);
    add_path(app);
    add_gram(app);
    add_completion(app);
    add_man(app);
}

int run(std::vector<std::string> arguments) {
    CLI::App app("dk trains and applies kernel machines with deep kernels, multiple kernels and prototypes",
                 "dk");
    app.allow_windows_style_options(false);  // On Windows too, what begins with / is the name of a file.
    app.require_subcommand(1);
    app.set_version_flag("--version", [] { return libdk::build_info(); });
    add_subcommands(app);
    try {
        std::ranges::reverse(arguments);  // The parser takes them from the end.
        app.parse(std::move(arguments));
        return 0;
    } catch (const CLI::ParseError& error) {
        return report_usage(app, error);
    } catch (const command::LibraryError& error) {
        if (error.status() == libdk::Status::cancelled) throw;
        return fail(error.what(), command::remedy_for(app, error.what()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    command::keep_memory();
    command::install_interrupt_handler();
    try {
        return run(command::start(argc, argv));
    } catch (const command::LibraryError& error) {
        return error.status() == libdk::Status::cancelled ? command::report_cancelled() : fail(error.what());
    } catch (const std::bad_alloc&) {
        return fail("out of memory");
    } catch (const command::Json::exception&) {
        return fail("damaged model: what it tells of its training is not what training writes");
    } catch (const std::runtime_error& error) {
        return fail(error.what());
    } catch (const std::exception&) {
        // What the standard library says of itself, such as "map::at", helps nobody.
        return fail("an unexpected failure inside dk, which is a defect of it; please report it");
    }
}
