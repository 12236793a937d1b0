// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "foundation/files.h"
#include "linter/lint.h"

#include <iostream>
#include <memory>

using namespace credence;

Action addLinter(CLI::App& app, const CommandTools&)
{
    const auto page = std::make_shared<std::string>();   // file; empty: list the rules
    addValue(app, "--write", "FILE", *page, "Write the page as Markdown");
    return [page] {
        if (!page->empty()) {
            write_whole(*page, linter_document());
            std::cout << "Written to " << *page << '\n';
            return exitOk;
        }
        Table table{{{"rule", {}}, {"description", {}}}, {}};
        for (const auto& rule : lint_rules())
            table.rows.push_back({rule.id, rule.title});
        std::cout << plainTable(table);
        return exitOk;
    };
}
