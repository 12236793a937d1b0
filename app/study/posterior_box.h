// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;
class QStandardItemModel;

/// The methods as cards in groups, each with its name, one sentence, its cost and its paper, below
/// a search field. Up, Down and Enter choose, Escape or a click elsewhere closes the popup.
class PosteriorCards : public QFrame {
    Q_OBJECT
public:
    /// @param chosen  id of the method in use, which is marked
    PosteriorCards(const QString& chosen, QWidget* parent);

    void showBelow(const QWidget& box);

signals:
    void chosen(const QString& id);

private:
    void filter(const QString& typed);
    void move(int rows);
    void choose();
    bool eventFilter(QObject* watched, QEvent* event) override;

    QString m_chosen;
    QStandardItemModel* m_model;
    QLineEdit* m_typed;
    QLabel* m_count;
    QListView* m_list;
};

/// The editor of the posterior: the method in use; its list is a popup of cards.
class PosteriorBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

    void showPopup() override;
    void hidePopup() override;

private:
    QPointer<PosteriorCards> m_cards;
};
