// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/column_lines.h"

#include "work/text.h"

#include "formats/column_proposals.h"
#include "foundation/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

using namespace credence;

QString rangeText(const ColumnSummary& summary)
{
    const auto text = [](double value) { return toQString(plain_text(rounded_number(value, 4))); };
    return QCoreApplication::translate("ColumnLine", "%1 to %2").arg(text(summary.lowest), text(summary.highest));
}

QString unitOf(const QString& name)
{
    static const QRegularExpression brackets(QStringLiteral(R"([\[(]([^\[\]()]{1,20})[\])]\s*$)"));
    const QString unit = brackets.match(name).captured(1).trimmed();
    bool number        = false;
    unit.toDouble(&number);
    return number ? QString() : unit;   // “x (2)” is the second of two columns
}

std::vector<ColumnLine> columnLines(CsvPreview preview)
{
    preview.resolved.target.clear();   // it is described like the others
    std::vector<ColumnLine> lines;
    for (const auto& proposal : propose_columns(preview))
        lines.push_back({.kind         = toQString(name_of(proposal.kind)),
                         .reason       = toQString(proposal.reason),
                         .unit         = unitOf(toQString(proposal.name)),
                         .useful       = proposal.use || proposal.kind == ColumnProposal::Kind::unreadable,
                         .mayBeClasses = proposal.may_be_codes});
    return lines;
}
