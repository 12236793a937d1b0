// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "foundation/files.h"

namespace credence {

/// Any other folder: one subfolder of pictures per class. look_through_folder inspects the
/// contents.
ImageFormat pictures_format()
{
    return {.id         = "pictures",
            .words      = "a folder of pictures",
            .imported   = "a folder",
            .recognises = is_folder,
            .pictures   = true};
}

}   // namespace credence
