// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"

#include "foundation/files.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

// Sizes and positions are always in the extra fields of eight bytes (zip64), as numpy.savez writes
// them.
// Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
namespace credence {

namespace {

constexpr std::uint64_t in_eight_bytes = 0xffffffff;
constexpr std::size_t bytes_read_back  = 1 << 20;   // bytes read back at a time

/// Little-endian numbers of given widths in sequence.
class Record {
public:
    Record& put(std::uint64_t value, int width)
    {
        for (int i = 0; i < width; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
        return *this;
    }
    Record& put(std::string_view text)
    {
        bytes_ += text;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// The bytes of these numbers, the lowest of each first.
template <class Bits, class Number>
std::string little_endian(std::span<const Number> numbers)
{
    if constexpr (std::endian::native == std::endian::little)
        return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
    Record little;
    for (const Number number : numbers)
        little.put(std::bit_cast<Bits>(number), sizeof(Number));
    return little.bytes();
}

std::uint32_t checksum_of(std::string_view bytes, std::uint32_t so_far = 0)
{
    return static_cast<std::uint32_t>(
        crc32_z(so_far, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// Code points of UTF-8; invalid bytes become code points of the same value.
std::vector<std::uint32_t> code_points(std::string_view text)
{
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead     = static_cast<std::uint8_t>(text[i]);
        const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        std::uint32_t one   = n == 1 ? lead : lead & (0xffu >> (n + 1));
        const bool whole    = i + n <= text.size();
        for (std::size_t k = 1; whole && k < n; ++k)
            one = one << 6 | (static_cast<std::uint8_t>(text[i + k]) & 63u);
        points.push_back(whole ? one : lead);
        i += whole ? n : 1;
    }
    return points;
}

}   // namespace

std::string npy_bytes_of_texts(std::span<const std::string> texts)
{
    std::vector<std::vector<std::uint32_t>> all;
    std::size_t longest = 1;
    for (const std::string& text : texts) {
        all.push_back(code_points(text));
        longest = std::max(longest, all.back().size());
    }
    std::string bytes = npy_head("<U" + std::to_string(longest), {texts.size()});
    Record body;
    for (auto& points : all) {
        points.resize(longest, 0);
        for (const std::uint32_t one : points)
            body.put(one, 4);
    }
    return bytes + body.bytes();
}

NpzWriter::NpzWriter(const std::filesystem::path& file) : file_(file), temporary_(begin_replacement(file))
{
    handle_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle_ < 0)
        refuse_to_write(file_, errno);
}

NpzWriter::~NpzWriter()
{
    if (handle_ >= 0)
        ::close(handle_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

void NpzWriter::write_at(std::uint64_t place, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto n = ::pwrite(handle_, bytes.data(), bytes.size(), static_cast<off_t>(place));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            refuse_to_write(file_, n == 0 ? ENOSPC : errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
        place += static_cast<std::uint64_t>(n);
    }
}

void NpzWriter::write_local_header(const Member& member)
{
    Record head;
    head.put(0x04034b50, 4)
        .put(45, 2)
        .put(0x800, 2)
        .put(0, 2)
        .put(0, 2)
        .put(0x21, 2)
        .put(member.checksum, 4);   // the earliest date of the format
    head.put(in_eight_bytes, 4).put(in_eight_bytes, 4).put(member.name.size(), 2).put(20, 2).put(member.name);
    head.put(1, 2).put(16, 2).put(member.length, 8).put(member.length, 8);
    write_at(member.local, head.bytes());
}

std::uint64_t NpzWriter::begin_member(const std::string& name, std::uint64_t length)
{
    members_.push_back({.name = name + ".npy", .local = end_, .length = length});
    Member& member = members_.back();
    member.first   = end_ + 30 + member.name.size() + 20;
    end_           = member.first + length;
    return member.first;
}

void NpzWriter::add_bytes(const std::string& name, std::string_view npy)
{
    const auto first         = begin_member(name, npy.size());
    members_.back().checksum = checksum_of(npy);
    write_local_header(members_.back());
    write_at(first, npy);
}

void NpzWriter::add(const std::string& name, const NumberArray& array) { add_bytes(name, npy_bytes(array)); }

void NpzWriter::add(const std::string& name, std::span<const std::string> texts)
{
    add_bytes(name, npy_bytes_of_texts(texts));
}

std::size_t NpzWriter::begin_numbers(const std::string& name, const std::vector<std::size_t>& shape, std::size_t width)
{
    const std::string head = npy_head(width == sizeof(float) ? "<f4" : "<f8", shape);
    std::uint64_t n        = 1;
    for (const std::size_t size : shape)
        n *= size;
    const auto place = begin_member(name, head.size() + n * width);
    write_at(place, head);
    members_.back().numbers = place + head.size();
    if (::ftruncate(handle_, static_cast<off_t>(end_)) != 0)
        refuse_to_write(file_, errno);
    return members_.size() - 1;
}

void NpzWriter::put(std::size_t array, std::uint64_t first, std::span<const float> numbers)
{
    write_at(members_[array].numbers + first * sizeof(float), little_endian<std::uint32_t>(numbers));
}

void NpzWriter::put(std::size_t array, std::uint64_t first, std::span<const double> numbers)
{
    write_at(members_[array].numbers + first * sizeof(double), little_endian<std::uint64_t>(numbers));
}

void NpzWriter::finish(std::size_t array)
{
    Member& member          = members_[array];
    std::uint64_t from      = member.first;
    const std::uint64_t end = from + member.length;
    std::vector<char> bytes(bytes_read_back);
    member.checksum = 0;
    while (from < end) {
        const auto n = ::pread(handle_, bytes.data(),
                               static_cast<std::size_t>(std::min<std::uint64_t>(bytes_read_back, end - from)),
                               static_cast<off_t>(from));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            refuse_to_write(file_, n == 0 ? EIO : errno);
        member.checksum = checksum_of({bytes.data(), static_cast<std::size_t>(n)}, member.checksum);
        from += static_cast<std::uint64_t>(n);
    }
    write_local_header(member);
}

void NpzWriter::keep()
{
    const std::uint64_t directory = end_;
    Record records;
    for (const Member& member : members_) {
        records.put(0x02014b50, 4)
            .put(45, 2)
            .put(45, 2)
            .put(0x800, 2)
            .put(0, 2)
            .put(0, 2)
            .put(0x21, 2)
            .put(member.checksum, 4);
        records.put(in_eight_bytes, 4)
            .put(in_eight_bytes, 4)
            .put(member.name.size(), 2)
            .put(28, 2)
            .put(0, 2)
            .put(0, 2)
            .put(0, 2)
            .put(0, 4);
        records.put(in_eight_bytes, 4).put(member.name);
        records.put(1, 2).put(24, 2).put(member.length, 8).put(member.length, 8).put(member.local, 8);
    }
    const std::uint64_t length = records.bytes().size(), n = members_.size();
    records.put(0x06064b50, 4).put(44, 8).put(45, 2).put(45, 2).put(0, 4).put(0, 4).put(n, 8).put(n, 8);
    records.put(length, 8).put(directory, 8);
    records.put(0x07064b50, 4).put(0, 4).put(directory + length, 8).put(1, 4);
    records.put(0x06054b50, 4)
        .put(0, 2)
        .put(0, 2)
        .put(n, 2)
        .put(n, 2)
        .put(in_eight_bytes, 4)
        .put(in_eight_bytes, 4)
        .put(0, 2);
    write_at(directory, records.bytes());
    const int handle = std::exchange(handle_, -1);
    if (::close(handle) != 0)
        refuse_to_write(file_, errno);
    finish_replacement(std::exchange(temporary_, {}), file_);
}

}   // namespace credence
