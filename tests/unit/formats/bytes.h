// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "table_file.h"

#include <zlib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// Files for the reader tests, as bytes.

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
inline std::string_view text_of(const Bytes& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes operator+(Bytes a, const Bytes& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

template <class Number>
Bytes big_endian(std::initializer_list<Number> numbers)
{
    Bytes all;
    for (const Number number : numbers) {
        const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Number)>>(number);
        all.insert(all.end(), bytes.rbegin(), bytes.rend());   // the tests run on little-endian machines
    }
    return all;
}

inline Bytes idx_header(std::uint8_t type, std::initializer_list<std::uint32_t> shape)
{
    return Bytes{0, 0, type, static_cast<std::uint8_t>(shape.size())} + big_endian(shape);
}

/// 0, 1, 2, … modulo `modulus`
inline Bytes counting(std::size_t n, unsigned modulus = 256)
{
    Bytes bytes(n);
    for (std::size_t i = 0; i < n; ++i)
        bytes[i] = static_cast<std::uint8_t>(i % modulus);
    return bytes;
}

/// @param window  of zlib: 31 gzip, -15 bare
inline Bytes deflated(const Bytes& bytes, int window = 31)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    Bytes out(deflateBound(&stream, bytes.size()));
    stream.next_in   = const_cast<Bytef*>(bytes.data());
    stream.avail_in  = static_cast<uInt>(bytes.size());
    stream.next_out  = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// A folder that is deleted at the end of the test.
class TestFolder {
public:
    TestFolder() : marker_("", "marker") {}
    std::filesystem::path path() const { return marker_.path().parent_path(); }
    std::filesystem::path write(const std::string& name, const Bytes& bytes) const
    {
        auto file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary).write(text_of(bytes).data(), static_cast<std::streamsize>(bytes.size()));
        return file;
    }

private:
    TableFile marker_;
};
