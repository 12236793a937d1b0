// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <string>

namespace credence {

/// Returns the gallery as a Markdown page for GitHub: for each paper the number of entries by
/// status, then one row per entry: what it shows, printed and ours, seeds, the difference, and the
/// command that reproduces it. Links are relative to the folder docs.
/// difference, and what to type to make it again. Links count from the folder docs.
std::string papers_document(const Gallery& gallery);

}   // namespace credence
