// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace credence {

/// Serialises the state of a resumable object, or restores it, in one pass. A class lists its state
/// once, in a function `serialise(StateBytes&)` that both writes and reads in the same order.
/// Reading allocates no more memory than the available bytes justify. Every member function throws
/// Error if the bytes do not match; the object is then only partly restored and must be discarded.
class StateBytes {
public:
    static constexpr std::size_t piece = std::size_t{64} << 10;   ///< bytes

    /// Stores large arrays in fixed-size pieces outside the byte string. Identical pieces are
    /// stored once.
    class Pieces {
    public:
        virtual ~Pieces() = default;
        /// @param bytes  `piece` bytes
        /// @return       the number under which `get` finds them
        virtual std::uint32_t put(std::string_view bytes) = 0;
        /// @throws Error  if the piece does not exist or is damaged
        virtual void get(std::uint32_t number, std::span<char> bytes) = 0;
    };

    /// Creates a writer.
    /// @param pieces  borrowed; null: large arrays are stored inline
    explicit StateBytes(Pieces* pieces = nullptr) : pieces_(pieces) {}
    /// Creates a reader.
    /// @param bytes  bytes from a writer; both use pieces, or neither does
    StateBytes(std::string bytes, Pieces* pieces) : pieces_(pieces), reading_(true), bytes_(std::move(bytes)) {}

    bool reading() const { return reading_; }
    const std::string& bytes() const { return bytes_; }
    void end() const;   ///< reader: throws if bytes remain

    /// A marker that both sides must agree on. A mismatch between writer and reader is detected at
    /// the next marker.
    void section(std::string_view name);

    /// A number, in its memory representation.
    template <class T>
    requires std::is_arithmetic_v<T>
    void value(T& number) { raw(&number, sizeof number); }
    void value(bool& flag);
    /// A number in [least, most]; also for enums.
    template <class T>
    void within(T& number, long least, long most)
    {
        auto whole = static_cast<std::int64_t>(number);
        value(whole);
        require_within(whole, least, most);
        number = static_cast<T>(whole);
    }
    void value(std::string& text);
    template <class T>
    void value(std::optional<T>& number)
    {
        bool there = number.has_value();
        value(there);
        if (reading_)
            number = there ? std::optional<T>(T{}) : std::nullopt;
        if (there)
            value(*number);
    }

    /// An array whose size both sides know.
    template <class T>
    requires std::is_arithmetic_v<T>
    void values(std::span<T> numbers)
    {
        auto n = static_cast<std::uint64_t>(numbers.size());
        value(n);
        require_within(static_cast<long>(n), static_cast<long>(numbers.size()), static_cast<long>(numbers.size()));
        raw(numbers.data(), numbers.size_bytes());
    }
    /// A list of numbers of any length.
    template <class Vector>
    void list(Vector& numbers)
    {
        using T = typename Vector::value_type;
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
        auto n = static_cast<std::uint64_t>(numbers.size());
        value(n);
        if (reading_) {
            require_bytes_left(n, sizeof(T));
            numbers.assign(static_cast<std::size_t>(n), T{});
        }
        raw(numbers.data(), numbers.size() * sizeof(T));
    }
    /// A list of objects, each serialised by `each(StateBytes&, object)`.
    template <class Vector, class Each>
    void list(Vector& things, Each each)
    {
        auto n = static_cast<std::uint64_t>(things.size());
        value(n);
        if (reading_) {
            require_bytes_left(n, 1);
            things.assign(static_cast<std::size_t>(n), typename Vector::value_type{});
        }
        for (auto& thing : things)
            each(*this, thing);
    }
    /// Numbers that rarely change between passes except to grow, such as saved weights. Complete
    /// pieces that are unchanged are stored only once.
    void lasting(std::span<float> numbers);

private:
    void raw(void* memory, std::size_t bytes);
    void require_within(long found, long least, long most) const;
    void require_bytes_left(std::uint64_t n, std::size_t size) const;

    Pieces* pieces_;
    bool reading_ = false;
    std::string bytes_;
    std::size_t at_ = 0;
};

}   // namespace credence
