// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/number_array.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

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

    /// Reserves space for float32 numbers of this shape, C order, which `put` fills at any position;
    /// `finish` ends the array.
    /// @return  the array's number in this file
    std::size_t begin(const std::string& name, const std::vector<std::size_t>& shape);
    void put(std::size_t array, std::uint64_t first, std::span<const float> numbers);
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
    std::uint64_t begin_member(const std::string& name, std::uint64_t length);   ///< returns the position of its bytes
    void write_at(std::uint64_t place, std::string_view bytes);
    void write_local_header(const Member& member);

    std::filesystem::path file_, temporary_;
    int handle_        = -1;
    std::uint64_t end_ = 0;   ///< of what is written
    std::vector<Member> members_;
};

}   // namespace credence
