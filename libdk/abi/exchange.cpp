// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"
#include "exchange/export_model.hpp"
#include "exchange/import_model.hpp"
#include "model/file/model_file.hpp"

using namespace dk;
using namespace dk::abi;

dk_status dk_model_import(dk_model** out, const char* path, const char* format, dk_control* control) {
    return guarded_create(out, [&] {
        const std::string name(required_text(path, "path"));
        const ImportOptions options = import_options(format == nullptr ? "" : format);
        Call call(control, "importing");
        Model model = import_model(name, options, call.control());
        require_finite_numbers(model);
        call.finish();
        return model;
    });
}

dk_status dk_model_export(const dk_model* model, const char* path, const char* format) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        const std::string name(required_text(path, "path"));
        export_model(value, name, required_text(format, "format"));
    });
}
