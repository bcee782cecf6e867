// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"
#include "data/arrow/arrow_data.hpp"
#include "data/arrow/arrow_output.hpp"
#include "exchange/arrow_results.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

/// Makes data of what was taken, which is released whatever is wrong with the other arguments.
template <typename... Structs>
dk_status create_from_arrow(dk_data** out, const char* options, const dk_model* like, dk_control* control,
                            Taken<Structs>... taken) {
    return guarded_create(out, [&] {
        Call call(control, "reading");
        const EarlierFile earlier = like == nullptr ? EarlierFile() : training_file(like->value);
        const ArrowBatches batches = batches_of(std::move(taken)..., call.control());
        Dataset data = data_of_arrow(batches, options == nullptr ? "" : options, earlier, call.control());
        call.finish();
        return data;
    });
}

}  // namespace

dk_status dk_data_from_arrow(dk_data** out, ArrowSchema* schema, ArrowArray* array, const char* options,
                             const dk_model* like, dk_control* control) {
    return create_from_arrow(out, options, like, control, Taken<ArrowSchema>(schema),
                             Taken<ArrowArray>(array));
}

dk_status dk_data_from_arrow_stream(dk_data** out, ArrowArrayStream* stream, const char* options,
                                    const dk_model* like, dk_control* control) {
    return create_from_arrow(out, options, like, control, Taken<ArrowArrayStream>(stream));
}

dk_status dk_predict_arrow(ArrowSchema* out_schema, ArrowArray* out_array, const dk_model* model,
                           const dk_data* data, const char* what, dk_control* control) {
    return guarded([&] {
        if (out_schema != nullptr) out_schema->release = nullptr;
        if (out_array != nullptr) out_array->release = nullptr;
        required(out_schema, "out_schema");
        required(out_array, "out_array");
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        Call call(control, "predicting");
        ArrowResults results;
        add_results(results, what == nullptr ? "prediction" : what, known, value, call.control());
        call.finish();
        results.move_to(*out_schema, *out_array);
    });
}
