// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

/// A data set of images in words, as the table of data sets shows it.
struct DataSetRow {
    QString id, title, about, images, size, license, home, state;
    bool atHand = false, catalogued = false, drawn = false;
    bool own = false;   ///< in the user's data folder: can be removed
    QString folder;
};

/// First those that the program draws, then the catalogue, then the user's own. Looks at the disk.
std::vector<DataSetRow> dataSetRows();
