// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_courses.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace credence {

/// The file of a finished course: folder/courses/HASH-SEED.json. HASH is bandit_hash: other
/// settings give another file.
std::filesystem::path course_file(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed);
/// Written completely or not at all; creates the folder.
void keep_course(const std::filesystem::path& folder, const BanditStudy& study, const BanditCourse& course);
/// Empty: the file is missing or is not a course of this study, so the course has to be run.
std::optional<BanditCourse> kept_course(const std::filesystem::path& folder, const BanditStudy& study,
                                        std::uint64_t seed);

/// For each agent: id, title, study, final regret and relative regret (mean, sd, each seed), and
/// what was eaten in each quarter of the course. Relative regret is null if it is not clear.
std::string bandit_results_text(std::span<const AgentCourses> agents,
                                std::span<const std::vector<BanditCourse>> uniform);

/// Writes results.json, regret.csv, summary.csv and times.csv (wall times), each completely or not
/// at all.
void write_bandit(const std::filesystem::path& folder, std::span<const AgentCourses> agents,
                  std::span<const std::vector<BanditCourse>> uniform);

}   // namespace credence
