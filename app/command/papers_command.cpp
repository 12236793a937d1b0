// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/plain_table.h"
#include "foundation/files.h"
#include "gallery/papers_document.h"

#include <iostream>

int execute(const PapersCommand& command)
{
    using namespace credence;
    if (!command.write.empty()) {
        write_whole(command.write, papers_document(gallery()));
        std::cout << "Written to " << command.write << '\n';
        return exitOk;
    }
    Table table{{}, {}};
    for (const char* column : {"paper", "entries", "done", "on other data", "not done yet", "cannot be done"})
        table.columns.push_back({.name = column});
    const auto add = [&table](const std::string& name, const GalleryCounts& counts) {
        table.rows.push_back({name, static_cast<long>(counts.all()), static_cast<long>(counts.done),
                              static_cast<long>(counts.substitute), static_cast<long>(counts.open),
                              static_cast<long>(counts.impossible)});
    };
    for (const auto& paper : gallery().papers)
        add(paper.id + ": " + paper.short_title, counts_of(gallery().of_paper(paper.id)));
    add("all", counts_of(gallery()));
    std::cout << plainTable(table);
    return exitOk;
}
