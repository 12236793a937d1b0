// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Describes custom controls to assistive technology: message bars are alerts, thumbnail strips are
/// lists of images, the canvas is an image with the value under its cursor. Idempotent.
void installSpokenParts();

/// Adds hidden labels with the accessible name to combo boxes without a visible label: on Linux Qt
/// reports a box by its label and value and ignores the name. Idempotent.
void labelBoxes(QWidget& window);
