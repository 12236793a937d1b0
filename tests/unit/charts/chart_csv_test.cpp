// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "foundation/number_text.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

/// Reads RFC 4180 text back into cells, written apart from the program's own reader.
std::vector<std::vector<std::string>> parse(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows{{""}};
    bool in_quotes = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        auto& cell   = rows.back().back();
        if (in_quotes) {
            if (c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
                cell += csv[++i];
            else if (c == '"')
                in_quotes = false;
            else
                cell += c;
        } else if (c == '"')
            in_quotes = true;
        else if (c == ',')
            rows.back().emplace_back();
        else if (c == '\r' && csv[i + 1] == '\n') {
            rows.push_back({""});
            ++i;
        } else
            cell += c;
    }
    rows.pop_back();
    return rows;
}

}   // namespace

TEST(Csv, RoundTripIsTheIdentity)
{
    const Table table{.columns = {{"class, name"}, {"entropy", "nats"}, {"count"}},
                      .rows    = {{"a \"b\", c", 0.1, 3L},
                                  {"two\nlines", -1.0 / 3, -4L},
                                  {"", 1e-310, 0L},
                                  {"#5", std::nextafter(1.0, 2.0), 1L}}};
    const auto rows = parse(to_csv(table));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_THAT(rows[0], testing::ElementsAre("class, name", "entropy [nats]", "count"));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        EXPECT_EQ(rows[i + 1][0], std::get<std::string>(table.rows[i][0]));
        EXPECT_EQ(number_from(rows[i + 1][1]), std::get<double>(table.rows[i][1]));   // in every locale
        EXPECT_EQ(std::stol(rows[i + 1][2]), std::get<long>(table.rows[i][2]));
    }
}

TEST(Csv, StartsWithTheCommentsLineByLine)
{
    EXPECT_EQ(to_csv({.columns = {{"a"}}, .rows = {{1.5}}}, "one\ntwo"), "# one\r\n# two\r\na\r\n1.5\r\n");
}

TEST(Csv, ATextThatLooksLikeACommentIsQuoted) { EXPECT_EQ(to_csv({.columns = {{"#"}}, .rows = {}}), "\"#\"\r\n"); }

TEST(Csv, WritesWhatIsNotANumberAsNanAndInf)
{
    EXPECT_EQ(to_csv({.columns = {{"a"}}, .rows = {{std::nan("")}, {HUGE_VAL}, {-HUGE_VAL}}}),
              "a\r\nnan\r\ninf\r\n-inf\r\n");
}
