// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <QString>
#include <QWidget>

#include <vector>

/// How the import dialog describes a column of the file.
struct ColumnLine {
    QString kind;         ///< "number", "category", "index", "text", …
    QString reason;       ///< why, in a few words: "412 different whole numbers"
    QString unit;         ///< in brackets after its name; empty: none
    bool useful = true;   ///< false: numbers or names the rows, is constant or empty; not an input unless asked for
    bool mayBeClasses = false;   ///< numbers that may be categories
};

/// One for each column of the file, see `propose_columns`. Unreadable columns stay inputs, so that their problem is
/// shown.
std::vector<ColumnLine> columnLines(credence::CsvPreview preview);

/// The range of its numbers: "0.5 to 190,000".
QString rangeText(const credence::ColumnSummary& summary);

/// A small bar chart of the values of a column: the rows of each class, or a histogram, with a caption such as
/// "3 classes: 18 % to 45 %".
class ColumnPicture : public QWidget {
    Q_OBJECT
public:
    explicit ColumnPicture(QWidget* parent = nullptr);

    void setColumn(const credence::CsvColumn& column, bool classes);
    void clear();
    const QString& caption() const { return m_caption; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::size_t> m_counts;
    bool m_classes = false;
    QString m_caption;
};
