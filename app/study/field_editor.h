// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/palette.h"
#include "study/fields.h"

#include <QComboBox>
#include <QFrame>
#include <QPointer>
#include <QString>
#include <QWidget>

/// Edits the name of an image data set or a path: a text field, and a list of the installed sets,
/// updated whenever it opens.
class DataSetBox : public QComboBox {
    Q_OBJECT
public:
    /// @param emptyMeaning  meaning of an empty field; empty if it has none
    explicit DataSetBox(const QString& emptyMeaning, QWidget* parent = nullptr);

    void showPopup() override;

signals:
    void chosen(const QString& name);
    void dataSetsRequested();   ///< the entry below the sets

private:
    void choose(int index);

    QString m_emptyMeaning;
    QString m_before;   // the text when the list opened
};

/// Help on a setting as HTML: label, unit, help, choices or range, current value, default and path.
/// @param usual  the default, see credence::with_default_settings
QString fieldHelp(const credence::Field& field, const credence::FieldValue& now, const credence::FieldValue& usual);

class MistakeLabel;
class QLabel;
class QLineEdit;
class QToolButton;

/// One row of the Study panel: label, editor, help mark, and below them an error or a warning about
/// an unusual value. Both are red, but only an error prevents training. A value that is not the
/// default has a mark after its label.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    explicit FieldEditor(const credence::Field& field, QWidget* parent = nullptr);

    const credence::Field& field() const { return m_field; }
    /// Shows the value of `study`, and discards invalid text if the value has changed since.
    /// @param usual  has the defaults, see credence::with_default_settings
    void showValueOf(const credence::Study& study, const credence::Study& usual);
    bool changed() const { return m_value != m_usual; }   ///< is the value not the default?
    /// Shows a button after a changed value that restores the default.
    void offerReset(bool on);
    void markMistake(const QString& sentence);   ///< empty: no mistake
    bool hasMistake() const;
    QString mistake() const;   ///< empty: none
    bool hasCaution() const;   ///< a valid value with an unexpected effect
    QString warning() const;   ///< the error, or else the caution
    void commit();             ///< commits the typed text, as Enter does
    QWidget* editor() const { return m_editor; }

signals:
    void edited(const credence::FieldValue& value);
    void dataSetsRequested();                ///< the user wants more data sets
    void refused(const QString& sentence);   ///< the typed text is not a valid value; it stays as typed

private:
    void makeEditor();
    void showCaution(const QString& sentence);
    void markChanged();
    void paintRed();
    void changeEvent(QEvent* event) override;
    void stepNumber(int direction);
    bool eventFilter(QObject* watched, QEvent* event) override;
    QString helpText() const;

    const credence::Field& m_field;
    credence::FieldValue m_value, m_usual;
    QLabel* m_label         = nullptr;   // null: the editor contains the label
    QWidget* m_editor       = nullptr;
    QToolButton* m_reset    = nullptr;
    bool m_offersReset      = false;
    QLineEdit* m_line       = nullptr;   // the editor, if it is one
    MistakeLabel* m_mistake = nullptr;
    MistakeLabel* m_caution = nullptr;
};

class QLabel;
class QLineEdit;
class QListView;
class QStandardItemModel;

/// The methods as cards in groups, each with its name, one sentence, its cost and its paper.
class PosteriorCards : public SearchPopup {
    Q_OBJECT
public:
    /// @param chosen  id of the method in use, which is marked
    PosteriorCards(const QString& chosen, QWidget* parent);

    void showBelow(const QWidget& box);

signals:
    void chosen(const QString& id);

private:
    void filter(const QString& typed) override;
    bool isCaption(int row) const override;
    void choose() override;
    int page() const override { return 4; }   // cards

    QString m_chosen;
    QStandardItemModel* m_model;
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
