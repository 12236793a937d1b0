// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "foundation/files.h"
#include "gallery/gallery.h"

#include <iostream>
#include <memory>

using namespace credence;

namespace {

/// The number of entries of each paper by their state.
Table paperTable()
{
    Table table{{}, {}};
    for (const char* column : {"paper", "entries"})
        table.columns.push_back({.name = column});
    for (const auto& [status, name] : entry_statuses)
        table.columns.push_back({.name = name});
    const auto add = [&table](const std::string& name, const GalleryCounts& counts) {
        table.rows.push_back({name, static_cast<long>(counts.all())});
        for (const int count : counts.each)
            table.rows.back().push_back(static_cast<long>(count));
    };
    for (const auto& paper : gallery().papers)
        add(paper.id + ": " + paper.short_title, counts_of(gallery().of_paper(paper.id)));
    add("all", counts_of(gallery()));
    return table;
}

}   // namespace

Action addPapers(CLI::App& app, const CommandTools&)
{
    const auto page = std::make_shared<std::string>();   // file; empty: print the counts
    addValue(app, "--write", "FILE", *page, "Write the page as Markdown");
    return [page] {
        if (page->empty()) {
            std::cout << plainTable(paperTable());
        } else {
            write_whole(*page, papers_document(gallery()));
            std::cout << "Written to " << *page << '\n';
        }
        return exitOk;
    };
}
