// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <QWidget>

class MistakeLabel;
class QLabel;
class QLineEdit;
class QGridLayout;

/// One row of the Study panel: label, editor, help mark, and below them an error or a warning about
/// an unusual value. Both are red, but only an error prevents training.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    explicit FieldEditor(const credence::Field& field, QWidget* parent = nullptr);

    const credence::Field& field() const { return m_field; }
    /// Shows the value of `study`, and discards invalid text if the value has changed since.
    void showValueOf(const credence::Study& study);
    void markMistake(const QString& sentence);   ///< empty: no mistake
    bool hasMistake() const;
    QString mistake() const;   ///< empty: none
    bool hasCaution() const;   ///< the value is allowed, and makes of the result something else than one expects
    void commit();             ///< takes over what is typed, as Enter would
    QWidget* editor() const { return m_editor; }

signals:
    void edited(const credence::FieldValue& value);
    void dataSetsRequested();                ///< the user wants more data sets
    void refused(const QString& sentence);   ///< what was typed is no value of this field; it stays as typed

private:
    void makeEditor();
    void showCaution(const QString& sentence);
    void paintRed();
    void changeEvent(QEvent* event) override;
    void stepNumber(int direction);
    bool eventFilter(QObject* watched, QEvent* event) override;
    QString helpText() const;

    const credence::Field& m_field;
    credence::FieldValue m_value;
    QWidget* m_editor       = nullptr;
    QLineEdit* m_line       = nullptr;   // the editor, if it is one
    MistakeLabel* m_mistake = nullptr;
    MistakeLabel* m_caution = nullptr;
};
