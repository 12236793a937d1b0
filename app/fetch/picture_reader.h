// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"

/// Pictures of every format that Qt reads here. Transparent parts become white.
credence::PictureReader qtPictureReader();
