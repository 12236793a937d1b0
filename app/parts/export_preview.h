// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "widgets/export_figure.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>

/// Previews a figure as exported, in true proportions and with true font sizes. Figures are
/// rendered once each on a separate thread.
class ExportPreview : public QWidget {
    Q_OBJECT
public:
    using Maker = std::function<std::optional<credence::Chart>(std::stop_token)>;
    explicit ExportPreview(QWidget* parent);

    void showFigure(const QString& id, const Maker& make);
    void setOptions(const credence::ExportOptions& options);
    QString words() const { return m_words; }          ///< below the page: its size, or why there is none
    const QImage& picture() const { return m_page; }   ///< null: there is none yet

    QSize sizeHint() const override { return {340, 320}; }
    QSize minimumSizeHint() const override { return {200, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawPage();
    void notify(const QString& words);

    QString m_id;
    std::map<QString, std::shared_ptr<const credence::Chart>> m_made;
    credence::ExportOptions m_options;
    QImage m_page;
    QString m_words;
    QTimer m_soon;
    Worker m_worker;   // last: its thread ends first
};
