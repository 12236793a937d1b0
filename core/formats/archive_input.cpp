// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archive_input.h"

#include "foundation/error.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

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
    const char* said       = archive_error_string(archive_);
    const std::string why  = said == nullptr ? "damaged data" : "damaged data (" + std::string(said) + ")";
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
    const char* said = archive_format_name(archive_);   // "ZIP 2.0 (deflation)"
    const std::string name(said == nullptr ? "" : said);
    const auto begin = name.find('('), end = name.rfind(')');
    return begin == std::string::npos || end == std::string::npos || end < begin
               ? std::string()
               : name.substr(begin + 1, end - begin - 1);
}

}   // namespace credence
