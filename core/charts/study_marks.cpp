// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/study_marks.h"

#include "foundation/json_text.h"
#include "foundation/text_hash.h"

#include <nlohmann/json.hpp>

namespace credence {

std::string study_comments_of(std::string_view study_json)
{
    if (study_json.empty())
        return {};
    if (study_json.size() <= longest_study_in_comments)
        return std::string(study_begin_mark) + "\n" + std::string(study_json) + study_end_mark;
    auto settings = parse_json<nlohmann::ordered_json>(study_json, "study", "a study");
    for (const char* label : {"name", "note"})   // not part of the hash
        if (settings.contains(label))
            settings[label] = "";
    const auto text = settings.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    return study_hash_mark + text_hash(text) + "\nThe Study is too long for this file. It is in study.json of its run.";
}

}   // namespace credence
