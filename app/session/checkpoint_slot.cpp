// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/checkpoint_slot.h"

#include "session/settings.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "runs/checkpoint_file.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <atomic>
#include <vector>

using namespace credence;
namespace fs = std::filesystem;

namespace {

fs::path folderOfPlaces() { return runsInProgressFolder().toStdString(); }

}   // namespace

fs::path CheckpointSlot::folderOf(const QString& name) { return folderOfPlaces() / name.toStdString(); }

QString CheckpointSlot::newName()
{
    static std::atomic<int> number = 0;
    return QStringLiteral("%1-%2-%3")
        .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMddTHHmmss")))
        .arg(QCoreApplication::applicationPid())
        .arg(++number, 3, 10, QLatin1Char('0'));
}

std::unique_ptr<CheckpointSlot> CheckpointSlot::free()
{
    try {
        return named(newName());
    } catch (const Error&) {
        return nullptr;
    }
}

std::unique_ptr<CheckpointSlot> CheckpointSlot::named(const QString& name)
{
    return std::make_unique<CheckpointSlot>(folderOf(name));
}

bool CheckpointSlot::hasState(const QString& name)
{
    std::error_code none;
    return !name.isEmpty() && fs::exists(checkpoint_path(folderOf(name)), none);
}

std::optional<CheckpointSlot::Found> CheckpointSlot::interrupted()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    std::error_code code;
    for (fs::directory_iterator entry(folderOfPlaces(), code), end; !code && entry != end; entry.increment(code)) {
        std::error_code none;
        const auto time = fs::last_write_time(checkpoint_path(entry->path()), none);
        if (!none && !fs::exists(runsFolder().toStdString() / entry->path().filename().concat(".credence"), none))
            all.emplace_back(time, entry->path());
    }
    std::sort(all.rbegin(), all.rend());
    for (const auto& [time, folder] : all) {
        try {
            auto place = std::make_unique<CheckpointSlot>(folder);
            try {
                if (auto run = interrupted_run(folder))
                    return Found{std::move(place), std::move(*run)};
            } catch (const Error&) {
                place->clear();
            }
        } catch (const Error&) {   // in use by another window
        }
    }
    return {};
}

CheckpointSlot::Files CheckpointSlot::read() const
{
    Files files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(path(), code))
        if (const auto name = entry.path().filename().string(); name.starts_with("run.credence-progress"))
            files[name] = read_file(entry.path(), "an interrupted run");
    return files;
}

void CheckpointSlot::write(const Files& files) const
{
    for (const auto& [name, bytes] : files)
        write_whole(path() / name, bytes);
}

void CheckpointSlot::clear()
{
    remove_checkpoint(path());
    std::error_code notEmpty;
    fs::remove(path(), notEmpty);
}
