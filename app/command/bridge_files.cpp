// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/bridge_files.h"

#include "charts/chart.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "runs/provenance.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

using namespace credence;

namespace {

static_assert(std::endian::native == std::endian::little,
              "NPY files are written little-endian, as the numbers are stored in memory");

std::string quotedForCsv(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

}   // namespace

BridgeFiles::BridgeFiles(std::filesystem::path folder, const LogitsFile& file)
    : m_file(file), m_folder(std::move(folder)), m_alpha(m_folder / "alpha.npy"), m_lists(m_folder / "top_k.csv")
{
    m_alpha.write(npy_bytes(
        {{file.n_rows(), static_cast<std::size_t>(file.n_classes())}, std::vector<double>()}));   // the header only
    const bool labels = !file.labels().empty();
    m_lists.write(std::string("row,") + (labels ? "label," : "") + "predicted,confidence,alpha_0,length,"
                  + (labels ? "label_in_list," : "") + "list\r\n");
}

void BridgeFiles::add(const BridgedBlock& block)
{
    m_alpha.write({reinterpret_cast<const char*>(block.alpha.data()), block.alpha.size() * sizeof(double)});
    std::string lines;
    const auto& names = m_file.class_names();
    const auto named  = [&](int k) { return names[static_cast<std::size_t>(k)]; };
    for (std::size_t i = 0; i < block.n; ++i) {
        const auto& row = block.rows[i];
        std::string list;
        for (const int k : block.lists[i])
            list += (list.empty() ? "" : ";") + named(k);
        lines += std::to_string(block.first + i) + ',' + (row.label >= 0 ? quotedForCsv(named(row.label)) + ',' : "")
                 + quotedForCsv(named(row.predicted)) + ',' + number_text(row.confidence, 7) + ','
                 + number_text(std::exp(static_cast<double>(row.log_total)), 7) + ',' + std::to_string(row.list_length)
                 + ',' + (row.label >= 0 ? (row.listed ? "1," : "0,") : "") + quotedForCsv(list) + "\r\n";
    }
    m_lists.write(lines);
}

void BridgeFiles::finish(const BridgeOrder& order, const BridgeTotals& totals, std::size_t row,
                         const BetaMarginals& ofRow)
{
    m_alpha.keep();
    m_lists.keep();
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
    };
    nlohmann::ordered_json results{{"credence", 1},
                                   {"provenance", build_to_json(this_build())},
                                   {"file", m_file.name()},
                                   {"rows", m_file.n_rows()},
                                   {"classes", m_file.n_classes()},
                                   {"spread", m_file.full() ? "covariance" : "variance"},
                                   {"labels", !m_file.labels().empty()},
                                   {"variant", name(order.variant)},
                                   {"threshold", order.threshold},
                                   {"top_1_accuracy", orNull(totals.top_1)},
                                   {"top_k_accuracy", orNull(totals.top_k)},
                                   {"mean_list_length", totals.mean_length},
                                   {"mmc", totals.mmc}};
    if (order.longest > 0)
        results["longest"] = order.longest;
    auto lengths = nlohmann::ordered_json::object();
    for (std::size_t l = 1; l < totals.lengths.size(); ++l)
        if (totals.lengths[l] > 0)
            lengths[std::to_string(l)] = totals.lengths[l];
    results["list_lengths"] = lengths;
    const nlohmann::ordered_json times{
        {"seconds",
         {{"reading", totals.reading_seconds}, {"bridge", totals.bridge_seconds}, {"lists", totals.list_seconds}}}};
    write_whole(m_folder / "times.json", times.dump(2) + '\n');
    auto classes = nlohmann::ordered_json::array();
    for (const auto& one : ofRow.classes)
        classes.push_back({{"class", one.name},
                           {"alpha", one.alpha},
                           {"mean", one.mean},
                           {"lower", one.lower},
                           {"upper", one.upper},
                           {"remains", one.listed}});
    results["row"] = {
        {"row", row},
        {"label", ofRow.true_class ? nlohmann::ordered_json(ofRow.true_name) : nlohmann::ordered_json(nullptr)},
        {"list", ofRow.list_names},
        {"most_probable", classes}};
    write_whole(m_folder / "results.json",
                results.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

std::filesystem::path BridgeFiles::figures() const
{
    const auto folder = m_folder / "figures";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + ").");
    return folder;
}
