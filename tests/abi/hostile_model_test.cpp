// SPDX-License-Identifier: Apache-2.0
// These model files are made to do harm: the checksum is right, the content is not. Each is refused, or is a
// model that answers every question without harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"
#include "model_bytes.hpp"
#include "structures.hpp"

namespace dk_test::hostile_model_test {
namespace {

/// Gives the model in the bytes, or none where they are refused; any other status than these two is a
/// failure.
Model read(const Bytes& bytes) {
    dk_model* out = nullptr;
    const dk_status status = dk_model_read(&out, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_TRUE(status == DK_OK || status == DK_ERR_MODEL_FORMAT)
        << dk_status_name(status) << ": " << dk_last_error();
    EXPECT_EQ(status == DK_OK, out != nullptr);
    return Model(out);
}

void expect_no_internal_error(dk_status status) {
    EXPECT_NE(status, DK_ERR_INTERNAL) << dk_last_error();
}

/// Asks for everything that has a size fit for a test.
void question(const Model& model, const Data& data) {
    const dk_model* m = model.get();
    const dk_data* d = data.get();
    const int64_t rows = dk_data_rows(d);
    constexpr int64_t room = 1 << 14;
    std::vector<double> numbers(room);
    std::vector<int64_t> integers(room);
    std::vector<char> text(room);
    double* x = numbers.data();
    int64_t* k = integers.data();
    int64_t needed = 0;
    const int64_t functions = dk_model_decision_count(m);
    const int64_t prototypes = dk_model_prototype_count(m);
    const int64_t classes = dk_model_class_count(m);
    const auto ask = [&](int64_t a, int64_t b, auto&& call) {
        if (a > 0 && b > 0 && a <= room / b) expect_no_internal_error(call(a * b));
    };
    ask(rows, 1, [&](int64_t n) { return dk_predict(x, n, m, d, nullptr); });
    ask(rows, functions, [&](int64_t n) { return dk_decision(x, n, m, d, nullptr); });
    ask(rows, classes, [&](int64_t n) { return dk_probability(x, n, m, d, nullptr); });
    ask(rows, classes > 0 ? classes : 2, [&](int64_t n) { return dk_predict_set(x, n, m, d, 0.4, nullptr); });
    ask(rows, prototypes, [&](int64_t n) { return dk_explain(x, n, m, d, nullptr); });
    ask(classes, classes, [&](int64_t n) { return dk_confusion(k, n, m, d, nullptr); });
    ask(classes, 1, [&](int64_t n) { return dk_model_classes(k, n, m); });
    ask(prototypes, 1, [&](int64_t n) { return dk_model_prototype_classes(k, n, m); });
    ask(functions, 1, [&](int64_t n) { return dk_model_prototype_offsets(x, x + n, n, m); });
    ask(functions, 1, [&](int64_t n) { return dk_model_normals(x, n, m); });
    ask(dk_model_kernel_count(m), 1, [&](int64_t n) { return dk_model_kernel_weights(x, n, m); });
    ask(prototypes, dk_model_training_rows(m),
        [&](int64_t n) { return dk_model_prototype_coefficients(x, n, m); });
    ask(prototypes, dk_model_feature_count(m),
        [&](int64_t n) { return dk_model_prototype_coordinates(x, n, m); });
    ask(prototypes, dk_model_prototype_neighbours(m),
        [&](int64_t n) { return dk_model_prototype_nearest(k, x, n, m); });
    expect_no_internal_error(dk_model_info(text.data(), room, &needed, m));
    expect_no_internal_error(dk_model_warnings(text.data(), room, &needed, m));
    expect_no_internal_error(dk_model_drift(x, nullptr, nullptr, m, d, d, 1, nullptr));
    dk_model* moved = nullptr;
    expect_no_internal_error(dk_move_threshold(&moved, m, d, "miss_cost=2", nullptr));
    dk_model_free(moved);
    const int64_t first = 0;
    for (const dk_data* further : {d, static_cast<const dk_data*>(nullptr)}) {
        dk_model* updated = nullptr;
        expect_no_internal_error(dk_model_update(&updated, m, further, &first, 1, nullptr));
        dk_model_free(updated);
    }
    ask(dk_data_rows(d), 2, [&](int64_t n) { return dk_novelty(x, n, m, d, nullptr); });
    expect_no_internal_error(dk_model_class_name(text.data(), room, &needed, m, 0));
    expect_no_internal_error(dk_model_kernel_name(text.data(), room, &needed, m, 0));
    expect_no_internal_error(dk_model_write(text.data(), room, &needed, m));
}

struct Case {
    std::string name, machine, settings;
    int kind;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class HostileModel : public testing::TestWithParam<Case> {
  protected:
    static Data make_data(int kind) {
        const Problem problem = make_problem(6, 2, 2, 3.0, 61);
        if (kind == DK_KIND_DENSE) return dense(problem);
        if (kind == DK_KIND_SPARSE) return sparse(problem);
        if (kind == DK_KIND_SERIES) return series(6, 2, 61);
        if (kind == DK_KIND_STRINGS) return strings(6, 61);
        if (kind == DK_KIND_GRAPHS) return graphs(6, 61);
        Data data =
            gram(values_of<double>(36, dk_gram, dense(problem).get(), nullptr, "linear", nullptr), 6, 6);
        check(dk_data_set_labels(data.get(), problem.labels.data(), 6));
        return data;
    }

    const Data data = make_data(GetParam().kind);
    const Bytes bytes = bytes_of(train(data, GetParam().machine.c_str(), GetParam().settings).get());
};

TEST_P(HostileModel, SealingKeepsAnHonestModel) {
    EXPECT_EQ(sealed(bytes), bytes) << "the frame above is that of the file";
    const Model model = read(bytes);
    ASSERT_NE(model, nullptr);
    question(model, data);
}

TEST_P(HostileModel, NewerMajorVersionIsRefusedByItsNumber) {
    for (const uint64_t version : {5U, 77U, 0xFFFFFFFFU}) {
        Bytes newer = bytes;
        put(newer, version_at, version, 4);
        for (const Bytes& file : {newer, sealed(newer)}) {
            expect_no_handle<dk_model>(
                [&](dk_model** out) {
                    return dk_model_read(out, file.data(), static_cast<int64_t>(file.size()), nullptr);
                },
                DK_ERR_MODEL_FORMAT, {"version", std::to_string(version)});
        }
    }
}

TEST_P(HostileModel, EveryTruncationOfThePayload) {
    for (std::size_t size = payload_at; size < bytes.size(); ++size) {
        const Bytes cut = sealed(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
        EXPECT_EQ(read(cut), nullptr) << size;
    }
}

TEST_P(HostileModel, EveryByteOfThePayloadChanged) {
    // Sanitizers make each try many times slower, so only one is made for every other byte, and another one
    // for the next of these.
    const std::size_t step = slowed_down() ? 2 : 1;
    for (std::size_t at = payload_at; at < bytes.size(); at += step) {
        const std::array values{0x00, 0x7f, 0xff, bytes[at] ^ 0x01, bytes[at] ^ 0x20};
        const std::size_t tried = slowed_down() ? 1 : values.size();
        for (std::size_t next = 0; next < tried; ++next) {
            const int value = values[(2 * at + next) % values.size()];
            Bytes changed = bytes;
            changed[at] = static_cast<unsigned char>(value);
            const Model model = read(sealed(changed));
            if (model) question(model, data);
            if (HasFailure()) FAIL() << "byte " << at << " is " << value;
        }
    }
}

void expect_refused(const Bytes& bytes, const std::vector<std::string>& words) {
    const Bytes file = sealed(bytes);
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_model_read(out, file.data(), static_cast<int64_t>(file.size()), nullptr);
        },
        DK_ERR_MODEL_FORMAT, words);
}

TEST_P(HostileModel, BlocksThatDoNotFitAreRefused) {
    Bytes longer = bytes;
    longer.insert(longer.end(), 16, 0);
    expect_refused(longer, {"16 bytes of no block"});
    expect_refused(Bytes(bytes.begin(), bytes.end() - 8), {"a block of"});
    for (const uint64_t length : {uint64_t{0}, uint64_t{bytes.size()}, ~uint64_t{0}}) {
        Bytes changed = bytes;
        put(changed, payload_at, length, 8);
        expect_refused(changed, {"description", std::to_string(length)});
    }
    expect_refused(Bytes(bytes.begin(), bytes.begin() + payload_at + 5), {"description"});
}

TEST_P(HostileModel, DescriptionsThatNestWithoutEndAreRefused) {
    // A text or byte string of indefinite length within another one, 50,000 deep, and arrays and maps
    // likewise.
    constexpr std::array<unsigned char, 7> heads{0x7f, 0x5f, 0x9f, 0xbf, 0x81, 0xa1, 0xc0};
    for (const unsigned char head : heads) {
        Bytes deep(bytes.begin(), bytes.begin() + payload_at);
        constexpr std::size_t depth = 50000;
        deep.resize(payload_at + 8);
        put(deep, payload_at, depth, 8);
        deep.insert(deep.end(), depth, head);
        expect_refused(deep, {"damaged"});
    }
}

TEST_P(HostileModel, RandomDamage) {
    Random random(62);
    for (int round = 0; round < 1500; ++round) {
        Bytes changed = bytes;
        for (std::size_t damage = random.below(6) + 1; damage > 0; --damage) {
            const std::size_t at = payload_at + random.below(changed.size() - payload_at);
            const auto place = changed.begin() + static_cast<std::ptrdiff_t>(at);
            switch (random.below(3)) {
                case 0:
                    *place = static_cast<unsigned char>(random.below(256));
                    break;
                case 1:
                    changed.insert(place, static_cast<unsigned char>(random.below(256)));
                    break;
                default:
                    changed.erase(place);
                    break;
            }
        }
        const Model model = read(sealed(changed));
        if (model) question(model, data);
        if (HasFailure()) FAIL() << "round " << round;
    }
}

TEST(HostileModels, RowsOfAnotherKindThanTheSupportRows) {
    const Problem problem = make_problem(60, 3, 10, 3.0, 61);
    // CBOR writes 0x60 plus the length before a short text: d, e and f for 4, 5 and 6 characters.
    const std::array<std::string, 2> texts{"ddataedense", "ddatafsparse"};
    const std::array<Data, 2> data{dense(problem), sparse(problem)};
    for (const std::size_t kind : {0U, 1U}) {
        const Bytes bytes = bytes_of(train(data[kind], "svm", "kernel=linear multiclass=ovo").get());
        const Model model = read(sealed(with_part(bytes, texts[kind], texts[1 - kind])));
        if (!model) continue;  // Refusing to read it is as good.
        for (const Data& rows : data) question(model, rows);
        std::vector<double> labels(60);
        EXPECT_NE(dk_predict(labels.data(), 60, model.get(), data[1 - kind].get(), nullptr), DK_OK);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, HostileModel,
    testing::Values(
        Case{"dense", "svm",
             "kernel=[linear,rbf(gamma=1)] scale=standard neighbours=2 probability=yes folds=2",
             DK_KIND_DENSE},
        Case{"sparse", "fisher", "kernel=linear neighbours=2", DK_KIND_SPARSE},
        Case{"dictionary", "iskpl", "kernel=rbf(gamma=1) prototypes=2 neighbours=2", DK_KIND_DENSE},
        Case{"nearest", "kglvq", "kernel=rbf(gamma=1) prototypes=2 neighbours=2", DK_KIND_DENSE},
        Case{"reconstruction", "mkldpl", "kernel=rbf(gamma=1) atoms=2 neighbours=2", DK_KIND_DENSE},
        Case{"levels", "dkmld", "kernel=rbf(gamma=1) prototypes=2 neighbours=2", DK_KIND_DENSE},
        Case{"free", "super_sparse", "kernel=rbf(gamma=1) prototypes=3 max_iterations=3 neighbours=2",
             DK_KIND_DENSE},
        Case{"gram", "mean_of_class", "kernel=gram(0) neighbours=2", DK_KIND_GRAM},
        Case{"series", "svm", "kernel=each_channel(gak) weights=dimkl1 neighbours=2", DK_KIND_SERIES},
        Case{"strings", "fisher", "kernel=normalize(spectrum(length=2)) neighbours=2", DK_KIND_STRINGS},
        Case{"updatable", "svm", "kernel=rbf(gamma=1) updatable=yes novelty=yes neighbours=2", DK_KIND_DENSE},
        Case{"clusters", "kernel_k_means", "kernel=rbf(gamma=1) clusters=2 neighbours=2", DK_KIND_DENSE},
        Case{"updatable_ridge", "kelm", "kernel=linear updatable=yes neighbours=2", DK_KIND_SPARSE},
        Case{"graphs", "mean_of_class", "neighbours=2", DK_KIND_GRAPHS},
        Case{"ranks", "mean_of_class", "scale=ranks impute=mean neighbours=2", DK_KIND_DENSE},
        Case{"imputed", "mean_of_class", "impute=mean neighbours=2", DK_KIND_DENSE},
        Case{"sets", "mean_of_class",
             "confidence=0.5 confidence_by_class=yes kernel=rbf(gamma=1) neighbours=2", DK_KIND_DENSE},
        Case{"layers", "mean_of_class",
             "scale_rows=l2 layers=[kernel_pca([rbf(gamma=1),linear],components=3),anova_f(2)] neighbours=2",
             DK_KIND_DENSE},
        Case{"layer_of_strings", "mean_of_class",
             "layers=kernel_pca(normalize(spectrum(length=2)),components=2) neighbours=2", DK_KIND_STRINGS},
        Case{"lowrank", "svm", "kernel=lowrank(rbf(gamma=1), rank=3) neighbours=2", DK_KIND_DENSE},
        Case{"random_features", "mean_of_class",
             "kernel=lowrank(rbf(gamma=1), rank=4, method=random) neighbours=2", DK_KIND_DENSE},
        Case{"corrected_bank", "mean_of_class",
             "kernel=[corrected(sigmoid(gamma=2, coef0=-1), method=flip),"
             "corrected(sigmoid(gamma=2, coef0=-1), method=shift)] neighbours=2",
             DK_KIND_DENSE},
        Case{"center_of_gram", "mean_of_class", "kernel=center(gram(0)) neighbours=2", DK_KIND_GRAM},
        Case{"lowrank_of_strings", "mean_of_class",
             "kernel=center(lowrank(spectrum(length=2), rank=2)) neighbours=2", DK_KIND_STRINGS}),
    [](const auto& information) { return information.param.name; });

}  // namespace
}  // namespace dk_test::hostile_model_test
