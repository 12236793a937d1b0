// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"

namespace credence {

Error::Error(const std::string& sentence) : std::runtime_error(sentence) {}

Error::Error(std::string field, const std::string& sentence) : std::runtime_error(sentence), field_(std::move(field)) {}

}  // namespace credence
