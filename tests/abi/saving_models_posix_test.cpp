// SPDX-License-Identifier: Apache-2.0
// These tests expect what POSIX lets a program expect of a file that takes another's place: its permissions
// and links, and that neither a killed process nor a full disk takes the old one away; and of files as large
// as no disk.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "saving_models.hpp"

namespace dk_test::saving_models_posix_test {
namespace {

TEST_F(SavingModels, ToAFolderThatCannotBeWrittenKeepsTheOldFile) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const std::string path = directory.path("model.dk");
    check(dk_model_save(old_model.get(), path.c_str()));
    namespace fs = std::filesystem;
    fs::permissions(directory.path(""), fs::perms::owner_read | fs::perms::owner_exec);
    expect_failure([&] { return dk_model_save(model.get(), path.c_str()); }, DK_ERR_IO, {"model.dk"});
    fs::permissions(directory.path(""), fs::perms::owner_all);
    EXPECT_EQ(bytes_of(create<Model>(dk_model_load, path.c_str(), nullptr).get()), bytes_of(old_model.get()));
}

TEST_F(SavingModels, KeepsThePermissionsOfTheOldFile) {
    const std::string path = directory.path("model.dk");
    check(dk_model_save(old_model.get(), path.c_str()));
    for (const mode_t permissions : {0600, 0640, 0644}) {
        ASSERT_EQ(chmod(path.c_str(), permissions), 0);
        check(dk_model_save(model.get(), path.c_str()));
        struct stat status {};
        ASSERT_EQ(stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, permissions);
    }
}

TEST_F(SavingModels, ThroughALinkToNoFileMakesTheFileThere) {
    namespace fs = std::filesystem;
    fs::create_directory(directory.path("kept"));
    for (const std::string& target : {std::string("kept/relative.dk"), directory.path("kept/absolute.dk")}) {
        const std::string link = directory.path("link.dk");
        fs::remove(link);
        fs::create_symlink(target, link);
        check(dk_model_save(model.get(), link.c_str()));
        EXPECT_TRUE(fs::is_symlink(link)) << target;
        EXPECT_EQ(bytes_of(create<Model>(dk_model_load, link.c_str(), nullptr).get()), bytes_of(model.get()));
    }
    EXPECT_TRUE(fs::is_regular_file(directory.path("kept/relative.dk")));
    EXPECT_TRUE(fs::is_regular_file(directory.path("kept/absolute.dk")));
    const std::string self = directory.path("self.dk");
    fs::create_symlink(self, self);
    expect_failure([&] { return dk_model_save(model.get(), self.c_str()); }, DK_ERR_IO, {"self.dk"});
}

TEST_F(SavingModels, FilesThatKilledProcessesLeftAreNotInTheWay) {
    const std::string path = directory.path("model.dk");
    for (int left = 0; left <= 1001; ++left) {
        directory.write("model.dk." + std::to_string(getpid()) + "." + std::to_string(left) + ".tmp", "");
    }
    check(dk_model_save(model.get(), path.c_str()));
    EXPECT_EQ(bytes_of(create<Model>(dk_model_load, path.c_str(), nullptr).get()), bytes_of(model.get()));
}

TEST_F(SavingModels, AProcessThatIsKilledWhileWritingLeavesTheOldFileAndNothingElse) {
    const int unnamed = open(directory.path("").c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (unnamed < 0) GTEST_SKIP() << "this file system has no files without names";
    close(unnamed);
    const std::string path = directory.path("model.dk");
    check(dk_model_save(old_model.get(), path.c_str()));
    const std::string before = directory.read("model.dk");
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_DFL);
        const rlimit none{0, 0};
        const rlimit some{100, 100};
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &some);
        static_cast<void>(dk_model_save(model.get(), path.c_str()));
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) << status;
    EXPECT_EQ(directory.read("model.dk"), before);
    EXPECT_EQ(directory.names(), std::vector<std::string>{"model.dk"});
}

TEST_F(SavingModels, LoadingLooksAtTheHeaderBeforeItReadsAFile) {
    namespace fs = std::filesystem;
    constexpr std::uintmax_t terabyte = std::uintmax_t{1} << 40U;
    const std::string path = directory.write("large.dk", "no model");
    fs::resize_file(path, terabyte);  // It takes no room on the disk.
    expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_load(out, path.c_str(), nullptr); },
                               DK_ERR_MODEL_FORMAT, {"no libdk model"});
    check(dk_model_save(model.get(), path.c_str()));
    std::string header = directory.read("large.dk").substr(0, 28);
    for (std::size_t byte = 0; byte < 8; ++byte)
        header[16 + byte] = static_cast<char>((terabyte - 28) >> (8 * byte));
    fs::resize_file(directory.write("large.dk", header), terabyte);
    expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_load(out, path.c_str(), nullptr); },
                               DK_ERR_MEMORY_BUDGET, {"model file"});
}

/// This acts as if the disk were full: files may not grow beyond this many bytes while it lives.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    using Handler = void (*)(int);
    Handler handler_;
    rlimit before_{};
};

TEST_F(SavingModels, OnAFullDiskKeepsTheOldFile) {
    const std::string path = directory.path("model.dk");
    check(dk_model_save(old_model.get(), path.c_str()));
    const std::string before = directory.read("model.dk");
    for (const rlim_t bytes : {rlim_t{0}, rlim_t{1}, rlim_t{100}}) {
        const FullDisk full(bytes);
        expect_failure([&] { return dk_model_save(model.get(), path.c_str()); }, DK_ERR_IO, {"model.dk"});
        EXPECT_EQ(directory.read("model.dk"), before);
        EXPECT_EQ(directory.names(), std::vector<std::string>{"model.dk"}) << "no temporary file stays";
    }
    check(dk_model_save(model.get(), path.c_str()));
    EXPECT_NE(directory.read("model.dk"), before);
}

}  // namespace
}  // namespace dk_test::saving_models_posix_test
