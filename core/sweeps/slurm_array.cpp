// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_folder.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace credence {
namespace {

/// The whole text as a number; empty: it is not a number.
std::optional<std::size_t> whole_number(std::string_view text)
{
    std::size_t number      = 0;
    const char* end         = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (text.empty() || code != std::errc{} || stop != end)
        return {};
    return number;
}

/// Returns the text before the separator and removes both; all of the text if there is no separator.
std::string_view next_field(std::string_view& text, char separator)
{
    const auto at   = std::min(text.find(separator), text.size());
    const auto word = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return word;
}

}   // namespace

std::string shell_word(std::string_view text)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
        return std::string(text);
    std::string word = "'";
    for (const char c : text)
        if (c == '\'')
            word += "'\\''";
        else
            word += c;
    return word + "'";
}

std::size_t slurm_task_count(std::size_t n_cells, std::size_t most)
{
    const std::size_t cells_a_task = std::max<std::size_t>(1, (n_cells + most - 1) / most);
    return (n_cells + cells_a_task - 1) / cells_a_task;
}

std::string slurm_array_text(const std::vector<std::size_t>& tasks, int at_once)
{
    std::string text;
    for (std::size_t i = 0; i < tasks.size();) {
        std::size_t last = i;
        while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(tasks[i]);
        if (last > i)
            text += "-" + std::to_string(tasks[last]);
        i = last + 1;
    }
    return at_once > 0 ? text + "%" + std::to_string(at_once) : text;
}

std::size_t most_slurm_tasks(std::string_view config)
{
    constexpr std::size_t usual = 1000;
    while (!config.empty()) {
        std::string_view line = next_field(config, '\n');
        if (!line.starts_with("MaxArraySize"))
            continue;
        next_field(line, '=');
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const auto size = whole_number(next_field(line, ' '));
        return size && *size > 1 ? *size - 1 : usual;
    }
    return usual;
}

std::vector<SlurmTask> slurm_tasks_in(std::string_view listing, const std::filesystem::path& script)
{
    std::vector<SlurmTask> found;
    const std::string command = script.string() + ' ';
    while (!listing.empty()) {
        std::string_view line = next_field(listing, '\n');
        const auto job        = next_field(line, ' ');
        const auto task       = whole_number(next_field(line, ' '));
        if (!task || !line.starts_with(command))
            continue;
        line.remove_prefix(command.size());
        const auto tasks = whole_number(next_field(line, ' '));
        if (whole_number(job) && tasks && *task >= 1 && *task <= *tasks)
            found.push_back({std::string(job), *task, *tasks});
    }
    return found;
}

SlurmPlan slurm_plan(const std::vector<CellState>& states, const std::vector<SlurmTask>& queue, std::size_t most)
{
    SlurmPlan plan;
    plan.tasks = slurm_task_count(states.size(), most);
    std::vector<bool> queued(states.size(), false), needed(plan.tasks, false);
    for (const auto& task : queue) {
        for (std::size_t cell = task.task - 1; cell < states.size(); cell += task.tasks)
            queued[cell] = true;
        if (std::find(plan.jobs.begin(), plan.jobs.end(), task.job) == plan.jobs.end())
            plan.jobs.push_back(task.job);
    }
    for (std::size_t cell = 0; cell < states.size(); ++cell)
        if (states[cell] == CellState::done)
            ++plan.done;
        else if (queued[cell])
            ++plan.queued;
        else if (states[cell] == CellState::running)
            ++plan.running;
        else {
            ++plan.to_run;
            needed[cell % plan.tasks] = true;
        }
    for (std::size_t task = 0; task < plan.tasks; ++task)
        if (needed[task])
            plan.submit.push_back(task + 1);
    return plan;
}

std::string slurm_script(const std::filesystem::path& program, const std::filesystem::path& folder,
                         const std::vector<std::string>& collect, const std::vector<std::string>& tasks)
{
    const std::string call = "exec " + shell_word(program.string()) + " sweep " + shell_word(folder.string());
    const auto words_of    = [](const std::vector<std::string>& words) {
        std::string all;
        for (const auto& word : words)
            all += " " + shell_word(word);
        return all;
    };
    return std::string(slurm_script_begin)
           + "#   sbatch --array=1-N slurm.sh N    task i of N runs the cells i, i + N, i + 2N, ... that are not done\n"
             "#   sbatch slurm.sh collect          makes the tables of the cells that are done\n"
             "threads=${SLURM_CPUS_PER_TASK:-1}\n"
             "if [ \"$1\" = collect ]; then\n"
             "    "
           + call + " --collect --threads \"$threads\"" + words_of(collect)
           + "\n"
             "fi\n"
           + call
           + " --cells \"${SLURM_ARRAY_TASK_ID:?is not set, expected a task of a job array}/$1\" --jobs 1 --threads "
             "\"$threads\""
           + words_of(tasks) + "\n";
}

}   // namespace credence
