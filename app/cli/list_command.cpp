// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "gallery/gallery.h"
#include "linter/lint.h"
#include "results/times_file.h"
#include "runs/archive.h"
#include "runs/comparison.h"
#include "study/fields.h"
#include "study/names.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

namespace {

using namespace credence;

/// credence list
struct ListCommand {
    std::string folder;         ///< empty: presets only
    bool views       = false;   ///< list views instead
    bool comparisons = false;   ///< list comparisons instead
    bool sweeps      = false;   ///< list built-in sweeps instead
    bool settings    = false;   ///< list settings instead
};

/// Returns the first sentence, or what is before its colon. A full stop or question mark ends a sentence
/// only before a capital letter: not in "Blundell et al. 2015" or "Fig. 5.1".
std::string firstSentence(const std::string& text)
{
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const bool capital = text[i + 2] >= 'A' && text[i + 2] <= 'Z';
        if (text[i + 1] != ' ')
            continue;
        if (text[i] == '?' && capital)
            return text.substr(0, i + 1);
        if (text[i] == ':' || (text[i] == '.' && capital))
            return text.substr(0, i) + '.';
    }
    return text;
}

Table presetTable()
{
    Table table{{{"preset", {}}, {"description", {}}}, {}};
    for (const auto& p : presets())
        table.rows.push_back({p.id, firstSentence(p.study.note)});
    return table;
}

Table viewTable()
{
    Table table{{{"view", {}}, {"description", {}}}, {}};
    for (const auto& view : views())
        table.rows.push_back({view.id, firstSentence(view.help)});
    return table;
}

Table comparisonTable()
{
    Table table{{{"comparison", {}}, {"description", {}}}, {}};
    for (const auto& one : comparisons())
        table.rows.push_back({one.id, one.help});
    return table;
}

Table sweepTable()
{
    Table table{{{"sweep", {}}, {"cells", {}}, {"description", {}}}, {}};
    for (const auto& one : sweeps())
        table.rows.push_back({one.id, static_cast<long>(one.n_cells()), firstSentence(one.note)});
    return table;
}

Table settingTable()
{
    Table table{{{"setting", {}}, {"description", {}}}, {}};
    for (const auto& field : study_fields())
        table.rows.push_back({field.path, field.label + (field.unit.empty() ? "" : " [" + field.unit + "]")});
    return table;
}

/// Start time and duration of a run, which `credence run` stores in times.json.
std::pair<Cell, Cell> timesOf(const RunSummary& run, const std::filesystem::path& file)
{
    if (!run.started.empty())
        return {run.started, run.report.seconds};
    const auto times = read_times(file.parent_path());
    return {times.started, times.seconds ? Cell(*times.seconds) : Cell("")};
}

Table runTable(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.is_directory() && std::filesystem::is_regular_file(entry.path() / "run.credence"))
            files.push_back(entry.path() / "run.credence");
        else if (entry.is_regular_file() && entry.path().extension() == ".credence")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    Table table{
        {{"run", {}}, {"study", {}}, {"started", {}}, {"steps", {}}, {"seconds", {}, 1}, {"score", {}}, {"end", {}}},
        {}};
    for (const auto& file : files) {
        const auto name = file.filename() == "run.credence" ? file.parent_path().filename() : file.filename();
        try {
            const RunSummary run          = load_run_summary(file);
            const auto [started, seconds] = timesOf(run, file);
            table.rows.push_back({name.string(), run.name, started, run.report.steps, seconds,
                                  run.score ? score_text(*run.score) : std::string(), run.report.message});
        } catch (const Error& e) {
            std::cerr << "credence: " << e.what() << '\n';
        }
    }
    return table;
}

int execute(const ListCommand& command)
{
    std::error_code reason;
    if (!command.folder.empty() && !std::filesystem::is_directory(command.folder, reason))
        throw Error(command.folder + ": there is no such folder"
                    + (reason && reason != std::errc::no_such_file_or_directory
                           ? " (" + system_reason(reason.value()) + ")"
                           : std::string())
                    + ", expected a folder of runs.");
    std::cout << plainTable(command.views         ? viewTable()
                            : command.comparisons ? comparisonTable()
                            : command.sweeps      ? sweepTable()
                            : command.settings    ? settingTable()
                                                  : presetTable());
    if (!command.folder.empty())
        std::cout << '\n' << plainTable(runTable(command.folder));
    return exitOk;
}

}   // namespace

Action addList(CLI::App& app, const CommandTools&)
{
    const auto command = std::make_shared<ListCommand>();
    auto* folder       = app.add_option("FOLDER", command->folder, "Folder of runs");
    auto* views        = app.add_flag("--views", command->views, "List the views that figure can draw");
    auto* comparisons  = app.add_flag("--comparisons", command->comparisons,
                                      "List the comparisons that compare can run");
    auto* sweeps       = app.add_flag("--sweeps", command->sweeps, "List the built-in sweeps");
    auto* settings     = app.add_flag("--settings", command->settings, "List the settings that --set can change");
    const std::vector all{folder, views, comparisons, sweeps, settings};
    for (auto one = all.begin(); one != all.end(); ++one)
        for (auto* before : std::vector(all.begin(), one))
            (*one)->excludes(before);
    return [command] { return execute(*command); };
}

namespace {

/// Writes a generated page and reports it. Only an earlier version of the page is replaced: its heading is the same.
void writePage(const std::filesystem::path& file, const std::string& text)
{
    std::error_code none;
    const std::string heading = text.substr(0, text.find('\n') + 1);
    if (std::filesystem::is_regular_file(file, none) && !read_file(file, "a page").starts_with(heading))
        throw Error(file.string() + ": this file exists and is not this page, expected a new name.");
    write_whole(file, text);
    std::cout << "Written to " << file.string() << '\n';
}

}   // namespace

Action addLinter(CLI::App& app, const CommandTools&)
{
    const auto page = std::make_shared<std::string>();   // file; empty: list the rules
    addValue(app, "--write", "FILE", *page, "Write the page as Markdown");
    return [page] {
        if (!page->empty()) {
            writePage(*page, linter_document());
            return exitOk;
        }
        Table table{{{"rule", {}}, {"description", {}}}, {}};
        for (const auto& rule : lint_rules())
            table.rows.push_back({rule.id, rule.title});
        std::cout << plainTable(table);
        return exitOk;
    };
}

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
            writePage(*page, papers_document(gallery()));
        }
        return exitOk;
    };
}

namespace credence {
std::vector<std::pair<std::string, std::string>>
completion_texts();   // resources/completions, embedded by cmake/EmbedTexts.cmake
}

Action addCompletion(CLI::App& app, const CommandTools&)
{
    const auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    return [shell] {
        for (const auto& [name, script] : credence::completion_texts())
            if (name == *shell)
                std::cout << script;
        return exitOk;
    };
}
