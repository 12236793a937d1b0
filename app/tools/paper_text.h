// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <QColor>
#include <QImage>
#include <QString>

/// The text of a paper entry as HTML: content, printed and our values, difference, and how it is
/// made. Its thumbnail, if any, is the image "thumbnail".
/// @param shade  background of every second table row
QString entryAsHtml(const credence::Gallery& gallery, const credence::GalleryEntry& entry, const QColor& shade);

/// "the sweep “Two moons, dropout rates”, 15 cells"
QString madeByText(const credence::GalleryEntry& entry);

/// "about 12 minutes on two cores · quick version about 1 minute"; empty if unknown
QString timesText(const credence::GalleryEntry& entry);

/// The thumbnail of an entry at this width in screen pixels; null: none.
QImage thumbnailOf(const credence::GalleryEntry& entry, int width, double devicePixelRatio);
