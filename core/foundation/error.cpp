// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"

#include "foundation/text.h"

#include <cstring>

namespace credence {
namespace {

/// Error messages are a single line of at most this many bytes, even if they quote file content.
constexpr std::size_t longest_sentence = 4000;

}   // namespace

Error::Error(const std::string& sentence) : std::runtime_error(one_line(sentence, longest_sentence)) {}

Error::Error(std::string field, const std::string& sentence)
    : std::runtime_error(one_line(sentence, longest_sentence)), field_(std::move(field))
{}

std::string system_reason(int code)
{
#ifdef __GLIBC__
    if (const char* text = strerrordesc_np(code))
        return text;
#endif
    return std::strerror(code);
}

}   // namespace credence
