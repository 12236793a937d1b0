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

/// 128 bits that stand for bytes: damaged bytes have others. No protection against intent.
struct StateHash {
    std::uint64_t a = 0, b = 0;
    bool operator==(const StateHash&) const = default;
};
StateHash hash_of(std::string_view bytes);

/// One pass over the state of something that goes on later: writes its values into bytes, or sets them from bytes that were written so. What has a state says once, in one function
/// `serialise(StateBytes&)`, what it consists of, in one order for both ways.
/// Reading takes no more memory than the bytes at hand account for. Every member throws Error where the bytes do not fit; what was read then is half set and of no use.
class StateBytes {
public:
    static constexpr std::size_t piece = std::size_t{64} << 10;   ///< bytes

    /// Where large numbers go that stay as they are, piece by piece, the same piece once.
    class Pieces {
    public:
        virtual ~Pieces() = default;
        /// @param bytes  `piece` of them @return  the number to `get` them by
        virtual std::uint32_t put(std::string_view bytes) = 0;
        /// @throws Error if there is no such piece, or it is damaged
        virtual void get(std::uint32_t number, std::span<char> bytes) = 0;
    };

    /// Writes. @param pieces  borrowed; null: large numbers stand among the others
    explicit StateBytes(Pieces* pieces = nullptr) : pieces_(pieces) {}
    /// Reads. @param bytes  those of a pass that wrote, with pieces or without as this one
    StateBytes(std::string bytes, Pieces* pieces) : pieces_(pieces), reading_(true), bytes_(std::move(bytes)) {}

    bool reading() const { return reading_; }
    const std::string& bytes() const { return bytes_; }
    void end() const;   ///< reading: refuses bytes that are left

    /// A word that must stand here: where writer and reader disagree, it is found at the next one.
    void section(std::string_view name);

    /// A number, as it is in memory.
    template <class T>
    requires std::is_arithmetic_v<T>
    void value(T& number) { raw(&number, sizeof number); }
    void value(bool& flag);
    /// A number from least to most; also an enum.
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

    /// Numbers whose count both sides know.
    template <class T>
    requires std::is_arithmetic_v<T>
    void values(std::span<T> numbers)
    {
        auto n = static_cast<std::uint64_t>(numbers.size());
        value(n);
        require_within(static_cast<long>(n), static_cast<long>(numbers.size()), static_cast<long>(numbers.size()));
        raw(numbers.data(), numbers.size_bytes());
    }
    /// A list of numbers, as long as it is.
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
    /// A list of things, each passed by `each(StateBytes&, thing)`.
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
    /// Numbers that are the same in later passes, or longer: weights that are kept. Their whole pieces go where the same ones went before.
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
