// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archives.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/text.h"

#include <algorithm>
#include <array>

namespace credence {

namespace {

/// One file of a zip archive, unpacked while it is read. Going back restarts at the front of the
/// archive.
class MemberSource final : public ByteSource {
public:
    /// @param archive  the bytes of the whole archive, with the member's name for error messages
    MemberSource(std::unique_ptr<ByteSource> archive, std::size_t index, std::uint64_t length)
        : ByteSource(archive->name()), archive_(std::move(archive)), index_(index), length_(length)
    {}
    std::size_t read(std::span<std::uint8_t> out) override
    {
        if (!input_) {
            input_ = std::make_unique<ArchiveInput>(*archive_, ArchiveInput::Kind::zip);
            for (std::size_t i = 0; i <= index_; ++i)
                if (!input_->next())
                    throw Error(name() + ": found a directory that has changed, expected a whole zip archive.");
        }
        return input_->read(out);
    }
    void rewind() override { input_.reset(); }
    std::uint64_t length(std::uint64_t limit) override { return std::min(length_, limit + 1); }

private:
    std::unique_ptr<ByteSource> archive_;
    std::unique_ptr<ArchiveInput> input_;
    std::size_t index_;
    std::uint64_t length_;
};

}   // namespace

NpzFile::NpzFile(const std::filesystem::path& file) : file_(file.filename().string())
{
    open_file(file);   // throws if it is not a file
    size_ = std::filesystem::file_size(file);
    part_ = [file](std::string name, std::uint64_t first, std::uint64_t length) {
        return file_range(file, std::move(name), first, length);
    };
    read_directory();
}

NpzFile::NpzFile(std::string name, std::span<const std::uint8_t> bytes) : file_(std::move(name))
{
    size_ = bytes.size();
    part_ = [bytes](std::string of, std::uint64_t first, std::uint64_t length) {
        return memory_range(std::move(of),
                            bytes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)));
    };
    read_directory();
}

void NpzFile::read_directory()
{
    const auto bytes  = part_(file_, 0, size_);
    const auto stored = stored_members(*bytes, size_);
    bytes->rewind();
    ArchiveInput archive(*bytes, ArchiveInput::Kind::zip);
    while (const auto entry = archive.next()) {
        std::string name = entry->name;
        if (name.ends_with(".npy"))
            name.resize(name.size() - 4);
        const std::string array = file_ + ": array " + quoted_text(name);
        if (entry->encrypted)
            throw Error(array + " is encrypted, expected one that is not.");
        if (const auto packing = archive.packing(); packing != "uncompressed" && packing != "deflation")
            throw Error(array + " is compressed by " + packing + ", expected stored or deflated.");
        if (!entry->bytes)
            throw Error(array + " has no length, expected one in the directory.");
        const auto of_this_name = [&](const StoredMember& member) { return member.name == entry->name; };
        const auto place        = std::find_if(stored.begin(), stored.end(), of_this_name);
        const bool known        = place != stored.end() && place->length == *entry->bytes
                           && std::count_if(stored.begin(), stored.end(), of_this_name) == 1;
        stored_.push_back(known ? std::optional(place->first) : std::nullopt);
        names_.push_back(std::move(name));
        lengths_.push_back(*entry->bytes);
    }
}

std::unique_ptr<ByteSource> NpzFile::open(std::size_t i, Checksum checksum, std::stop_token stop) const
{
    const std::string name = file_ + ", " + names_[i];
    if (checksum == Checksum::skip && stored_[i])
        return part_(name, *stored_[i], lengths_[i]);
    auto member = std::make_unique<MemberSource>(part_(name, 0, size_), i, lengths_[i]);
    if (checksum == Checksum::skip)
        return member;

    std::vector<std::uint8_t> piece(1 << 16);
    std::uint64_t found = 0;
    for (std::size_t got = piece.size(); got == piece.size() && found <= lengths_[i]; found += got) {
        if (stop.stop_requested())
            return nullptr;
        got = member->read(piece);   // the checksum is checked at the end
    }
    if (found != lengths_[i])
        throw Error(name + ": found a different length than in the archive's directory, expected a whole zip archive.");
    if (stored_[i])
        return part_(name, *stored_[i], lengths_[i]);
    member->rewind();
    return member;
}

bool NpzFile::has(const std::string& name) const
{
    return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t NpzFile::index_of(const std::string& name) const
{
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
        throw Error(file_ + ": found no array " + quoted_text(name) + ", expected one of "
                    + (names_.empty() ? "none" : joined(names_)) + ".");
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
