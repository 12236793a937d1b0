// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/export_job.h"

#include <QObject>

class Centre;
class Messages;
class QPushButton;
class QStatusBar;
struct ExportChoices;
struct Workspace;

/// Figures of the moment on show, into files: asks which, makes them anew in full quality in the background, and says what became of them.
class FigureExport : public QObject {
    Q_OBJECT
public:
    FigureExport(Workspace& workspace, const Centre& centre, Messages& messages, QStatusBar* line, QWidget* window);

    void ask(const QString& chosen);   ///< @param chosen  the view that is ticked at first; empty: all
    void askReport();
    void write(const ExportOrder& order);

signals:
    void exported(const QStringList& files, const QString& mistake);

private:
    bool isFree();
    void addViews(ExportChoices& choices) const;
    std::vector<ExportJob::Figure> figuresOf(const QStringList& ids) const;
    ExportJob::Writers writersFor(const credence::ExportOptions& options) const;
    void refresh();
    void tellEnd(const ExportReport& report);

    Workspace& m_workspace;
    const Centre& m_centre;
    Messages& m_messages;
    QWidget* m_window;
    QPushButton* m_progress;
    QString m_folder;
};
