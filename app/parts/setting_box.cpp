// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/setting_box.h"

#include "work/text.h"

#include "study/fields.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>

using namespace credence;

namespace {

/// Name and note do not affect a run, and seeds have their own field.
bool canBeVaried(const Field& field) { return field.group() != "study"; }

}   // namespace

SettingBox::SettingBox(QWidget* parent) : QComboBox(parent)
{
    setEditable(true);
    setInsertPolicy(NoInsert);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(14);
    setMaxVisibleItems(20);
    setModel(new QStandardItemModel(this));
    lineEdit()->setPlaceholderText(tr("type part of a setting's name"));
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    connect(this, &QComboBox::activated, this, &SettingBox::take);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &SettingBox::takeTyped);
}

QString SettingBox::titleOf(const QString& path)
{
    const Field& setting = field(path.toStdString());
    QString group        = toQString(setting.group());
    group[0]             = group[0].toUpper();
    return group + QStringLiteral(" › ") + toQString(setting.label);
}

void SettingBox::listSettingsOf(const Study& study)
{
    const QSignalBlocker quiet(this);
    auto* lines = static_cast<QStandardItemModel*>(model());
    lines->clear();
    for (const bool effective : {true, false})
        for (const auto& setting : study_fields()) {
            if (!canBeVaried(setting) || (!setting.applies || setting.applies(study)) != effective)
                continue;
            const QString path = toQString(setting.path);
            auto* line         = new QStandardItem(titleOf(path));
            line->setData(path, Qt::UserRole);
            line->setToolTip(effective ? toQString(setting.help)
                                       : tr("No effect with the base settings. %1").arg(toQString(setting.help)));
            if (!effective)
                line->setForeground(palette().color(QPalette::Disabled, QPalette::Text));
            lines->appendRow(line);
        }
    setPath(m_path);
}

QString SettingBox::path() const { return m_path; }

void SettingBox::setPath(const QString& path)
{
    const QSignalBlocker quiet(this);
    m_path = path;
    setCurrentIndex(path.isEmpty() ? -1 : findData(path));
    if (currentIndex() < 0)
        setEditText({});
    lineEdit()->setCursorPosition(0);
}

void SettingBox::take(int row)
{
    const QString path = row < 0 ? m_path : itemData(row).toString();
    const bool fresh   = path != m_path;
    setPath(path);
    if (fresh)
        Q_EMIT settingChosen(path);
}

/// Selects the setting with this name, else the first that contains the text; else the selection
/// does not change.
void SettingBox::takeTyped()
{
    const QString typed = currentText().trimmed();
    if (completer()->popup() && completer()->popup()->isVisible())
        return;   // it is being chosen there
    int row = typed.isEmpty() ? -1 : findText(typed, Qt::MatchFixedString);
    if (row < 0 && !typed.isEmpty())
        row = findData(typed);
    if (row < 0 && !typed.isEmpty())
        row = findText(typed, Qt::MatchContains);
    take(row);
}

/// Enter selects here and does not trigger a default button.
void SettingBox::keyPressEvent(QKeyEvent* event)
{
    QComboBox::keyPressEvent(event);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        event->accept();
}
