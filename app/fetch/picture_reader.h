// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"

#include <QImage>
#include <QStringList>

/// The pixels of a picture, grey where it is. Transparent parts become white. @throws Error if there are none
credence::DecodedPicture decodedPicture(const QImage& image);

/// A picture of pixels from a file. SVG and other drawings are refused: they can read other files.
/// @throws Error "cannot be read as a picture (the file ends too early)." Nothing is printed.
QImage readPictureFile(const std::filesystem::path& path);

/// "*.png" and the like, of all formats that readPictureFile accepts here.
QStringList pictureFileFilters();

/// readPictureFile for core. Its suffixes include svg, so that a drawing in a folder is named and refused. Transparent parts become white.
credence::PictureReader qtPictureReader();
