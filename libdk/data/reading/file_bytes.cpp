// SPDX-License-Identifier: Apache-2.0
#include "data/reading/file_bytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

constexpr std::size_t block_size = std::size_t{1} << 18U;

void end_stream(z_stream_s* stream) {
    inflateEnd(stream);
    const std::unique_ptr<z_stream_s> owned(stream);
}

std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> gzip_stream() {
    constexpr int gzip_headers = 16;  // zlib adds this to the size of the window to say so.
    auto stream = std::make_unique<z_stream_s>();
    if (inflateInit2(stream.get(), MAX_WBITS + gzip_headers) != Z_OK) throw std::bad_alloc();
    return {stream.release(), end_stream};
}

Descriptor opened(const std::string& path) {
    Descriptor file = open_to_read(path);
    if (!file.is_open() && errno == ENOMEM) throw std::bad_alloc();
    if (!file.is_open()) fail_with_file("open", path);
    return file;
}

}  // namespace

FileBytes::FileBytes(const std::string& path) : path_(path), stream_(nullptr, end_stream) {
    const auto facts = facts_of(path);
    if (!facts) fail_with_file("open", path);
    if (facts->is_folder) fail(Status::io, "cannot read ", in_quotes(path), ": it is a directory");
    size_on_disk_ = std::max<std::int64_t>(facts->bytes, 0);
    file_ = opened(path);
    block_.resize(block_size);
    constexpr std::uint8_t first = 0x1F;
    constexpr std::uint8_t second = 0x8B;
    if (refill() && unread_.size() > 1 && unread_[0] == first && unread_[1] == second) {
        stream_ = gzip_stream();
        in_member_ = true;
    }
}

FileBytes::~FileBytes() = default;

/// Reads the next block, and tells whether the file has more.
bool FileBytes::refill() {
    const auto count = read_all(file_, block_);
    if (!count) fail_with_file("read", path_);
    unread_ = std::span(block_).first(*count);
    return !unread_.empty();
}

std::size_t FileBytes::read(std::span<char> out) {
    std::size_t done = 0;
    while (done < out.size()) {
        const auto rest = out.subspan(done);
        const std::size_t count = stream_ ? decompress(rest) : copy(rest);
        done += count;
        // zlib may still have bytes to give when it has taken all that was read.
        if (count == 0 && unread_.empty() && !refill()) break;
    }
    if (done < out.size() && in_member_) refuse("unexpected end of file");
    return done;
}

std::size_t FileBytes::copy(std::span<char> out) {
    const std::size_t count = std::min(out.size(), unread_.size());
    std::copy_n(unread_.begin(), count, out.begin());
    unread_ = unread_.subspan(count);
    return count;
}

/// Passes zeros between members, and tells whether another member begins.
bool FileBytes::begins_member() {
    const auto other = std::ranges::find_if(unread_, [](std::uint8_t byte) { return byte != 0; });
    unread_ = unread_.subspan(static_cast<std::size_t>(other - unread_.begin()));
    if (unread_.empty()) return false;
    if (inflateReset(stream_.get()) != Z_OK) throw std::bad_alloc();
    return in_member_ = true;
}

std::size_t FileBytes::decompress(std::span<char> out) {
    if (!in_member_ && !begins_member()) return 0;
    z_stream_s& stream = *stream_;
    stream.next_in = const_cast<std::uint8_t*>(unread_.data());  // zlib only reads it.
    stream.avail_in = static_cast<unsigned>(unread_.size());
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream.avail_out = static_cast<unsigned>(out.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        refuse(stream.msg != nullptr ? stream.msg : "it asks for a dictionary");
    in_member_ = status != Z_STREAM_END;
    unread_ = unread_.last(stream.avail_in);
    return out.size() - stream.avail_out;
}

void FileBytes::refuse(std::string_view why) const {
    fail(Status::io, "cannot read ", in_quotes(path_), ": ", why, " (damaged or truncated gzip file?)");
}

}  // namespace dk
