// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <QStringList>

#include <vector>

/// A figure, or a part of a report, that can be exported.
struct ExportFigure {
    QString id, title;
    QString chapter{};       ///< of a report; empty: none. Figures of a chapter are adjacent
    bool ofEachRun = true;   ///< can be made of every run; false: of what is on screen alone
};

/// Tickable figures grouped by report chapter; a chapter's tick reflects all its figures.
class FigureTicks : public QListWidget {
    Q_OBJECT
public:
    /// @param chosen   id of the ticked figure; empty: all except `leftOut`
    FigureTicks(const std::vector<ExportFigure>& figures, const QString& chosen, const QStringList& leftOut,
                QWidget* parent);
    QStringList ticked() const;
    QStringList leftOut() const;
    QString inFront() const;   ///< id of the current figure, or of the first that is ticked; empty: none
    void offerOnlyThoseOfEachRun(bool only);

signals:
    void changed();   ///< of ticks, or of what is in front

private:
    void passOn(QListWidgetItem* item);
    void refreshChapters();
};
