// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <QColor>
#include <QImage>
#include <QString>

/// What is written of an entry of the papers: what it shows, printed and ours, the difference, how it is made. HTML; the thumbnail, where there is one, is the image "thumbnail".
/// @param shade  behind every second row of the table
QString entryAsHtml(const credence::Gallery& gallery, const credence::GalleryEntry& entry, const QColor& shade);

/// "the sweep “Two moons, dropout rates”, 15 cells"
QString madeByText(const credence::GalleryEntry& entry);

/// "about 12 minutes on two cores · quick version about 1 minute"; empty where nobody knows
QString timesText(const credence::GalleryEntry& entry);

/// Its picture as the program carries it, so wide in pixels of the screen; null: none.
QImage thumbnailOf(const credence::GalleryEntry& entry, int width, double devicePixelRatio);
