// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"
#include "formats/text.h"
#include "foundation/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace credence {

namespace {

// Sizes and signatures of the three kinds of header in a zip archive, little-endian throughout.
constexpr std::size_t local_size = 30, entry_size = 46, end_size = 22;
constexpr std::uint32_t local_sign = 0x04034b50, entry_sign = 0x02014b50, end_sign = 0x06054b50;
constexpr std::uint32_t in_zip64 = 0xffffffff;   // "see the extension": a size of 4 GiB or more

std::uint32_t number(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
        value |= std::uint32_t{bytes[at + i]} << (8 * i);
    return value;
}

[[noreturn]] void refuse(const std::string& file, const std::string& found)
{
    throw Error(file + ": found " + found + ", expected a whole zip archive of NPY arrays.");
}

/// A source whose length is known: compressed bytes need not be unpacked to find it.
class KnownLength final : public ByteSource {
public:
    KnownLength(std::unique_ptr<ByteSource> source, std::uint64_t length)
        : ByteSource(source->name()), source_(std::move(source)), length_(length)
    {}
    std::size_t read(std::span<std::uint8_t> out) override { return source_->read(out); }
    void rewind() override { source_->rewind(); }
    void skip(std::uint64_t n) override { source_->skip(n); }
    std::uint64_t length(std::uint64_t limit) override { return std::min(length_, limit + 1); }

private:
    std::unique_ptr<ByteSource> source_;
    std::uint64_t length_;
};

}   // namespace

NpzFile::NpzFile(const std::filesystem::path& file) : file_(file.filename().string())
{
    open_file(file);   // refuses what is no file
    length_ = std::filesystem::file_size(file);
    range_  = [file](std::string name, std::uint64_t first, std::uint64_t length) {
        return file_range(file, std::move(name), first, length);
    };
    read_directory();
}

NpzFile::NpzFile(std::string name, std::span<const std::uint8_t> bytes) : file_(std::move(name)), length_(bytes.size())
{
    range_ = [bytes](std::string of, std::uint64_t first, std::uint64_t length) {
        return memory_range(std::move(of),
                            bytes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)));
    };
    read_directory();
}

void NpzFile::read_directory()
{
    const auto bytes_at = [&](std::uint64_t first, std::uint64_t n) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
        read_exactly(*range_(file_, first, n), bytes, "a zip archive");
        return bytes;
    };
    if (length_ == 0)
        throw Error(file_ + ": found an empty file, expected a zip archive of NPY arrays.");
    if (const auto head = bytes_at(0, std::min<std::uint64_t>(length_, 16));
        head.size() < 4 || number(head, 0, 4) != local_sign)
        refuse(file_, looks_like(head));

    // The end of the directory stands last, before a comment of at most 65535 bytes.
    const std::uint64_t tail_length = std::min<std::uint64_t>(length_, end_size + 65535);
    const auto tail                 = bytes_at(length_ - tail_length, tail_length);
    std::size_t end                 = tail.size();
    for (std::size_t at = tail.size() >= end_size ? tail.size() - end_size + 1 : 0; at-- > 0 && end == tail.size();)
        if (number(tail, at, 4) == end_sign && at + end_size + number(tail, at + 20, 2) == tail.size())
            end = at;
    if (end == tail.size())
        refuse(file_, "no directory at the end of the archive");
    const std::uint32_t n = number(tail, end + 10, 2), size = number(tail, end + 12, 4),
                        first = number(tail, end + 16, 4);
    if (std::uint64_t{first} + size > length_)
        refuse(file_, "a directory beyond the end of the file");

    const auto directory = bytes_at(first, size);
    for (std::size_t at = 0, i = 0; i < n; ++i) {
        if (at + entry_size > directory.size() || number(directory, at, 4) != entry_sign)
            refuse(file_, "a damaged directory");
        const std::uint32_t flags = number(directory, at + 8, 2), method = number(directory, at + 10, 2),
                            name_length = number(directory, at + 28, 2);
        const std::size_t whole         = entry_size + name_length + number(directory, at + 30, 2)
                                  + number(directory, at + 32, 2);
        if (at + whole > directory.size())
            refuse(file_, "a damaged directory");
        std::string name(reinterpret_cast<const char*>(directory.data()) + at + entry_size, name_length);
        if (name.ends_with(".npy"))
            name.resize(name.size() - 4);
        Entry entry;
        entry.checksum = number(directory, at + 16, 4);
        entry.packed   = number(directory, at + 20, 4);
        entry.unpacked = number(directory, at + 24, 4);
        entry.header   = number(directory, at + 42, 4);
        entry.deflated = method == 8;
        if (entry.packed == in_zip64 || entry.unpacked == in_zip64 || entry.header == in_zip64)
            throw Error(file_ + ": array " + quoted_text(name) + " has 4 GiB or more, expected less.");
        if ((flags & 1) != 0)
            throw Error(file_ + ": array " + quoted_text(name) + " is encrypted, expected one that is not.");
        if (method != 0 && method != 8)
            throw Error(file_ + ": array " + quoted_text(name) + " is compressed by method " + std::to_string(method)
                        + ", expected 0 (stored) or 8 (deflated).");
        names_.push_back(std::move(name));
        entries_.push_back(entry);
        at += whole;
    }
}

std::unique_ptr<ByteSource> NpzFile::open(std::size_t i, Checksum checksum, std::stop_token stop) const
{
    const Entry& entry     = entries_[i];
    const std::string name = file_ + ", " + names_[i];
    std::array<std::uint8_t, local_size> local{};
    if (entry.header + local_size > length_)
        refuse(name, "data beyond the end of the file");
    read_exactly(*range_(name, entry.header, local_size), local, "a zip archive");
    const std::uint64_t data = entry.header + local_size + number(local, 26, 2) + number(local, 28, 2);
    if (number(local, 0, 4) != local_sign)
        refuse(name, "a damaged header");
    if (data + entry.packed > length_)
        refuse(name, "data beyond the end of the file");
    auto source = range_(name, data, entry.packed);
    if (entry.deflated)
        source = unpacked(std::move(source), Compression::deflate);
    if (checksum == Checksum::skip)
        return std::make_unique<KnownLength>(std::move(source), entry.unpacked);

    std::vector<std::uint8_t> piece(1 << 16);
    std::uint64_t found = 0;
    uLong sum           = crc32(0, nullptr, 0);
    for (std::size_t got = piece.size(); got == piece.size() && found <= entry.unpacked; found += got) {
        if (stop.stop_requested())
            return nullptr;
        got = source->read(piece);
        sum = crc32(sum, piece.data(), static_cast<uInt>(got));
    }
    if (found != entry.unpacked || sum != entry.checksum)
        refuse(name, "data that do not match their checksum");
    source->rewind();
    return std::make_unique<KnownLength>(std::move(source), entry.unpacked);
}

bool NpzFile::has(const std::string& name) const
{
    return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t NpzFile::index_of(const std::string& name) const
{
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
        std::string known;
        for (const std::string& one : names_)
            known += (known.empty() ? "" : ", ") + one;
        throw Error(file_ + ": found no array " + quoted_text(name) + ", expected one of "
                    + (known.empty() ? "none" : known) + ".");
    }
    return static_cast<std::size_t>(found - names_.begin());
}

std::unique_ptr<ByteSource> NpzFile::open(const std::string& name, Checksum checksum, std::stop_token stop) const
{
    return open(index_of(name), checksum, std::move(stop));
}

NumberArray NpzFile::read(const std::string& name) const
{
    return read_npy(*open(index_of(name), Checksum::compare, {}));
}

}   // namespace credence
