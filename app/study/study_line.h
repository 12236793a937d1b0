// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QToolButton>

#include <optional>
#include <vector>

namespace credence {
struct Architecture;
enum class Symbol;
}   // namespace credence

/// One part of the Study as a line that opens its settings: a small picture, the name of the part,
/// and one sentence with its settings.
class StudyLine : public QToolButton {
    Q_OBJECT
public:
    /// @param group  see credence::study_sentence
    StudyLine(const QString& group, const QString& title, QWidget* parent);

    /// @param network  of the prepared experiment; null: not known
    void describe(const credence::Study& study, const credence::Architecture* network);
    /// Marks that a setting of the line is wrong or unusual. @param words  empty: none is
    void warn(const QString& words);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect pictureBox() const;
    QRect words() const;

    QString m_group, m_sentence, m_warning;
    credence::Symbol m_symbol{};
    std::optional<credence::DataSpec> m_points;   // are drawn in place of the symbol
    std::vector<int> m_units;                     // see credence::paintUnits; empty: the symbol
};
