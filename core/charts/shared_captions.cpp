// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/shared_captions.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace credence {

namespace {

using Pieces = std::vector<std::string>;

/// Parts of a text between `joint`s, none of them empty.
Pieces parts_of(std::string_view text, std::string_view joint)
{
    Pieces parts;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t at = std::min(text.find(joint, from), text.size());
        if (at > from)
            parts.emplace_back(text.substr(from, at - from));
        from = at + joint.size();
    }
    return parts;
}

/// Sentences without their full stops.
Pieces sentences_of(std::string_view text)
{
    while (!text.empty() && (text.back() == ' ' || text.back() == '.'))
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return parts_of(text, ". ");
}

std::string joined(const Pieces& pieces, const char* joint)
{
    std::string text;
    for (const auto& piece : pieces)
        text += (text.empty() ? "" : joint) + piece;
    return text;
}

std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

bool holds(const Pieces& pieces, const std::string& piece)
{
    return std::find(pieces.begin(), pieces.end(), piece) != pieces.end();
}

/// The text of a caption as sentences, and the parts after the settings as clauses: "step 5000",
/// "200 samples".
struct CaptionParts {
    Pieces sentences, clauses;
};

CaptionParts parts_in(const std::string& caption, const std::string& setting)
{
    const std::size_t at = setting.empty() ? std::string::npos : caption.find(setting);
    if (at == std::string::npos)
        return {sentences_of(caption), {}};
    CaptionParts parts{sentences_of(std::string_view(caption).substr(0, at)), {}};
    const std::string_view after = std::string_view(caption).substr(at + setting.size());
    const std::size_t stop       = after.starts_with('.') ? 0 : std::min(after.find(". "), after.size());
    std::string_view clauses     = after.substr(0, stop);
    if (clauses.ends_with('.'))
        clauses.remove_suffix(1);
    parts.clauses     = parts_of(clauses, ", ");
    const Pieces rest = sentences_of(after.substr(std::min(stop + 1, after.size())));
    parts.sentences.insert(parts.sentences.end(), rest.begin(), rest.end());
    return parts;
}

/// The pieces that more than half of the captions contain, and at least two, in the order of first
/// occurrence.
Pieces most_common(const std::vector<Pieces>& all)
{
    std::map<std::string, std::size_t> count;
    Pieces order;
    for (const auto& pieces : all)
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (std::find(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(i), pieces[i])
                    == pieces.begin() + static_cast<std::ptrdiff_t>(i)
                && ++count[pieces[i]] == 1)
                order.push_back(pieces[i]);
    std::erase_if(order, [&](const auto& piece) { return count[piece] < 2 || 2 * count[piece] <= all.size(); });
    return order;
}

/// Splits a setting into the pieces by which two runs can differ: its sentences, and the clauses of
/// the last one.
CaptionParts setting_pieces(const std::string& setting)
{
    CaptionParts parts{sentences_of(setting), {}};
    if (!parts.sentences.empty() && parts.sentences.back().starts_with("Seed ")) {
        parts.clauses = parts_of(parts.sentences.back(), ", ");
        parts.sentences.pop_back();
    }
    return parts;
}

std::string text_of(const CaptionParts& parts)
{
    Pieces all = parts.sentences;
    if (!parts.clauses.empty())
        all.push_back(capitalised(joined(parts.clauses, ", ")));
    return all.empty() ? std::string() : joined(all, ". ") + ".";
}

}   // namespace

SharedCaptions shared_captions(std::span<const std::string> captions, const std::string& setting)
{
    std::vector<CaptionParts> all;
    std::vector<Pieces> sentences, clauses;
    for (const auto& caption : captions) {
        all.push_back(parts_in(caption, setting));
        const auto& first = all.back().sentences;
        sentences.emplace_back(first.empty() ? first.begin() : first.begin() + 1, first.end());
        clauses.push_back(all.back().clauses);
    }
    const Pieces shared_sentences = most_common(sentences), shared_clauses = most_common(clauses);
    SharedCaptions out{joined(shared_clauses, ", "), {}};
    if (!shared_sentences.empty())
        out.shared += (out.shared.empty() ? "" : ". ") + joined(shared_sentences, ". ");
    for (auto& parts : all) {
        std::erase_if(parts.clauses, [&](const auto& clause) { return holds(shared_clauses, clause); });
        for (std::size_t i = parts.sentences.size(); i-- > 1;)
            if (holds(shared_sentences, parts.sentences[i]))
                parts.sentences.erase(parts.sentences.begin() + static_cast<std::ptrdiff_t>(i));
        out.own.push_back(text_of(parts));
    }
    return out;
}

std::string settings_side_by_side(std::span<const std::string> names, std::span<const std::string> settings)
{
    if (settings.size() == 1)
        return " " + names.front() + ": " + settings.front();
    std::vector<CaptionParts> all;
    for (const auto& setting : settings)
        all.push_back(setting_pieces(setting));
    if (all.empty())
        return {};
    const auto everywhere = [&](Pieces CaptionParts::*part) {
        Pieces shared = all.front().*part;
        std::erase_if(shared, [&](const auto& piece) {
            return !std::all_of(all.begin(), all.end(),
                                [&](const CaptionParts& parts) { return holds(parts.*part, piece); });
        });
        return shared;
    };
    const CaptionParts shared{everywhere(&CaptionParts::sentences), everywhere(&CaptionParts::clauses)};
    std::string text = text_of(shared);
    if (!text.empty())
        text = " All: " + text;
    for (std::size_t r = 0; r < all.size(); ++r) {
        std::erase_if(all[r].sentences, [&](const auto& piece) { return holds(shared.sentences, piece); });
        std::erase_if(all[r].clauses, [&](const auto& piece) { return holds(shared.clauses, piece); });
        if (const std::string own = text_of(all[r]); !own.empty())
            text += " " + names[r] + ": " + own;
    }
    return text;
}

}   // namespace credence
