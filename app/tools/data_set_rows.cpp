// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/data_set_rows.h"

#include "command/fetch_report.h"
#include "work/text.h"

#include "sources/catalogue_files.h"
#include "sources/image_counts.h"
#include "sources/image_import.h"
#include "sources/image_sources.h"

#include <QObject>

#include <algorithm>

using namespace credence;

namespace {

QString countText(const std::optional<ImageCounts>& counts)
{
    return counts ? QStringLiteral("%1 + %2").arg(toQString(counts->training), toQString(counts->test)) : QString();
}

QString sizeOnDisk(const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::uint64_t bytes = std::filesystem::is_regular_file(folder, ignored)
                              ? std::filesystem::file_size(folder, ignored)
                              : 0;
    for (std::filesystem::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
        if (at->is_regular_file(ignored))
            bytes += at->file_size(ignored);
    return toQString(bytesText(bytes));
}

bool inUserFolder(const std::filesystem::path& folder) { return folder.parent_path() == user_data_folder(); }

}   // namespace

std::vector<DataSetRow> dataSetRows()
{
    std::vector<DataSetRow> rows;
    const auto add = [&rows](const ImageSource* source, const CatalogueEntry* entry) {
        DataSetRow row;
        row.id         = toQString(entry ? entry->id : source->id);
        row.title      = toQString(entry ? entry->title : source->title);
        row.about      = toQString(entry ? entry->about : source->about);
        row.catalogued = entry;
        row.atHand     = source;
        if (entry) {
            row.license = toQString(entry->license);
            row.home    = toQString(entry->home);
            row.images  = countText(image_counts(*entry));
            row.size    = toQString(bytesText(entry->download_bytes()));
        }
        if (!source) {
            row.state = QObject::tr("not here");
        } else if (source->folder.empty()) {
            row.drawn  = true;
            row.images = QObject::tr("any number");
            row.state  = QObject::tr("drawn by the program");
        } else {
            row.folder = toQString(source->folder.string());
            row.own    = inUserFolder(source->folder);
            row.state  = row.own ? QObject::tr("at hand") : QObject::tr("at hand in %1").arg(row.folder);
            row.size   = sizeOnDisk(source->folder);
            for (const auto& folder : entry ? entry->installed : std::vector<std::string>())
                if (source->folder == folder)
                    row.state = QObject::tr("installed by the distribution");
            if (!entry)
                row.images = countText(image_counts(source->folder));
        }
        rows.push_back(row);
    };
    const auto sources = image_sources_at_hand();
    for (const auto& source : sources)
        if (source.folder.empty())
            add(&source, nullptr);
    for (const auto& entry : catalogue()) {
        const auto found = std::find_if(sources.begin(), sources.end(),
                                        [&](const ImageSource& source) { return source.id == entry.id; });
        add(found != sources.end() && looks_complete(entry, found->folder) ? &*found : nullptr, &entry);
    }
    for (const auto& source : sources)
        if (!source.folder.empty() && !source.catalogued)
            add(&source, nullptr);
    return rows;
}
