// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Describes custom controls to assistive technology: message bars are alerts, thumbnail strips are
/// lists of images, the canvas is an image with the value under its cursor. Idempotent.
void installSpokenParts();
