// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class PictureDesk;

/// Stands in the place of pictures of the weights while outputs from elsewhere are on show, and says why there are none.
class NoWeights : public QLabel {
    Q_OBJECT
public:
    /// @param instead  what is hidden meanwhile
    NoWeights(PictureDesk& desk, QWidget* instead, QWidget* parent);
};
