// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/export_dialog.h"

#include "charts/chart.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QWidget;

/// Asks which figures to write, how and where, and once for all before files are replaced. Never blocks: `go` is called when all is answered.
void askExport(const ExportChoices& choices, QWidget* parent, std::function<void(const ExportOrder&)> go);

/// A chart with the Study that made it, as text; empty: none did.
struct ChartOfStudy {
    std::shared_ptr<const credence::Chart> chart;
    QByteArray studyJson{};
};

/// Asks, and writes charts as they are.
/// @param chosen  id of the one that is ticked at first; empty: all
/// @param say     what was written, or why not
void exportCharts(std::vector<ChartOfStudy> charts, const std::string& chosen, QWidget* parent,
                  std::function<void(const QString&)> say);
