// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_input.hpp"

#include <cstring>

#include "base/error.hpp"
#include "base/unicode.hpp"

namespace dk {

namespace {

[[noreturn]] void refuse_stream(ArrowArrayStream& stream, const char* what, int code) {
    constexpr std::size_t longest = 1000;
    const char* told = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
    std::string_view message =
        told != nullptr ? std::string_view(told, strnlen(told, longest)) : std::string_view();
    if (message.size() == longest) {  // A character may be cut.
        while (!message.empty() && !is_utf8(message)) message.remove_suffix(1);
    }
    fail(Status::invalid_data, "the Arrow stream gave no ", what, " (error ", code, ")",
         message.empty() || !is_utf8(message) ? "" : text(": ", message));
}

}  // namespace

ArrowBatches batches_of(Taken<ArrowSchema> schema, Taken<ArrowArray> array, Control& control) {
    if (schema.is_empty()) fail(Status::invalid_argument, "schema is NULL or released");
    if (array.is_empty()) fail(Status::invalid_argument, "array is NULL or released");
    control.check();
    ArrowBatches batches{std::move(schema), {}};
    batches.arrays.push_back(std::move(array));
    return batches;
}

ArrowBatches batches_of(Taken<ArrowArrayStream> stream, Control& control) {
    if (stream.is_empty()) fail(Status::invalid_argument, "stream is NULL or released");
    if (stream->get_schema == nullptr || stream->get_next == nullptr)
        fail(Status::invalid_argument, "stream has no get_schema or no get_next");
    ArrowBatches batches;
    if (const int code = stream->get_schema(stream.get(), batches.schema.get()); code != 0)
        refuse_stream(*stream, "schema", code);
    if (batches.schema.is_empty())
        fail(Status::invalid_data, "the Arrow stream gave a schema that is released");
    while (true) {
        control.check();
        Taken<ArrowArray> next;
        if (const int code = stream->get_next(stream.get(), next.get()); code != 0)
            refuse_stream(*stream, "further rows", code);
        if (next.is_empty()) return batches;
        batches.arrays.push_back(std::move(next));
    }
}

}  // namespace dk
