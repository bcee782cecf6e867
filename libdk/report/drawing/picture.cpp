// SPDX-License-Identifier: Apache-2.0
// Pictures stand in the page as PNG files of grey values (Portable Network Graphics, ISO/IEC 15948): a
// signature and blocks of length, name, content and check sum, of which the picture's rows are compressed by
// zlib, each after the number of its filter.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"

namespace dk {

namespace {

void append_number(std::string& out, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>((number >> unsigned(shift)) & 0xFFU);
}

void append_block(std::string& out, std::string_view name, std::string_view content) {
    append_number(out, static_cast<std::uint32_t>(content.size()));
    const std::string checked = text(name, content);
    out += checked;
    const auto* bytes = reinterpret_cast<const Bytef*>(checked.data());
    append_number(out, static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(checked.size()))));
}

std::string compressed(std::string_view bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), 9);
    if (status != Z_OK) throw std::bad_alloc();  // There is no other reason.
    out.resize(size);
    return out;
}

std::string base64(std::string_view bytes) {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= bytes.size() ? digits[(three >> (18U - 6U * k)) & 63U] : '=';
    }
    return out;
}

}  // namespace

std::string picture(std::span<const double> values, Index width, Index height, const std::string& caption) {
    double low = infinity;
    double high = -infinity;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    const double range = high > low ? high - low : 1;
    std::string rows;
    for (Index y = 0; y < height; ++y) {
        rows += '\0';
        for (Index x = 0; x < width; ++x) {
            const double value = values[y * width + x];
            rows += static_cast<char>(std::isfinite(value) ? std::lround(255 * (value - low) / range) : 0);
        }
    }
    std::string head;
    append_number(head, static_cast<std::uint32_t>(width));
    append_number(head, static_cast<std::uint32_t>(height));
    head += std::string_view("\x08\0\0\0\0", 5);  // eight bits of grey
    std::string file = "\x89PNG\r\n\x1a\n";
    append_block(file, "IHDR", head);
    append_block(file, "IDAT", compressed(rows));
    append_block(file, "IEND", "");
    return text("<img src=\"data:image/png;base64,", base64(file), "\" alt=\"", escaped(caption),
                "\" title=\"", escaped(caption), "\">");
}

}  // namespace dk
