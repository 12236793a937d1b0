// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <string>

namespace credence {

/// Returns the page that GitHub shows of the gallery, in Markdown: for each paper how many of its entries are how far, then a row for each: what it shows, printed and ours, seeds, the
/// difference, and what to type to make it again. Links count from the folder docs.
std::string papers_document(const Gallery& gallery);

}   // namespace credence
