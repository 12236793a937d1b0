// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace credence {

/// Workspace of one call, borrowed from the calling thread and returned at the end of the scope.
/// The thread keeps the memory, so repeated calls allocate only once. Scopes can be nested: a
/// thread that waits for its tasks can run another call meanwhile.
class Scratch {
public:
    explicit Scratch(std::size_t bytes);
    ~Scratch();
    Scratch(const Scratch&)            = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// n values, uninitialised, aligned to 64 bytes.
    template <class T>
    std::span<T> take(std::size_t n)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return {reinterpret_cast<T*>(take_bytes(n * sizeof(T))), n};
    }
    /// Bytes used by `take<T>(n)`.
    template <class T>
    static constexpr std::size_t bytes_for(std::size_t n)
    {
        return (n * sizeof(T) + 63) / 64 * 64;
    }

private:
    std::byte* take_bytes(std::size_t bytes);

    std::byte* next_;
    std::size_t left_;
};

}   // namespace credence
