// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

/// One row of the table of image data sets, as text.
struct DataSetRow {
    QString id, title, about, images, size, license, home, state;
    bool atHand = false, catalogued = false, drawn = false;
    bool own = false;   ///< in the user's data folder: can be removed
    QString folder;
};

/// Generated sets first, then the catalogue, then the user's own. Reads the disk.
std::vector<DataSetRow> dataSetRows();
