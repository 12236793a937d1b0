// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tar.h"

#include "formats/text.h"
#include "foundation/error.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace credence {

namespace {

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

std::optional<TarReader::Entry> TarReader::next()
{
    while (auto entry = archive_.next()) {
        left_ = 0;
        if (!entry->file || !entry->bytes || entry->name.ends_with('/'))
            continue;
        if (leads_out(entry->name))
            throw Error(name_ + ": found the name " + quoted_text(entry->name) + ", expected one inside the archive.");
        left_ = *entry->bytes;
        return Entry{std::move(entry->name), *entry->bytes};
    }
    return std::nullopt;
}

std::size_t TarReader::read(std::span<std::uint8_t> out)
{
    const std::size_t got = archive_.read(
        out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_))));
    left_ -= got;
    return got;
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
        std::uint64_t written = 0;
        for (std::size_t got = piece.size(); got > 0 && out; written += got) {
            got = tar.read(piece);
            out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(got));
        }
        if (!out.flush())
            throw Error(file.string() + ": the file cannot be written; is the disk full?");
        if (written != member->bytes)
            throw Error(archive.name() + ": found " + std::to_string(written) + " bytes of " + member->name
                        + ", expected " + std::to_string(member->bytes) + ".");
        found[i] = true;
        --missing;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        if (!found[i])
            throw Error(archive.name() + ": found no " + members[i].name + ", expected it in the archive.");
}

}   // namespace credence
