// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <atomic>
#include <memory>

/// SHA-256 of all that a source gives, from its beginning: 64 hexadecimal digits in lower case.
std::string sha256Of(credence::ByteSource& source);

/// The same for long files in the background. @throws credence::Error "Cancelled." soon after
/// `stop` becomes true
std::string sha256Of(credence::ByteSource& source, const std::shared_ptr<const std::atomic<bool>>& stop);
