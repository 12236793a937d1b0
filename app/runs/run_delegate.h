// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/run_thumbnails.h"

#include <QStyledItemDelegate>

/// A run of a RunListModel: thumbnail, name, score and chips, an eye that displays it, and a box
/// that ticks it for comparison. The first run of a group has the heading of the group above it.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RunDelegate(QAbstractItemView* view);

    struct Parts {
        QRect heading;   ///< empty: none
        QRect card, picture, name, line, eye, tick;
        bool isButton(const QPoint& at) const { return eye.contains(at) || tick.contains(at); }
    };
    static Parts partsOf(const QRect& cell, const QFont& font, const QModelIndex& index);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

signals:
    void displayRequested(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

private:
    struct Look;
    void paintPicture(const Look& look, const QModelIndex& index) const;
    static void paintWords(const Look& look, const QModelIndex& index);
    static void paintChips(const Look& look, QRect room, const QStringList& chips);
    static void paintButtons(const Look& look, const QStyleOptionViewItem& option, const QModelIndex& index);

    RunThumbnails* m_thumbnails;
};
