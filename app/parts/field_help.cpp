// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/field_help.h"

#include "parts/help_mark.h"
#include "work/text.h"

#include <QCoreApplication>

using namespace credence;

QString fieldHelp(const Field& field, const FieldValue& now)
{
    const auto tr = [](const char* words) { return QCoreApplication::translate("FieldEditor", words); };
    QString html  = QStringLiteral("<b>%1</b>").arg(htmlFrom(field.label));
    if (!field.unit.empty())
        html += QStringLiteral(" [%1]").arg(htmlFrom(field.unit));
    html += QStringLiteral("<p>%1</p>").arg(htmlFrom(field.help));
    if (!field.choices.empty()) {
        html += QStringLiteral("<ul style='margin-left:-24px'>");
        for (const auto& choice : field.choices)
            html += QStringLiteral("<li><b>%1</b>: %2</li>").arg(htmlFrom(choice.title), htmlFrom(choice.help));
        html += QStringLiteral("</ul>");
    } else {
        html += QStringLiteral("<p>%1</p>").arg(tr("Value: %1.").arg(htmlFrom(expectation(field))));
    }
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(tr("Current value: <b>%1</b>; default: %2")
                         .arg(htmlFrom(value_text(now)), htmlFrom(value_text(field.get(Study{})))),
                     tr("In files and on the command line: <code>%1</code>").arg(htmlFrom(field.path)));
    return html;
}
