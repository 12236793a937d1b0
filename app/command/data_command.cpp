// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"

#include "command/interrupt.h"
#include "command/plain_table.h"
#include "command/progress_line.h"
#include "foundation/error.h"
#include "sources/catalogue_files.h"
#include "sources/image_sources.h"

#include <algorithm>
#include <iostream>

namespace {

using namespace credence;

std::string stateOf(const CatalogueEntry& entry)
{
    for (const auto& folder : entry.installed)
        if (looks_complete(entry, folder))
            return "installed by the distribution in " + folder;
    for (const auto& folder : data_folders())
        if (looks_complete(entry, folder / entry.id))
            return "at hand in " + (folder / entry.id).string();
    return "not here (credence data fetch " + entry.id + ")";
}

Table setTable()
{
    Table table{{{"name", {}}, {"title", {}}, {"download", {}}, {"licence", {}}, {"state", {}}}, {}};
    for (const auto& entry : catalogue())
        table.rows.push_back({entry.id, entry.title, bytesText(entry.download_bytes()), entry.license, stateOf(entry)});
    for (const auto& source : image_sources_at_hand())
        if (!source.catalogued)
            table.rows.push_back(
                {source.id, source.title, std::string(), std::string(),
                 source.folder.empty() ? "drawn by the program" : "at hand in " + source.folder.string()});
    return table;
}

}   // namespace

int execute(const DataListCommand&)
{
    std::cout << plainTable(setTable());
    return exitOk;
}

int execute(const DataFetchCommand& command, const FetchSet& fetch)
{
    const CatalogueEntry& entry = catalogue_entry(command.name);
    FetchReport report;
    {
        ProgressLine line;
        const Interrupt interrupt;
        report = fetch(
            entry, interrupt.token(), [&](const FetchProgress& progress) { line.show(fetchText(progress)); },
            [&](const std::string& sentence) {
            line.wipe();
            std::cerr << "credence: " << sentence << '\n';
            });
    }
    switch (report.end) {
    case FetchReport::End::fetched:
        std::cout << report.message << '\n';
        if (!entry.license.empty())
            std::cout << "Licence: " << entry.license << ". " << entry.home << '\n';
        return exitOk;
    case FetchReport::End::wasThere: std::cout << report.message << '\n'; return exitOk;
    case FetchReport::End::cancelled: std::cerr << "credence: " << report.message << '\n'; return exitCancelled;
    default: std::cerr << "credence: " << report.message << '\n'; return exitFailed;
    }
}

int execute(const DataImportCommand& command, ImportTools tools)
{
    using Colour          = PictureOptions::Colour;
    ImportOrder order     = command.order;
    order.pictures.colour = command.colour == "grey"     ? Colour::grey
                            : command.colour == "colour" ? Colour::colour
                                                         : Colour::detect;
    ImportReport report;
    bool cancelled = false;
    {
        ProgressLine line;
        const Interrupt interrupt;
        line.show("reading " + order.path.string() + " …");
        tools.progress = [&](std::size_t done, std::size_t all) {
            if (done % 100 == 0 || done == all)
                line.show("picture " + std::to_string(done) + " of " + std::to_string(all));
        };
        try {
            report = import_image_set(order, tools, interrupt.token());
        } catch (const Error&) {
            if (!interrupt.token().stop_requested())
                throw;
            cancelled = true;
        }
    }
    if (cancelled) {
        std::cerr << "credence: Cancelled.\n";
        return exitCancelled;
    }
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < std::min(most, report.unreadable.size()); ++i)
        std::cerr << "credence: " << report.unreadable[i] << '\n';
    if (const std::size_t n = report.unreadable.size(); n > 0)
        std::cerr << "credence: " << n << (n == 1 ? " picture" : " pictures") << " could not be read"
                  << (n > most ? ", the first 20 are named" : "") << "; left out.\n";
    std::cout << report.message << '\n';
    return exitOk;
}
