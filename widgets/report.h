// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace credence {

/// A chapter of text: findings, remarks.
struct ReportText {
    QString title;
    QStringList lines;   ///< one paragraph each; empty: states that there is nothing
};

struct Report {
    QString title;          ///< "Two moons, mean field"
    QString note;           ///< a paragraph below the title; empty: none
    QByteArray studyJson;   ///< for the metadata
    /// Each with title and caption; a chart with a message instead of a figure shows the message.
    /// "scores" is the first.
    std::vector<Chart> charts;
    Table settings{};   ///< on the first page
    /// The common part of the captions, "Data: …. Seed 1": stated once on the first page and omitted
    /// from the captions.
    QString setting{};
    std::vector<ReportText> texts{};   ///< after the first page
    QStringList chapters{};            ///< the heading of each chart; empty: none, as for "scores"
};

/// Writes one document with figures, tables and the Study; the suffix selects `.pdf` (A4, numbered
/// pages) or `.html` (one file with embedded SVG). The common part of the captions is stated once,
/// so that each caption only states differences. Written atomically, with the Study in the
/// metadata. @throws Error that names the file
void writeReport(const Report& report, const QString& file);

/// The same in parts, so that a window stays responsive between figures.
class ReportWriter {
public:
    /// @throws Error  for an unknown suffix
    ReportWriter(Report report, const QString& file);
    ~ReportWriter();
    bool step();   ///< writes the next part; false: the file is complete. @throws Error that names the file

private:
    class Pages;
    class Pdf;
    class Html;
    const Report m_report;
    const QString m_file;
    std::unique_ptr<Pages> m_pages;
    std::size_t m_next = 0;   // the next chart
};

}   // namespace credence
