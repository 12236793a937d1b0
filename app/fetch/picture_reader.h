// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"

class QImage;

/// The pixels of a picture, grey where it is. Transparent parts become white. @throws Error if there are none
credence::DecodedPicture decodedPicture(const QImage& image);

/// Pictures of every format that Qt reads here. Transparent parts become white.
credence::PictureReader qtPictureReader();
