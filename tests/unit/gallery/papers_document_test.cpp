// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include "unit/gallery/small_gallery.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(PapersDocument, HasASectionForEachPaperAndARowForEachEntry)
{
    const std::string page = papers_document(small_gallery());
    EXPECT_THAT(page, HasSubstr("| [Posch and Pilz 2021](#posch-and-pilz-2021) | 2 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |"));
    EXPECT_THAT(page, HasSubstr("| All | 11 | 1 | 1 | 1 | 3 | 3 | 1 | 1 |"));
    EXPECT_THAT(page, HasSubstr("\n## Posch and Pilz 2021\n"));
    EXPECT_THAT(
        page,
        HasSubstr(
            "| <a id=\"P.table1.correlated\"></a>Table I, h = 100, correlated | Test error of the net with correlated "
            "neighbours on MNIST. [Picture](images/boxplots-sure.png). [More](mnist.md). | Agrees | Error (%): 0.70 / "
            "**0.80**<br>Log-likelihood: −251.7 / **−261.8**<br>"));
    EXPECT_THAT(page, HasSubstr("| `credence reproduce P.table1.correlated`<br>about 8 minutes<br>`--quick`: about 1 "
                                "minute |\n"));
    EXPECT_THAT(page, HasSubstr("in the window: Tools › Double well |"));
    EXPECT_THAT(page, HasSubstr("| Impossible |"));
}

TEST(PapersDocument, EveryTableRowHasSevenCellsWhateverItsText)
{
    std::istringstream lines(papers_document(small_gallery()));
    std::string line;
    int rows = 0;
    while (std::getline(lines, line)) {
        if (!line.starts_with("| <a id=") && !line.starts_with("| Where"))
            continue;
        int bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
        EXPECT_EQ(bars, 8) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 5 + 11);
}

TEST(PapersDocument, LinesOutsideTablesHaveAtMostAHundredCharacters)
{
    std::istringstream lines(papers_document(small_gallery()));
    for (std::string line; std::getline(lines, line);) {
        const auto characters = std::count_if(line.begin(), line.end(), [](unsigned char c) { return c >> 6 != 2; });
        EXPECT_TRUE(line.starts_with('|') || characters <= 100) << line;
    }
}

}   // namespace
}   // namespace credence
