// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

// NumPy's files. NPY, versions 1, 2 and 3: float16 (as float32), float32, float64, bool and
// integers of 8 to 64 bits, either byte order, C and Fortran order (converted to C order). NPZ: a
// zip archive of NPY files, stored or deflated, read by libarchive. Header, length and checksum are
// checked before numbers are allocated.
// Source: NEP 1, "A simple file format for NumPy arrays"; PKWARE APPNOTE 6.3 for the archive.

/// @throws Error "x.npy: found numbers of type '<c16', expected float16, float32, float64, bool or
/// integers of 1 to 8 bytes."
NumberArray read_npy(ByteSource& source);
NumberArray read_npy(const std::filesystem::path& file);

/// The bytes of an NPY file, version 1, little-endian, C order, numbers starting at a multiple of
/// 64 bytes.
std::string npy_bytes(const NumberArray& array);

/// An open NPZ file: its directory has been read, its arrays have not.
class NpzFile {
public:
    explicit NpzFile(const std::filesystem::path& file);
    /// The bytes must outlive the object.
    NpzFile(std::string name, std::span<const std::uint8_t> bytes);

    const std::vector<std::string>& names() const { return names_; }   ///< without .npy, in the order of the archive
    /// @throws Error "mnist.npz: found no array “y”, expected one of x_train, y_train."
    NumberArray read(const std::string& name) const;
    bool has(const std::string& name) const;

    enum class Checksum { compare, skip };
    /// The bytes of one array's NPY file, to be read in pieces. An uncompressed array is seekable.
    /// @param checksum  compare: reads all of it once first
    /// @return null if `stop` was requested
    std::unique_ptr<ByteSource> open(const std::string& name, Checksum checksum, std::stop_token stop = {}) const;

private:
    void read_directory();
    std::unique_ptr<ByteSource> open(std::size_t i, Checksum checksum, std::stop_token stop) const;
    std::size_t index_of(const std::string& name) const;

    std::string file_;
    /// Bytes of the archive, or of a part of it.
    std::function<std::unique_ptr<ByteSource>(std::string name, std::uint64_t first, std::uint64_t length)> part_;
    std::uint64_t size_ = 0;   ///< bytes of the archive
    std::vector<std::string> names_;
    std::vector<std::optional<std::uint64_t>> stored_;   ///< start of each uncompressed array
    std::vector<std::uint64_t> lengths_;                 ///< of the unpacked arrays, from the directory
};

/// Images and labels from one file each, as read_idx_images; channels can be first or last.
ImageSet read_npy_images(const std::filesystem::path& images, const std::filesystem::path& labels, std::string name,
                         std::vector<std::string> class_names = digit_names());

}   // namespace credence
