// SPDX-License-Identifier: Apache-2.0
// These tests expect that a model file is whole or not there, on every system.
#include <string>
#include <vector>

#include "saving_models.hpp"

namespace dk_test::saving_models_test {
namespace {

TEST_F(SavingModels, FilesThatAreNotThere) {
    const std::string missing = directory.path("missing.dk");
    const std::string nowhere = directory.path("no/such/folder/model.dk");
    const std::string folder = directory.path("");
    expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_load(out, missing.c_str(), nullptr); },
                               DK_ERR_IO, {"missing.dk"});
    expect_no_handle_in<dk_model>([&](dk_model** out) { return dk_model_load(out, folder.c_str(), nullptr); },
                                  {DK_ERR_IO, DK_ERR_MODEL_FORMAT});
    expect_no_handle<dk_model>([](dk_model** out) { return dk_model_load(out, "", nullptr); }, DK_ERR_IO);
    expect_failure([&] { return dk_model_save(model.get(), nowhere.c_str()); }, DK_ERR_IO, {"folder"});
    expect_failure([&] { return dk_model_save(model.get(), folder.c_str()); }, DK_ERR_IO);
    expect_failure([&] { return dk_model_save(model.get(), ""); }, DK_ERR_IO);
    expect_failure([&] { return dk_model_save(model.get(), std::string(1 << 16, 'p').c_str()); }, DK_ERR_IO);
    EXPECT_TRUE(directory.names().empty()) << "a failed save leaves nothing behind";
}

TEST_F(SavingModels, ReplacesTheOldFileAndLeavesNothingElse) {
    const std::string path = directory.path("model.dk");
    check(dk_model_save(old_model.get(), path.c_str()));
    check(dk_model_save(model.get(), path.c_str()));
    EXPECT_EQ(bytes_of(create<Model>(dk_model_load, path.c_str(), nullptr).get()), bytes_of(model.get()));
    EXPECT_EQ(directory.names(), std::vector<std::string>{"model.dk"});
}

TEST_F(SavingModels, NamesAreUtf8) {
    const std::string name = "mod\u00e8le \u03b1\u4e2d.dk";
    const std::string path = directory.path(name);
    check(dk_model_save(old_model.get(), path.c_str()));
    check(dk_model_save(model.get(), path.c_str()));
    EXPECT_EQ(bytes_of(create<Model>(dk_model_load, path.c_str(), nullptr).get()), bytes_of(model.get()));
    EXPECT_EQ(directory.names(), std::vector<std::string>{name});
}

}  // namespace
}  // namespace dk_test::saving_models_test
