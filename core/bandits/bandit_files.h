// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_courses.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace credence {

/// Where a course that came to its end is kept: folder/courses/HASH-SEED.json. HASH is bandit_hash: another setting, another file.
std::filesystem::path course_file(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed);
/// Whole or not at all; the folder is made.
void keep_course(const std::filesystem::path& folder, const BanditStudy& study, const BanditCourse& course);
/// Empty: it is not there, or what is there is no course of this study, and has to be made anew.
std::optional<BanditCourse> kept_course(const std::filesystem::path& folder, const BanditStudy& study,
                                        std::uint64_t seed);

/// For each agent: id, title, study, regret and relative regret at the end (mean, sd, of each seed), what was eaten in each quarter of the course. relative regret is null where it is not clear.
std::string bandit_results_text(std::span<const AgentCourses> agents,
                                std::span<const std::vector<BanditCourse>> uniform);

/// Writes results.json, regret.csv, summary.csv and times.csv (wall times), each whole or not at all.
void write_bandit(const std::filesystem::path& folder, std::span<const AgentCourses> agents,
                  std::span<const std::vector<BanditCourse>> uniform);

}   // namespace credence
