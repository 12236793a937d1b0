// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/number_array.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// A file of bytes, read from front to back: on disk, in memory, or compressed inside either. Every
/// error names the file.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Reads up to the size of `out`; fewer bytes only at the end.
    virtual std::size_t read(std::span<std::uint8_t> out) = 0;
    virtual void rewind()                                 = 0;
    /// Skips `n` bytes, or all remaining ones if they are fewer; without reading them if the source
    /// is seekable.
    virtual void skip(std::uint64_t n);
    /// Returns true if any position can be reached directly, so that going back and skipping cost
    /// nothing.
    virtual bool seekable() const { return false; }

    const std::string& name() const { return name_; }
    /// The total length, or limit + 1 if it is larger. Compressed bytes are unpacked once to count
    /// them, and not stored.
    virtual std::uint64_t length(std::uint64_t limit);

protected:
    explicit ByteSource(std::string name) : name_(std::move(name)) {}

private:
    std::string name_;
};

/// The file at `path`, unpacked if it has a gzip header. @throws Error if there is no such file or
/// it cannot be read
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);
/// `bytes` with a name for error messages, unpacked if they have a gzip header. The bytes must
/// outlive the source.
std::unique_ptr<ByteSource> open_memory(std::string name, std::span<const std::uint8_t> bytes);
/// `length` bytes of a file, starting at `first`, without unpacking.
std::unique_ptr<ByteSource> file_range(const std::filesystem::path& path, std::string name, std::uint64_t first,
                                       std::uint64_t length);
std::unique_ptr<ByteSource> memory_range(std::string name, std::span<const std::uint8_t> bytes);
/// The contents of gzip data with checksums checked (libarchive does not). Reading throws Error:
/// "a.gz: found the end of the file in the middle of its gzip data, expected more."
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> packed);

/// Fills `out`. @param what  for the sentence: "a.idx: found 3 bytes, expected 4 of the magic
/// number."
void read_exactly(ByteSource& source, std::span<std::uint8_t> out, const std::string& what);

/// The probable type of an unexpected file by its first bytes: "a web page (HTML)", "a zip
/// archive", "a Git LFS pointer …", or the bytes themselves.
std::string looks_like(std::span<const std::uint8_t> head);

// Shared by the readers of IDX and NPY.

/// Product of `shape` times `size_of_number`. @throws Error if it does not fit 2^62
std::uint64_t byte_count(const std::string& file, const std::vector<std::size_t>& shape, std::size_t size_of_number);

/// The source must be exactly header + body bytes long; the check allocates nothing. Leaves the
/// source at the body.
/// @throws Error "a.idx: found 20 bytes, expected 16 of header and 784000000000 of numbers
/// (1000000000 × 28 × 28)."
void require_length(ByteSource& source, std::uint64_t header, std::uint64_t body,
                    const std::vector<std::size_t>& shape);

/// Reads `n` numbers of the type held by `values`, in the given byte order.
void read_numbers(ByteSource& source, std::size_t n, std::endian order, NumberArray::Values& values);

}   // namespace credence
