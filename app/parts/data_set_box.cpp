// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/data_set_box.h"

#include "work/text.h"

#include "sources/image_sources.h"

#include <QLineEdit>

using namespace credence;

DataSetBox::DataSetBox(const QString& emptyMeaning, QWidget* parent) : QComboBox(parent), m_emptyMeaning(emptyMeaning)
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setCompleter(nullptr);   // a path that begins like a set's name must not become it
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    lineEdit()->setPlaceholderText(m_emptyMeaning);
    connect(this, &QComboBox::activated, this, &DataSetBox::choose);
}

void DataSetBox::showPopup()
{
    const QSignalBlocker quiet(this);
    m_before = lineEdit()->text();
    clear();
    if (!m_emptyMeaning.isEmpty())
        addItem(m_emptyMeaning, QString());
    for (const ImageSource& source : image_sources_at_hand()) {
        const QString id = toQString(source.id), title = toQString(source.title);
        addItem(title == id ? id : tr("%1 (%2)").arg(title, id), id);
        setItemData(count() - 1, toQString(source.about), Qt::ToolTipRole);
    }
    insertSeparator(count());
    addItem(tr("Get data sets…"));
    setCurrentIndex(findData(m_before));
    lineEdit()->setText(m_before);
    QComboBox::showPopup();
}

void DataSetBox::choose(int index)
{
    const bool get     = index == count() - 1;
    const QString name = get ? m_before : itemData(index).toString();
    {
        const QSignalBlocker quiet(this);
        setCurrentIndex(-1);
        lineEdit()->setText(name);
    }
    if (get)
        Q_EMIT dataSetsRequested();
    else
        Q_EMIT chosen(name);
}
