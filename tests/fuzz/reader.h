// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// File readers with the invariants that hold for any bytes. Driven by libFuzzer (fuzz_main.cpp)
/// and by the tests (changed_inputs_test.cpp).
namespace credence::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// An invariant is violated. Not an Error, which is how a reader rejects its input.
class BrokenProperty : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// @throws BrokenProperty if it does not hold
inline void holds(bool condition, const char* sentence)
{
    if (!condition)
        throw BrokenProperty(sentence);
}

/// Checks the error for a rejected input: one line that names no part of the program unless the
/// input does. @throws BrokenProperty
void check_refusal(const Error& refusal);

/// Calls `read`; an Error is fine, other exceptions propagate. Returns whether the input was accepted.
template <class Read>
bool attempt(Read&& read)
{
    try {
        read();
        return true;
    } catch (const Error& refusal) {
        check_refusal(refusal);
        return false;
    }
}

/// A folder of this process, in memory if possible; removed at the end.
const std::filesystem::path& memory_folder();
/// Writes the input as a file there. @param name  "table.csv"
std::filesystem::path file_in_memory(const std::string& name, Bytes input);

/// Repairs checksums after a mutation, since hardly any input would pass them otherwise.
using Repair = void (*)(std::span<std::uint8_t> input);
void repair_tar(std::span<std::uint8_t> input);
void repair_zip(std::span<std::uint8_t> input);   ///< of members that are kept as they are
void repair_png(std::span<std::uint8_t> input);

struct Reader {
    const char* name;   ///< of its seeds too: tests/fuzz/seeds/NAME
    bool (*read)(
        Bytes input);   ///< returns whether it was accepted; throws BrokenProperty or another forbidden exception
    const char* more_seeds = "";   ///< a folder of the sources with real files
    Repair repair          = nullptr;
};

/// Gives the reader an input. Returns whether it was accepted; throws as Reader::read.
bool feed(const Reader& reader, Bytes input);
/// All readers of this build.
const std::vector<Reader>& readers();
/// @throws Error that lists the names
const Reader& reader_named(std::string_view name);

}   // namespace credence::fuzz
