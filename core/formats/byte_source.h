// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// A file of bytes, read from front to back: on disk, in memory, or compressed inside either. Every error names the file.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// As many bytes as there are, up to the size of `out`; fewer only at the end.
    virtual std::size_t read(std::span<std::uint8_t> out) = 0;
    virtual void rewind()                                 = 0;
    /// Passes over `n` bytes, or all there are if they are fewer: without reading them where the source can be entered anywhere.
    virtual void skip(std::uint64_t n);
    /// Can it be entered anywhere, so that going back and passing over cost nothing?
    virtual bool seekable() const { return false; }

    const std::string& name() const { return name_; }
    /// The whole length, or limit + 1 if it is more. Compressed bytes are unpacked once to know it, and not kept.
    virtual std::uint64_t length(std::uint64_t limit);

protected:
    explicit ByteSource(std::string name) : name_(std::move(name)) {}

private:
    std::string name_;
};

/// The file at `path`, unpacked if it begins as gzip does. @throws Error if there is no such file or it cannot be read
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);
/// `bytes` under a name for sentences, unpacked if they begin as gzip does. The bytes must outlive the source.
std::unique_ptr<ByteSource> open_memory(std::string name, std::span<const std::uint8_t> bytes);
/// `length` bytes of a file from `first` on, as they are.
std::unique_ptr<ByteSource> file_range(const std::filesystem::path& path, std::string name, std::uint64_t first,
                                       std::uint64_t length);
std::unique_ptr<ByteSource> memory_range(std::string name, std::span<const std::uint8_t> bytes);
/// What comes out of gzip data, whose checksums are compared (libarchive does not). Reading on throws Error: "a.gz: found the end of the file in the middle of its gzip data, expected more."
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> packed);

/// Fills `out`. @param what  for the sentence: "a.idx: found 3 bytes, expected 4 of the magic number."
void read_exactly(ByteSource& source, std::span<std::uint8_t> out, const std::string& what);

/// What a file that is not what it should be probably is, by its first bytes: "a web page (HTML)", "a zip archive", "a Git LFS pointer …", or the bytes themselves.
std::string looks_like(std::span<const std::uint8_t> head);

}   // namespace credence
