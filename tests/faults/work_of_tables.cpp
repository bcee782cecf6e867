// SPDX-License-Identifier: Apache-2.0
// Tables of Arrow, whose producer has allocated all before the call.
#include "../abi/arrow_tables.hpp"
#include "work.hpp"

namespace dk_test {

namespace {

/// A table that can be taken again and again: what libdk gets are copies of the outer structs, whose release
/// does nothing.
struct KeptTable {
    arrow::Producer producer;
    ArrowSchema schema{};
    ArrowArray array{};
    Control control = create<Control>(dk_control_create);
    dk_data* made = nullptr;

    explicit KeptTable(const arrow::Column& table)
        : schema(producer.schema(table)), array(producer.array(table)) {
        check(dk_control_set_threads(control.get(), 1));
    }
    ~KeptTable() {
        schema.release(&schema);
        array.release(&array);
    }
    KeptTable(const KeptTable&) = delete;
    KeptTable& operator=(const KeptTable&) = delete;

    dk_status take(const char* options) {
        ArrowSchema schema_again = schema;
        ArrowArray array_again = array;
        schema_again.release = [](ArrowSchema* released) { released->release = nullptr; };
        array_again.release = [](ArrowArray* released) { released->release = nullptr; };
        const dk_status status =
            dk_data_from_arrow(&made, &schema_again, &array_again, options, nullptr, control.get());
        if (schema_again.release != nullptr || array_again.release != nullptr) return DK_ERR_INTERNAL;
        return status;
    }
};

NamedWork taking(const std::string& name, const char* options, const std::function<arrow::Column()>& table) {
    return {name, [=] {
                auto kept = std::make_shared<KeptTable>(table());
                KeptTable* const k = kept.get();
                return Work{[k, options] { return k->take(options); },
                            [k] {
                                const Data data(std::exchange(k->made, nullptr));
                                return data ? text_of(dk_data_describe, data.get(), nullptr) : "";
                            },
                            std::move(kept)};
            }};
}

/// An answer, of which the outcome is the size, because a call that fails leaves none.
struct KeptAnswer {
    Data data = training_rows();
    Model model = train(data, "svm", "probability=yes");
    Control control = create<Control>(dk_control_create);
    ArrowSchema schema{};
    ArrowArray array{};
};

}  // namespace

std::vector<NamedWork> works_of_tables() {
    const arrow::Texts colours{"red", "blue", {}, "red"};
    return {taking("arrow_table", "missing=keep label=class id=name",
                   [=] {
                       return arrow::table(
                           {arrow::doubles("x", {1, 2, 3, 4}), arrow::texts("colour", colours),
                            arrow::dictionary("level", {0, 1, -1, 1}, arrow::texts("", {"a", "b"})),
                            arrow::fixed_lists("v", 1, arrow::doubles("", {1, 2, 3, 4})),
                            arrow::numbers<int64_t>("class", "l", {1, 2, 1, 2}),
                            arrow::texts("name", {"p", "q", "r", "s"})});
                   }),
            taking("arrow_series", "",
                   [] {
                       return arrow::table({arrow::lists("s", {0, 1, 3}, arrow::doubles("", {1, 2, 3})),
                                            arrow::texts("class", {"a", "b"})});
                   }),
            {"arrow_answer", [] {
                 auto kept = std::make_shared<KeptAnswer>();
                 KeptAnswer* const k = kept.get();
                 check(dk_control_set_threads(k->control.get(), 1));
                 return Work{[k] {
                                 return dk_predict_arrow(&k->schema, &k->array, k->model.get(), k->data.get(),
                                                         "prediction,decision,probability,explanation",
                                                         k->control.get());
                             },
                             [k] {
                                 if (k->schema.release == nullptr) return std::string();
                                 const std::string size = std::to_string(k->array.n_children);
                                 k->schema.release(&k->schema);
                                 k->array.release(&k->array);
                                 return size;
                             },
                             std::move(kept)};
             }}};
}

}  // namespace dk_test
