// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/zip_directory.h"

#include <algorithm>
#include <optional>

namespace credence {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t end_size = 22, longest_comment = 65535, locator_size = 20, wide_end_size = 56, entry_size = 46,
                      local_size           = 30;
constexpr std::uint64_t most_directory     = std::uint64_t{1} << 24;
constexpr std::uint32_t in_the_extra_field = 0xffffffff;

/// The little-endian number of `n` bytes at `at`; 0 beyond the end.
std::uint64_t number_at(const Bytes& bytes, std::size_t at, std::size_t n)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < n && at + i < bytes.size(); ++i)
        value |= std::uint64_t{bytes[at + i]} << (8 * i);
    return value;
}

Bytes part_of_archive(ByteSource& archive, std::uint64_t first, std::uint64_t length)
{
    Bytes bytes(static_cast<std::size_t>(length));
    archive.rewind();
    archive.skip(first);
    bytes.resize(archive.read(bytes));
    return bytes;
}

bool begins(const Bytes& bytes, std::size_t at, std::uint32_t signature)
{
    return bytes.size() >= at + 4 && number_at(bytes, at, 4) == signature;
}

struct Directory {
    std::uint64_t first = 0, length = 0;
};

std::optional<Directory> directory_of(ByteSource& archive, std::uint64_t size)
{
    const std::uint64_t tail_length = std::min<std::uint64_t>(size, end_size + longest_comment);
    const Bytes tail                = part_of_archive(archive, size - tail_length, tail_length);
    if (tail.size() < end_size)
        return {};
    for (std::size_t at = tail.size() - end_size + 1; at-- > 0;) {
        if (!begins(tail, at, 0x06054b50) || at + end_size + number_at(tail, at + 20, 2) != tail.size())
            continue;
        const Directory plain{number_at(tail, at + 16, 4), number_at(tail, at + 12, 4)};
        if (at < locator_size || !begins(tail, at - locator_size, 0x07064b50))
            return plain;
        const std::uint64_t where = number_at(tail, at - locator_size + 8, 8);
        if (where > size)
            return {};
        const Bytes wide = part_of_archive(archive, where, wide_end_size);
        if (wide.size() < wide_end_size || !begins(wide, 0, 0x06064b50))
            return {};
        return Directory{number_at(wide, 48, 8), number_at(wide, 40, 8)};
    }
    return {};
}

/// Sizes and position of an entry that do not fit four bytes are in its extra field, in this order,
/// each only if needed.
struct Wide {
    std::uint64_t length, packed, local;
};
bool widen(Wide& sizes, const Bytes& directory, std::size_t first, std::size_t end)
{
    while (first + 4 <= end) {
        const auto id = number_at(directory, first, 2), n = number_at(directory, first + 2, 2);
        const std::size_t next = first + 4 + static_cast<std::size_t>(n);
        if (next > end)
            return false;
        if (id == 1) {
            std::size_t at = first + 4;
            for (std::uint64_t* one : {&sizes.length, &sizes.packed, &sizes.local})
                if (*one == in_the_extra_field) {
                    if (at + 8 > next)
                        return false;
                    *one = number_at(directory, at, 8);
                    at += 8;
                }
            return true;
        }
        first = next;
    }
    return sizes.length != in_the_extra_field && sizes.packed != in_the_extra_field
           && sizes.local != in_the_extra_field;
}

}   // namespace

std::vector<StoredMember> stored_members(ByteSource& archive, std::uint64_t size)
{
    const auto place = directory_of(archive, size);
    if (!place || place->length > most_directory || place->first > size || place->length > size - place->first)
        return {};
    const Bytes directory = part_of_archive(archive, place->first, place->length);
    std::vector<StoredMember> members;
    for (std::size_t at = 0; at + entry_size <= directory.size() && begins(directory, at, 0x02014b50);) {
        const auto name_length    = static_cast<std::size_t>(number_at(directory, at + 28, 2)),
                   extra          = static_cast<std::size_t>(number_at(directory, at + 30, 2)),
                   comment        = static_cast<std::size_t>(number_at(directory, at + 32, 2));
        const std::size_t name_at = at + entry_size, next = name_at + name_length + extra + comment;
        if (next > directory.size())
            break;
        Wide sizes{number_at(directory, at + 24, 4), number_at(directory, at + 20, 4),
                   number_at(directory, at + 42, 4)};
        const bool encrypted = number_at(directory, at + 8, 2) & 1, stored = number_at(directory, at + 10, 2) == 0;
        if (stored && !encrypted && widen(sizes, directory, name_at + name_length, name_at + name_length + extra)
            && sizes.length == sizes.packed && sizes.local <= size && size - sizes.local >= local_size) {
            const Bytes local = part_of_archive(archive, sizes.local, local_size);
            const auto first  = sizes.local + local_size + number_at(local, 26, 2) + number_at(local, 28, 2);
            if (begins(local, 0, 0x04034b50) && first <= size && sizes.length <= size - first)
                members.push_back({{directory.begin() + static_cast<std::ptrdiff_t>(name_at),
                                    directory.begin() + static_cast<std::ptrdiff_t>(name_at + name_length)},
                                   first,
                                   sizes.length});
        }
        at = next;
    }
    return members;
}

}   // namespace credence
