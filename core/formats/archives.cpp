// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archives.h"

#include "foundation/error.h"
#include "foundation/text.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// Callbacks for libarchive. No exception may pass through it: exceptions of the source are stored.
struct ArchiveInput::Calls {
    template <class Work>
    static la_int64_t guarded(archive* a, void* self, Work work)
    {
        auto& input = *static_cast<ArchiveInput*>(self);
        try {
            return work(input);
        } catch (...) {
            input.thrown_ = std::current_exception();
            archive_set_error(a, EIO, "reading failed");
            return ARCHIVE_FATAL;
        }
    }
    static la_ssize_t read(archive* a, void* self, const void** bytes)
    {
        return static_cast<la_ssize_t>(guarded(a, self, [bytes](ArchiveInput& input) {
            const std::size_t got = input.source_.read(input.piece_);
            input.at_ += got;
            *bytes = input.piece_.data();
            return static_cast<la_int64_t>(got);
        }));
    }
    static la_int64_t seek(archive* a, void* self, la_int64_t offset, int whence)
    {
        return guarded(a, self, [offset, whence](ArchiveInput& input) -> la_int64_t {
            constexpr auto most    = static_cast<std::uint64_t>(std::numeric_limits<la_int64_t>::max());
            const auto length      = static_cast<la_int64_t>(input.source_.length(most - 1));
            const la_int64_t begin = whence == SEEK_SET   ? 0
                                     : whence == SEEK_CUR ? static_cast<la_int64_t>(input.at_)
                                                          : length;
            la_int64_t place       = 0;
            if (__builtin_add_overflow(begin, offset, &place))
                return ARCHIVE_FATAL;
            place = std::clamp<la_int64_t>(place, 0, length);
            input.source_.rewind();
            input.source_.skip(static_cast<std::uint64_t>(place));
            input.at_ = static_cast<std::uint64_t>(place);
            return place;
        });
    }
};

ArchiveInput::ArchiveInput(ByteSource& source, Kind kind)
    : source_(source), kind_(kind), archive_(archive_read_new()), piece_(std::size_t{1} << 16)
{
    if (archive_ == nullptr)
        throw std::bad_alloc();
    source_.rewind();
    archive_read_set_read_callback(archive_, &Calls::read);
    archive_read_set_callback_data(archive_, this);
    if (kind == Kind::tar) {
        archive_read_support_format_tar(archive_);
    } else {
        archive_read_set_seek_callback(archive_, &Calls::seek);
        archive_read_support_format_zip_seekable(archive_);
    }
    const int status = archive_read_open1(archive_);
    if (status == ARCHIVE_FATAL && thrown_) {
        archive_read_free(archive_);
        std::rethrow_exception(thrown_);
    }
}

ArchiveInput::~ArchiveInput() { archive_read_free(archive_); }

void ArchiveInput::refuse()
{
    if (thrown_)
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    const std::string kind = kind_ == Kind::tar ? "tar" : "zip";
    const char* words      = archive_error_string(archive_);
    const std::string why  = words == nullptr ? "damaged data" : "damaged data (" + std::string(words) + ")";
    if (begun_)
        throw Error(source_.name() + ": found " + why + ", expected a whole " + kind + " archive.");
    source_.rewind();
    std::vector<std::uint8_t> head(512);
    head.resize(source_.read(head));
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (head.empty())
        throw Error(source_.name() + ": found an empty file, expected a " + kind + " archive.");
    const bool own = kind_ == Kind::tar ? text.substr(std::min<std::size_t>(257, text.size())).starts_with("ustar")
                                        : text.starts_with("PK\x03\x04");
    throw Error(source_.name() + ": found "
                + (own ? why : looks_like(std::span(head).first(std::min<std::size_t>(head.size(), 16))))
                + ", expected a " + (own ? "whole " : "") + kind + " archive.");
}

std::optional<ArchiveInput::Entry> ArchiveInput::next()
{
    archive_entry* entry = nullptr;
    const int status     = archive_read_next_header(archive_, &entry);
    if (status == ARCHIVE_EOF && begun_)
        return std::nullopt;
    if (thrown_ || entry == nullptr
        || (status != ARCHIVE_OK && status != ARCHIVE_WARN))   // a damaged header can be skipped: ARCHIVE_RETRY
        refuse();
    begun_           = true;
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr)
        name = archive_entry_pathname_utf8(entry);
    Entry found{.name = name == nullptr ? "" : name, .bytes = {}};
    if (archive_entry_size_is_set(entry) && archive_entry_size(entry) >= 0)
        found.bytes = static_cast<std::uint64_t>(archive_entry_size(entry));
    found.file = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr
                 && archive_entry_symlink(entry) == nullptr;
    found.encrypted = archive_entry_is_data_encrypted(entry) != 0;
    return found;
}

std::size_t ArchiveInput::read(std::span<std::uint8_t> out)
{
    std::size_t filled = 0;
    while (filled < out.size()) {
        const la_ssize_t got = archive_read_data(archive_, out.data() + filled, out.size() - filled);
        if (thrown_ || got < 0)
            refuse();
        if (got == 0)
            break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

std::string ArchiveInput::packing() const
{
    const char* words = archive_format_name(archive_);   // "ZIP 2.0 (deflation)"
    const std::string name(words == nullptr ? "" : words);
    const auto begin = name.find('('), end = name.rfind(')');
    return begin == std::string::npos || end == std::string::npos || end < begin
               ? std::string()
               : name.substr(begin + 1, end - begin - 1);
}

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
