// SPDX-License-Identifier: Apache-2.0
// A model file says in words what it is, and these words are shown to people and written into what is
// exported: a forged one must say nothing there that would be run, or tell a terminal what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "model_bytes.hpp"

namespace dk_test::forged_names_test {
namespace {

const std::string closes_comment = "svm */\n__attribute__((constructor)) static void forged(void) { } /* ";
const std::string moves_cursor = "svm\x1b[2J";

class ForgedNames : public testing::Test {
  protected:
    const Data data = dense(make_problem(24, 2, 2, 3.0, 5));
    const Bytes bytes = bytes_of(train(data, "svm", "kernel=rbf(gamma=1)").get());

    static Model read(const Bytes& changed) {
        const Bytes file = sealed(changed);
        return create<Model>(dk_model_read, static_cast<const void*>(file.data()),
                             static_cast<int64_t>(file.size()), nullptr);
    }

    static void expect_refused(const Bytes& changed, const Words& words, Place where = Place::current()) {
        const Bytes file = sealed(changed);
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_model_read(out, file.data(), static_cast<int64_t>(file.size()), nullptr);
            },
            DK_ERR_MODEL_FORMAT, words, where);
        const std::string message = dk_last_error();
        EXPECT_TRUE(std::ranges::none_of(message, [](char c) { return c >= 0 && c < ' '; })) << message;
    }
};

TEST_F(ForgedNames, OfTheMachineAreRefused) {
    for (const std::string& forged :
         {closes_comment, moves_cursor, std::string("svm\xff"), std::string("no_machine"), std::string()})
        expect_refused(with_field(bytes, "machine", "svm", forged), {"machine"});
}

TEST_F(ForgedNames, OfTheTaskAreRefused) {
    for (const std::string& forged : {closes_comment, moves_cursor, std::string("novelty")})
        expect_refused(with_field(bytes, "task", "classification", forged), {"task"});
}

TEST_F(ForgedNames, OfAnotherTasksMachineAreRefused) {
    expect_refused(with_field(bytes, "machine", "svm", "svr"), {"task", "svr", "regression"});
}

TEST_F(ForgedNames, OfKernelsAreRefused) {
    const std::string bank = cbor_text("kernels") + "\x81";
    for (const std::string& forged : {closes_comment, moves_cursor, std::string("rbf(gamma=1) */")}) {
        expect_refused(with_field(bytes, "kernel", "rbf(gamma=1)", forged), {});
        expect_refused(with_part(bytes, bank + cbor_text("rbf(gamma=1)"), bank + cbor_text(forged)), {});
    }
}

TEST_F(ForgedNames, OfAnotherKernelDoNotHideTheOneThatDecides) {
    const Model model = read(with_field(bytes, "kernel", "rbf(gamma=1)", "linear"));
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    EXPECT_EQ(info.at("kernel"), "rbf(gamma=1)");
}

TEST_F(ForgedNames, OfParametersAreRefused) {
    const auto with_parameter = [&](const std::string& name, const std::string& value) {
        return with_part(bytes, cbor_text("tolerance") + cbor_text("0.001"),
                         cbor_text(name) + cbor_text(value));
    };
    expect_refused(with_parameter(closes_comment, "0.001"), {"parameter"});
    expect_refused(with_parameter("tolerance", "0.001 */"), {"tolerance", "0.001 */"});
    expect_refused(with_parameter("of_a_newer_library", moves_cursor), {"of_a_newer_library"});
    EXPECT_NE(read(with_parameter("of_a_newer_library", "any")), nullptr);
}

TEST_F(ForgedNames, OfWarningsAreRefused) {
    Problem problem = make_problem(40, 2, 2, 3.0, 5);
    for (std::size_t i = 0; i < 40; ++i) problem.x[2 * i] = 7;
    const Data constant = dense(problem);
    const std::string bell = "f1\a";
    const char* names[] = {bell.c_str(), "f2"};
    check(dk_data_set_feature_names(constant.get(), names, 2));
    const Model honest = train(constant, "svm", "kernel=rbf(gamma=1)");
    const Bytes file = bytes_of(honest.get());
    EXPECT_NE(read(file), nullptr);
    const auto told = nlohmann::json::parse(text_of(dk_model_warnings, honest.get())).at("warnings").at(0);
    const std::string sentence = told.at("text");
    EXPECT_NE(sentence.find("f1?"), std::string::npos) << sentence;
    for (const std::string& forged : {moves_cursor, std::string("\xff")}) {
        expect_refused(with_part(file, cbor_text(sentence), cbor_text(forged)), {"warning"});
        expect_refused(with_part(file, cbor_text("constant columns"), cbor_text(forged)), {"warning"});
    }
}

TEST_F(ForgedNames, OfFilesThatWereExportedAreWordsOfTheRegistries) {
    const TemporaryDirectory directory;
    const Model model = read(with_field(bytes, "kernel", "rbf(gamma=1)", "linear"));
    check(dk_model_export(model.get(), directory.path("model.c").c_str(), "c"));
    const std::string source = directory.read("model.c");
    EXPECT_EQ(source.find("*/"), source.find("*/\n#include <math.h>")) << source.substr(0, 400);
    EXPECT_NE(source.find("machine svm, "), std::string::npos);
    EXPECT_NE(source.find("kernel rbf(gamma=1)."), std::string::npos);
}

TEST_F(ForgedNames, ParametersStandOnOneLineInTheModel) {
    const Params params = create<Params>(dk_params_create, "svm");
    check(dk_params_set(params.get(), "kernel", "[rbf(gamma=1),\n\tlinear]"));
    const Model of_lines = create<Model>(dk_train, data.get(), params.get(), nullptr);
    const Model again = read(bytes_of(of_lines.get()));
    const auto info = nlohmann::json::parse(text_of(dk_model_info, again.get()));
    EXPECT_EQ(info.at("parameters").at("kernel"), "[rbf(gamma=1),  linear]");
}

TEST_F(ForgedNames, OfWhatTrainingToldAreADamagedModel) {
    const Bytes ridge = bytes_of(train(data, "kelm", "kernel=rbf(gamma=1)").get());
    for (const std::string forged : {"{}", R"({"functions":[]})", R"({"C":"many"})", R"({"functions":3})"}) {
        const Model model = read(with_any_field(ridge, "training_report", forged));
        int64_t needed = 0;
        std::vector<char> room(1 << 16);
        const dk_status status = dk_explain_row(room.data(), std::ssize(room), &needed, model.get(),
                                                data.get(), 0, data.get(), nullptr);
        EXPECT_TRUE(status == DK_OK || status == DK_ERR_MODEL_FORMAT) << dk_last_error();
        if (status == DK_OK) continue;
        EXPECT_EQ(std::string(dk_last_error()).find("json"), std::string::npos) << dk_last_error();
    }
}

TEST_F(ForgedNames, NoParameterIsMissedWhereAFileHasNone) {
    // A model without the parameters that only some questions ask for answers these by the defaults.
    for (const std::string parameter : {"class_weight", "multiclass", "precision", "tolerance", "loss"}) {
        const auto info = nlohmann::json::parse(text_of(dk_model_info, read(bytes).get()));
        const std::string value = info.at("parameters").at(parameter);
        const Model model = read(with_part(bytes, cbor_text(parameter) + cbor_text(value),
                                           cbor_text("former_name") + cbor_text(value)));
        int64_t needed = 0;
        std::vector<char> room(1 << 16);
        EXPECT_EQ(dk_explain_row(room.data(), std::ssize(room), &needed, model.get(), data.get(), 0,
                                 data.get(), nullptr),
                  DK_OK)
            << parameter << ": " << dk_last_error();
    }
}

}  // namespace
}  // namespace dk_test::forged_names_test
