// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/state_bytes.h"

#include "foundation/error.h"

#include <cstring>

namespace credence {

void StateBytes::raw(void* memory, std::size_t bytes)
{
    if (bytes == 0)
        return;
    if (!reading_) {
        bytes_.append(static_cast<const char*>(memory), bytes);
        return;
    }
    require_bytes_left(bytes, 1);
    std::memcpy(memory, bytes_.data() + at_, bytes);
    at_ += bytes;
}

void StateBytes::require_within(long found, long least, long most) const
{
    if (found < least || found > most)
        throw Error("The state of the run has the number " + std::to_string(found) + " at byte " + std::to_string(at_)
                    + ", expected one from " + std::to_string(least) + " to " + std::to_string(most) + ".");
}

void StateBytes::require_bytes_left(std::uint64_t n, std::size_t size) const
{
    if (n > (bytes_.size() - at_) / size)
        throw Error("The state of the run ends too early: at byte " + std::to_string(at_) + " of "
                    + std::to_string(bytes_.size()) + " it expects " + std::to_string(n) + " times "
                    + std::to_string(size) + " more.");
}

void StateBytes::end() const
{
    if (reading_ && at_ != bytes_.size())
        throw Error("The state of the run has " + std::to_string(bytes_.size()) + " bytes, expected "
                    + std::to_string(at_) + ".");
}

void StateBytes::section(std::string_view name)
{
    std::string word(name);
    value(word);
    if (word != name)
        throw Error("The state of the run has no part \"" + std::string(name) + "\" where it is expected.");
}

void StateBytes::value(bool& flag)
{
    std::uint8_t byte = flag ? 1 : 0;
    value(byte);
    require_within(byte, 0, 1);
    flag = byte == 1;
}

void StateBytes::value(std::string& text)
{
    auto n = static_cast<std::uint64_t>(text.size());
    value(n);
    if (reading_) {
        require_bytes_left(n, 1);
        text.assign(static_cast<std::size_t>(n), '\0');
    }
    raw(text.data(), text.size());
}

void StateBytes::lasting(std::span<float> numbers)
{
    auto n = static_cast<std::uint64_t>(numbers.size());
    value(n);
    require_within(static_cast<long>(n), static_cast<long>(numbers.size()), static_cast<long>(numbers.size()));
    auto* const memory      = reinterpret_cast<char*>(numbers.data());
    const std::size_t whole = pieces_ ? numbers.size_bytes() / piece : 0;
    for (std::size_t i = 0; i < whole; ++i) {
        std::uint32_t number = reading_ ? 0 : pieces_->put({memory + i * piece, piece});
        value(number);
        if (reading_)
            pieces_->get(number, {memory + i * piece, piece});
    }
    raw(memory + whole * piece, numbers.size_bytes() - whole * piece);
}

}   // namespace credence
