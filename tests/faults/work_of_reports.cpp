// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

namespace dk_test {

namespace {

struct Explaining {
    Control control = create<Control>(dk_control_create);
    Data data = training_rows();
    Model model;
    TemporaryDirectory directory;
    std::string path = directory.path("page.html");
    std::string text = std::string(100000, '\0');

    explicit Explaining(const char* machine) : model(train(data, machine, "kernel=[rbf(gamma=1),linear]")) {
        check(dk_control_set_threads(control.get(), 1));  // The allocations come in the same order each time.
    }
};

dk_status report(Explaining& kept) {
    const dk_model* const model = kept.model.get();
    return dk_report(kept.path.c_str(), &model, 1, kept.data.get(), kept.data.get(), "rows=3 path=C=0.1:1",
                     kept.control.get());
}

dk_status explain(Explaining& kept) {
    int64_t needed = 0;
    return dk_explain_row(kept.text.data(), std::ssize(kept.text), &needed, kept.model.get(), kept.data.get(),
                          1, kept.data.get(), kept.control.get());
}

}  // namespace

std::vector<NamedWork> works_of_reports() {
    return {{"report",
             [] {
                 auto kept = std::make_shared<Explaining>("svm");
                 Explaining* const k = kept.get();
                 return Work{[k] { return report(*k); }, [k] { return k->directory.read("page.html"); },
                             std::move(kept)};
             }},
            {"explain_row", [] {
                 auto kept = std::make_shared<Explaining>("kelm");
                 Explaining* const k = kept.get();
                 return Work{[k] { return explain(*k); }, [k] { return k->text; }, std::move(kept)};
             }}};
}

}  // namespace dk_test
