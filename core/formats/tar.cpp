// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tar.h"

#include "formats/text.h"
#include "foundation/error.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

namespace credence {

namespace {

constexpr std::size_t block = 512;
using Header                = std::array<std::uint8_t, block>;

/// Where the fields of a header stand: first byte and length.
struct Field {
    std::size_t first, length;
};
constexpr Field name_field{0, 100}, size_field{124, 12}, checksum_field{148, 8}, type_field{156, 1},
    magic_field{257, 5}, prefix_field{345, 155};

std::string_view text_of(const Header& header, Field field)
{
    const std::string_view text(reinterpret_cast<const char*>(header.data()) + field.first, field.length);
    return text.substr(0, std::min(text.find('\0'), text.size()));
}

[[noreturn]] void refuse(const std::string& archive, const std::string& found)
{
    throw Error(archive + ": found " + found + ", expected a tar archive.");
}

/// Octal digits, with spaces before and after.
std::uint64_t number_of(const std::string& archive, const Header& header, Field field, const char* what)
{
    std::string_view text = text_of(header, field);
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    if (text.empty() || text.find_first_not_of("01234567") != std::string_view::npos)
        refuse(archive, std::string(what) + " of " + quoted_text(text));
    std::uint64_t value = 0;
    for (const char digit : text)
        value = value * 8 + static_cast<std::uint64_t>(digit - '0');   // at most 12 digits: 36 bits
    return value;
}

/// All bytes of the header, those of the sum itself counted as spaces.
std::uint64_t checksum_of(const Header& header)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block; ++i)
        sum += i >= checksum_field.first && i < checksum_field.first + checksum_field.length ? std::uint8_t{' '}
                                                                                             : header[i];
    return sum;
}

bool leads_out(std::string_view name)
{
    if (name.starts_with('/'))
        return true;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

std::string base_name(const std::string& name) { return name.substr(name.rfind('/') + 1); }

}   // namespace

void TarReader::pass_over(std::uint64_t n)
{
    std::array<std::uint8_t, 1 << 14> piece;
    while (n > 0) {
        const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(n, piece.size())));
        if (source_.read(part) < part.size())
            refuse(source_.name(), "the end of the file in the middle of an archived one");
        n -= part.size();
    }
}

std::optional<TarReader::Entry> TarReader::next()
{
    for (;;) {
        pass_over(left_ + padding_);
        left_ = padding_ = 0;
        Header header{};
        const std::size_t got = source_.read(header);
        if (got < block)
            refuse(source_.name(),
                   got == 0 ? "the end of the file before the end of the archive" : "the end of the file in a header");
        if (std::all_of(header.begin(), header.end(), [](std::uint8_t byte) { return byte == 0; }))
            return std::nullopt;

        const std::uint64_t sum = checksum_of(header);
        if (text_of(header, magic_field) != "ustar")
            refuse(source_.name(), looks_like(std::span(header).first(16)));
        if (const std::uint64_t announced = number_of(source_.name(), header, checksum_field, "a checksum");
            announced != sum)
            refuse(source_.name(), "a damaged header (its checksum is " + std::to_string(announced) + ", expected "
                                       + std::to_string(sum) + ")");
        const std::uint64_t bytes = number_of(source_.name(), header, size_field, "a size");
        left_                     = bytes;
        padding_                  = (block - bytes % block) % block;

        const char type = static_cast<char>(header[type_field.first]);
        if (type != '0' && type != '\0' && type != '7')
            continue;
        const std::string_view prefix = text_of(header, prefix_field);
        const bool gnu                = header[magic_field.first + magic_field.length]
                         == ' ';   // GNU's own header has other things there
        std::string name = (prefix.empty() || gnu ? "" : std::string(prefix) + '/')
                           + std::string(text_of(header, name_field));
        if (leads_out(name))
            throw Error(source_.name() + ": found the name " + quoted_text(name)
                        + ", expected one inside the archive.");
        if (name.ends_with('/'))
            continue;   // a folder of old programs
        return Entry{std::move(name), bytes};
    }
}

std::size_t TarReader::read(std::span<std::uint8_t> out)
{
    const auto part = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_)));
    if (source_.read(part) < part.size())
        refuse(source_.name(), "the end of the file in the middle of an archived one");
    left_ -= part.size();
    return part.size();
}

void unpack_members(ByteSource& archive, std::span<const TarMember> members, const std::filesystem::path& folder)
{
    TarReader tar(archive);
    std::vector<bool> found(members.size(), false);
    std::vector<std::uint8_t> piece(1 << 16);
    std::size_t missing = members.size();
    while (missing > 0) {
        const auto entry = tar.next();
        if (!entry)
            break;
        const auto member = std::ranges::find(members, base_name(entry->name), &TarMember::name);
        if (member == members.end())
            continue;
        const auto i = static_cast<std::size_t>(member - members.begin());
        if (found[i])
            continue;
        if (entry->bytes != member->bytes)
            throw Error(archive.name() + ": " + member->name + " has " + std::to_string(entry->bytes)
                        + " bytes, expected " + std::to_string(member->bytes) + ".");
        const auto file = folder / member->name;
        std::ofstream out(file, std::ios::binary | std::ios::trunc);
        for (std::size_t got = piece.size(); got > 0 && out;) {
            got = tar.read(piece);
            out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(got));
        }
        if (!out.flush())
            throw Error(file.string() + ": the file cannot be written; is the disk full?");
        found[i] = true;
        --missing;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        if (!found[i])
            throw Error(archive.name() + ": found no " + members[i].name + ", expected it in the archive.");
}

}   // namespace credence
