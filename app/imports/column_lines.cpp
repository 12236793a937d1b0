// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/column_lines.h"

#include "work/text.h"

#include "formats/column_proposals.h"

using namespace credence;

QString rangeText(const ColumnSummary& summary) { return toQString(range_text(summary)); }

std::vector<ColumnLine> columnLines(CsvPreview preview)
{
    preview.resolved.target.clear();   // it is described like the others
    std::vector<ColumnLine> lines;
    for (const auto& proposal : propose_columns(preview))
        lines.push_back({.kind         = toQString(name_of(proposal.kind)),
                         .reason       = toQString(proposal.reason),
                         .unit         = toQString(unit_in_name(proposal.name)),
                         .useful       = proposal.use,
                         .mayBeClasses = proposal.may_be_codes});
    return lines;
}
