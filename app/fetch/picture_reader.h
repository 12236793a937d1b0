// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"

#include <QImage>
#include <QStringList>

/// The pixels of an image; grey images have one channel. Transparent parts become white. @throws
/// Error if there are none
credence::DecodedPicture decodedPicture(const QImage& image);

/// Reads a raster image from a file. SVG and other drawings are refused: they can read other files.
/// @throws Error "cannot be read as an image (the file ends too early)." Prints nothing.
QImage readPictureFile(const std::filesystem::path& path);

/// "*.png" and similar for all formats supported by readPictureFile.
QStringList pictureFileFilters();

/// readPictureFile for core. Its suffixes include svg, so that a drawing in a folder is reported
/// and refused. Transparent parts become white.
credence::PictureReader qtPictureReader();
