// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <QWidget>

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
