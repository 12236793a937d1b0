// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/export_dialog.h"
#include "session/export_job.h"

#include "charts/chart.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

class QPushButton;

/// A chart with the text of its Study; empty: none.
struct ChartOfStudy {
    std::shared_ptr<const credence::Chart> chart;
    QByteArray studyJson{};
};

/// Asks which figures to write, and writes them in the background with progress and Cancel. All
/// exports of a window use it.
class Exporter : public QObject {
    Q_OBJECT
public:
    /// @param job     writes the files; lives as long as the window
    /// @param window  parent of the dialog
    Exporter(ExportJob& job, QWidget* window);

    QPushButton* progress() const
    {
        return m_progress;
    }   ///< shows how far the export is, a click cancels it; for a place in the window
    bool busy() const { return m_job.busy(); }
    /// Does not block: `go` is called when the dialog is accepted.
    void ask(const ExportChoices& choices, std::function<void(const ExportOrder&)> go);
    /// Does nothing while an export is in progress.
    void start(const ExportOrder& order, std::vector<ExportJob::Figure> figures, ExportJob::Writers writers);
    /// Asks, and writes charts unchanged. @param chosen  id ticked initially; empty: all
    void askForCharts(std::vector<ChartOfStudy> charts, const std::string& chosen);

signals:
    void ended(const ExportReport& report, const QString& sentence);

private:
    void refresh();

    ExportJob& m_job;
    QWidget* m_window;
    QPushButton* m_progress;
    QString m_folder;
};
