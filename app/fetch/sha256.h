// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <atomic>
#include <memory>

/// SHA-256 of the whole source, read from its beginning: 64 lower-case hexadecimal digits.
std::string sha256Of(credence::ByteSource& source);

/// The same for long files in the background. @throws credence::Error "Cancelled." soon after
/// `stop` becomes true
std::string sha256Of(credence::ByteSource& source, const std::shared_ptr<const std::atomic<bool>>& stop);
