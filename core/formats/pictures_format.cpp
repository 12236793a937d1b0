// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "formats/paths.h"

namespace credence {

/// Any other folder: with one subfolder of pictures a class. What is in it is found out by look_through_folder.
ImageFormat pictures_format()
{
    return {.id         = "pictures",
            .words      = "a folder of pictures",
            .imported   = "a folder",
            .recognises = is_folder,
            .pictures   = true};
}

}   // namespace credence
