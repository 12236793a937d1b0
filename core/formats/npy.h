// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"
#include "formats/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// The header of an NPY file.
struct NpyHeader {
    std::string type;       ///< "<f4", as NumPy writes it
    bool fortran = false;   ///< first index fastest
    std::vector<std::size_t> shape;
    std::uint64_t length = 0;   ///< bytes before the numbers

    /// float16, which has no type of its own here: its bits are read as 16-bit integers and converted
    /// to float32.
    bool half() const { return type.size() == 3 && type.ends_with("f2"); }
};

/// The header of a file of this type and shape: version 1, C order, numbers starting at a multiple
/// of 64 bytes.
std::string npy_head(const std::string& descr, const std::vector<std::size_t>& shape);

/// An NPY array that is read in pieces, from front to back, so that memory use stays small.
class NpyStream {
public:
    /// Reads the header and checks the length. @throws Error
    explicit NpyStream(std::unique_ptr<ByteSource> source);

    const std::string& name() const { return source_->name(); }
    const std::vector<std::size_t>& shape() const { return header_.shape; }
    bool fortran() const { return header_.fortran && header_.shape.size() > 1; }
    bool single_precision() const { return header_.type == "<f4" || header_.type == ">f4" || header_.half(); }
    bool bytes() const { return header_.type == "|u1"; }
    bool seekable() const { return source_->seekable(); }   ///< going back and skipping cost nothing
    bool text() const { return characters_ > 0; }           ///< strings of a fixed width (<U or |S)
    std::size_t size() const;                               ///< product of the shape

    /// Numbers from element `first` (in file order) on, as doubles. Going back restarts at the
    /// front. @throws Error if they are strings
    void read(std::size_t first, std::span<double> out);
    void read(std::size_t first, std::span<float> out);   ///< the same, rounded to float32
    /// All numbers, in C order. @throws Error if they are strings
    NumberArray numbers();
    /// All strings, as UTF-8. @throws Error if they are numbers
    std::vector<std::string> strings();

private:
    template <class Number>
    void read_as(std::size_t first, std::span<Number> out);

    std::unique_ptr<ByteSource> source_;
    NpyHeader header_;
    NumberArray::Values piece_;    ///< a buffer of the stored type for one piece
    std::size_t bytes_      = 0;   ///< of one element
    std::size_t characters_ = 0;   ///< of a string; 0: numbers
    std::size_t at_         = 0;   ///< the next element
};

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

/// The bytes of an NPY file of strings ("<U…"). @param texts  UTF-8
std::string npy_bytes_of_texts(std::span<const std::string> texts);

/// Writes arrays into an NPZ file, uncompressed, as numpy.savez does; they can be larger than memory
/// and arrive in any order. The file gets its name when it is complete (`keep`); otherwise nothing
/// remains of it. Every call throws Error or DiskError that names the file.
class NpzWriter {
public:
    explicit NpzWriter(const std::filesystem::path& file);
    ~NpzWriter();
    NpzWriter(const NpzWriter&)            = delete;
    NpzWriter& operator=(const NpzWriter&) = delete;

    void add(const std::string& name, const NumberArray& array);
    void add(const std::string& name, std::span<const std::string> texts);

    /// Reserves space for numbers of this shape, C order, which `put` fills at any position; `finish`
    /// ends the array. Arrays of type `Number` (float or double) are filled with numbers of this type.
    /// @return  the array's number in this file
    template <class Number = float>
    std::size_t begin(const std::string& name, const std::vector<std::size_t>& shape)
    {
        return begin_numbers(name, shape, sizeof(Number));
    }
    void put(std::size_t array, std::uint64_t first, std::span<const float> numbers);
    void put(std::size_t array, std::uint64_t first, std::span<const double> numbers);
    void finish(std::size_t array);

    void keep();   ///< writes the directory, flushes to the disk and renames

private:
    struct Member {
        std::string name;
        std::uint64_t local = 0, length = 0;
        std::uint32_t checksum = 0;
        std::uint64_t first    = 0;   ///< position of its bytes, header included
        std::uint64_t numbers  = 0;   ///< position of its numbers, if they are put
    };
    void add_bytes(const std::string& name, std::string_view npy);
    std::size_t begin_numbers(const std::string& name, const std::vector<std::size_t>& shape, std::size_t width);
    std::uint64_t begin_member(const std::string& name, std::uint64_t length);   ///< returns the position of its bytes
    void write_at(std::uint64_t place, std::string_view bytes);
    void write_local_header(const Member& member);

    std::filesystem::path file_, temporary_;
    int handle_        = -1;
    std::uint64_t end_ = 0;   ///< of what is written
    std::vector<Member> members_;
};

}   // namespace credence
