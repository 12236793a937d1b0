// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy_stream.h"

#include "formats/array_bytes.h"
#include "formats/npy.h"
#include "formats/text.h"
#include "foundation/error.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace credence {

namespace {

constexpr std::size_t piece = 1 << 15;   // numbers converted at a time

/// Characters of strings of type "<U7" or "|S7"; 0 for other types.
std::size_t characters_of(const std::string& type)
{
    if (type.size() < 3 || (type[1] != 'U' && type[1] != 'S'))
        return 0;
    std::size_t n           = 0;
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), n);
    return error == std::errc() && end == type.data() + type.size() && n <= 4096 ? n : 0;
}

void append_utf8(std::string& text, std::uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c < 0x80)
        text += static_cast<char>(c);
    else if (c < 0x800)
        text.append({static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 63))});
    else if (c < 0x10000)
        text.append({static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                     static_cast<char>(0x80 | (c & 63))});
    else
        text.append({static_cast<char>(0xf0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
                     static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))});
}

}   // namespace

NpyStream::NpyStream(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), header_(read_npy_header(*source_)), characters_(characters_of(header_.type))
{
    if (header_.type == "|O")
        throw Error(
            name()
            + ": found Python objects (type “|O”), expected numbers, or strings made with np.array(names, dtype=str).");
    if (text())
        bytes_ = characters_ * (header_.type[1] == 'U' ? 4 : 1);
    else
        piece_ = npy_stored_values(name(), header_), bytes_ = size_of_number(piece_);
    require_length(*source_, header_.length, byte_count(name(), header_.shape, bytes_), header_.shape);
}

std::size_t NpyStream::size() const { return static_cast<std::size_t>(byte_count(name(), header_.shape, 1)); }

template <class Number>
void NpyStream::read_as(std::size_t first, std::span<Number> out)
{
    if (text())
        throw Error(name() + ": found strings, expected numbers.");
    if (first < at_) {
        source_->rewind();
        source_->skip(header_.length);
        at_ = 0;
    }
    source_->skip(static_cast<std::uint64_t>(first - at_) * bytes_);
    at_ = first;
    while (!out.empty()) {
        const std::size_t n = std::min(out.size(), piece);
        read_numbers(*source_, n, npy_order(header_), piece_);
        std::visit(
            [&](const auto& v) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<std::uint16_t>>)
                if (is_half(header_)) {
                    std::transform(v.begin(), v.end(), out.begin(),
                                   [](std::uint16_t bits) { return static_cast<Number>(half_to_float(bits)); });
                    return;
                }
            std::transform(v.begin(), v.end(), out.begin(), [](auto number) { return static_cast<Number>(number); });
            },
            piece_);
        at_ += n;
        out = out.subspan(n);
    }
}

void NpyStream::read(std::size_t first, std::span<double> out) { read_as(first, out); }
void NpyStream::read(std::size_t first, std::span<float> out) { read_as(first, out); }

NumberArray NpyStream::numbers()
{
    at_ = 0;
    return read_npy(*source_);
}

std::vector<std::string> NpyStream::strings()
{
    if (!text())
        throw Error(name() + ": found numbers, expected strings.");
    source_->rewind();
    source_->skip(header_.length);
    at_             = 0;
    const bool wide = header_.type[1] == 'U', big = header_.type[0] == '>';
    std::vector<std::string> texts(size());
    std::vector<std::uint8_t> bytes(bytes_);
    for (std::string& one : texts) {
        read_exactly(*source_, bytes, "its strings");
        for (std::size_t i = 0; i < characters_; ++i) {
            std::uint32_t c = wide ? 0 : bytes[i];
            for (std::size_t b = 0; wide && b < 4; ++b)
                c |= std::uint32_t{bytes[4 * i + b]} << (8 * (big ? 3 - b : b));
            if (wide)
                append_utf8(one, c);
            else
                one += static_cast<char>(c);
        }
        while (!one.empty() && one.back() == '\0')
            one.pop_back();
    }
    return texts;
}

}   // namespace credence
