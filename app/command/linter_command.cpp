// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/plain_table.h"
#include "foundation/files.h"
#include "linter/lint.h"

#include <iostream>

int execute(const LinterCommand& command)
{
    using namespace credence;
    if (!command.write.empty()) {
        write_whole(command.write, linter_document());
        std::cout << "Written to " << command.write << '\n';
        return exitOk;
    }
    Table table{{{"rule", {}}, {"description", {}}}, {}};
    for (const auto& rule : lint_rules())
        table.rows.push_back({rule.id, rule.title});
    std::cout << plainTable(table);
    return exitOk;
}
