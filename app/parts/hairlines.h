// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

class QPalette;

QColor hairlineColour(const QPalette& palette);

/// Divides its widgets by hairlines that can be dragged.
class HairlineSplitter : public QSplitter {
public:
    HairlineSplitter(Qt::Orientation orientation, QWidget* parent);

private:
    QSplitterHandle* createHandle() override;
};
