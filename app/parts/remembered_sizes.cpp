// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/remembered_sizes.h"

#include "session/settings.h"
#include "widgets/column_widths.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSplitter>

#include <algorithm>

using namespace credence;

void rememberColumns(ColumnWidths& widths, const QString& name)
{
    const bool another = !widths.objectName().isEmpty();
    widths.setObjectName(name);
    QMap<QString, double> known;
    const auto stored = QJsonDocument::fromJson(read(settings::columns(name))).object();
    for (auto one = stored.begin(); one != stored.end(); ++one)
        if (const double width = one->toDouble(); width > 0)
            known.insert(one.key(), width);
    widths.set(known);
    if (another)
        return;
    QObject::connect(&widths, &ColumnWidths::changed, &widths, [&widths] {
        QJsonObject all;
        for (auto one = widths.all().begin(); one != widths.all().end(); ++one)
            all[one.key()] = one.value();
        write(settings::columns(widths.objectName()), QJsonDocument(all).toJson(QJsonDocument::Compact));
        const auto* window = static_cast<QHeaderView*>(widths.parent())->window();
        for (auto* same : window->findChildren<ColumnWidths*>(widths.objectName()))   // the same table elsewhere
            if (same != &widths)
                same->set(widths.all());
    });
}

ColumnWidths* rememberColumns(QHeaderView* header, const QString& name)
{
    auto* widths = new ColumnWidths(header);
    rememberColumns(*widths, name);
    return widths;
}

bool rememberSplitter(QSplitter& splitter, const QString& name)
{
    constexpr auto nameProperty = "rememberedAs";
    const bool another          = splitter.property(nameProperty).isValid();
    splitter.setProperty(nameProperty, name);
    const auto stored = QJsonDocument::fromJson(read(settings::splitter(name))).array();
    QList<int> sizes;
    for (const auto& one : stored)
        sizes.append(one.toInt());
    const bool known = !sizes.isEmpty() && sizes.size() == splitter.count() && std::ranges::max(sizes) > 0;
    if (known)
        splitter.setSizes(sizes);   // in proportion to the size of the window
    if (another)
        return known;
    QObject::connect(&splitter, &QSplitter::splitterMoved, &splitter, [&splitter] {
        const auto shown = splitter.sizes();
        QJsonArray all;
        for (int k = 0; k < splitter.count(); ++k) {
            if (splitter.widget(k)->isHidden())
                return;   // its size is unknown
            all.append(shown[k]);
        }
        write(settings::splitter(splitter.property(nameProperty).toString()),
              QJsonDocument(all).toJson(QJsonDocument::Compact));
    });
    return known;
}

void rememberSplitters(QWidget& part, const QString& name)
{
    int number = 0;
    for (auto* splitter : part.findChildren<QSplitter*>())
        rememberSplitter(*splitter, QStringLiteral("%1/%2").arg(name).arg(number++));
}
