// SPDX-License-Identifier: Apache-2.0
#include "base/usable_name.hpp"

#include "base/text.hpp"
#include "base/unicode.hpp"

namespace dk {

std::string why_no_name(std::string_view name) {
    if (name.size() > longest_name)
        return text("has ", name.size(), " bytes; a name has at most ", longest_name);
    if (!is_utf8(name)) return "is no UTF-8; encoding=latin1 reads files of older programs";
    return "";
}

}  // namespace dk
