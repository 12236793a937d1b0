// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace credence {

struct Report {
    QString title;          ///< "Two moons, mean field"
    QString note;           ///< a paragraph under the title; empty: none
    QByteArray studyJson;   ///< into the metadata
    std::vector<Chart>
        charts;   ///< each with title and caption; charts with a message instead of a picture show the message; "scores" comes first
    Table settings{};   ///< on the first page
    QString
        setting{};   ///< what the captions share, "Data: …. Seed 1": said once, on the first page, and left out of the captions
};

/// One document with figures, tables and the Study, told by its suffix: `.pdf` (A4, numbered pages) or `.html` (one file, figures inside as SVG).
/// Written whole or not at all, with the Study in the metadata. @throws Error that names the file
void writeReport(const Report& report, const QString& file);

}   // namespace credence
