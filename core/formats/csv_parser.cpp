// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_parser.h"

#include "formats/byte_source.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <span>

namespace credence {

namespace {

/// Length of the UTF-8 character at `p`, 0 if it is invalid (including overlong forms and
/// surrogates).
std::size_t utf8_length(const unsigned char* p, const unsigned char* end)
{
    if (*p < 0x80)
        return 1;
    const std::size_t length = *p >= 0xC2 && *p <= 0xDF   ? 2
                               : *p >= 0xE0 && *p <= 0xEF ? 3
                               : *p >= 0xF0 && *p <= 0xF4 ? 4
                                                          : 0;
    if (length == 0 || static_cast<std::size_t>(end - p) < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) || (*p == 0xF0 && p[1] < 0x90)
        || (*p == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

[[noreturn]] void refuse_byte(const std::string& file, const std::vector<char>& text, std::size_t at)
{
    constexpr char digits[] = "0123456789ABCDEF";
    std::size_t line        = 1;
    for (std::size_t i = 0; i < at; ++i)
        line += text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
    const auto byte = static_cast<unsigned char>(text[at]);
    throw Error(file + ", line " + std::to_string(line) + ": found the byte 0x" + digits[byte >> 4] + digits[byte & 15]
                + ", expected text in UTF-8.");
}

void require_utf8(const std::string& file, const std::vector<char>& text)
{
    if (const void* zero = std::memchr(text.data(), 0, text.size()))
        refuse_byte(file, text, static_cast<std::size_t>(static_cast<const char*>(zero) - text.data()));
    const auto* const begin = reinterpret_cast<const unsigned char*>(text.data());
    const auto* const end   = begin + text.size();
    for (const unsigned char* p = begin; p < end;) {
        std::uint64_t eight = 0;   // most text is ASCII: eight bytes at a time
        if (end - p >= 8 && (std::memcpy(&eight, p, 8), (eight & 0x8080808080808080u) == 0)) {
            p += 8;
            continue;
        }
        const std::size_t length = utf8_length(p, end);
        if (length == 0)
            refuse_byte(file, text, static_cast<std::size_t>(p - begin));
        p += length;
    }
}

/// Scans the text once, cutting cells. Quoted cells with doubled quotes are shortened in place.
class Parser {
public:
    Parser(CsvTable& table, char separator)
        : table_(table), separator_(separator), at_(table.text.data()), end_(at_ + table.text.size())
    {}

    void run()
    {
        for (std::size_t lines = 0; at_ < end_; ++lines) {
            if (lines % 1000 == 0) {
                stop_point();
                report_share(static_cast<double>(at_ - table_.text.data()) / static_cast<double>(table_.text.size()));
            }
            if (skip_empty_line())
                continue;
            read_record();
        }
    }

private:
    bool blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
    bool line_end(char c) const { return c == '\n' || c == '\r'; }
    void skip_blanks()
    {
        while (at_ < end_ && blank(*at_))
            ++at_;
    }

    void pass_line_end()
    {
        if (at_ == end_)
            return;
        const bool both = *at_ == '\r' && at_ + 1 < end_ && at_[1] == '\n';
        at_ += both ? 2 : 1;
        ++line_;
    }

    bool skip_empty_line()
    {
        char* p = at_;
        while (p < end_ && blank(*p))
            ++p;
        if (p < end_ && !line_end(*p))
            return false;
        at_ = p;
        pass_line_end();
        return true;
    }

    void read_record()
    {
        const std::size_t line = line_, first = table_.cells.size();
        if (separator_ == ' ')
            skip_blanks();
        for (;;) {
            skip_blanks();
            table_.cells.push_back(at_ < end_ && *at_ == '"' ? quoted_cell() : plain_cell());
            if (separator_ == ' ')
                skip_blanks();
            if (at_ == end_ || line_end(*at_))
                break;
            if (separator_ != ' ')
                ++at_;
        }
        pass_line_end();

        const std::size_t found = table_.cells.size() - first;
        if (table_.lines.empty())
            table_.n_columns = found;
        if (table_.lines.size() == 1 && found == table_.n_columns + 1 && header_may_lack_a_name()) {
            const bool at_end = table_.cells.back().empty();   // otherwise the first column has no name
            table_.cells.insert(table_.cells.begin() + static_cast<std::ptrdiff_t>(at_end ? table_.n_columns : 0),
                                table_.cells.front().substr(0, 0));
            table_.n_columns          = found;
            table_.first_name_missing = !at_end;
        }
        if (found != table_.n_columns)
            throw Error(table_.file + ", line " + std::to_string(line) + ": found " + std::to_string(found)
                        + (found == 1 ? " column" : " columns") + ", expected " + std::to_string(table_.n_columns)
                        + ".");
        table_.lines.push_back(line);
    }

    /// True for a first line of names, not for data that lack a cell.
    bool header_may_lack_a_name() const
    {
        const auto first = std::span(table_.cells).first(table_.n_columns);
        return table_.n_columns > 1 && std::ranges::none_of(first, [](std::string_view cell) {
                   return cell.empty() || (cell.front() >= '0' && cell.front() <= '9') || cell.front() == '-'
                          || cell.front() == '.';
               });
    }

    std::string_view plain_cell()
    {
        char* const begin = at_;
        while (at_ < end_ && *at_ != separator_ && !line_end(*at_))
            ++at_;
        char* last = at_;
        while (last > begin && blank(last[-1]))
            --last;
        return {begin, static_cast<std::size_t>(last - begin)};
    }

    std::string_view quoted_cell()
    {
        const std::size_t opened = line_;
        char* const begin        = ++at_;
        char* write              = begin;
        for (;; ++at_) {
            if (at_ == end_)
                throw Error(table_.file + ", line " + std::to_string(opened)
                            + ": found a quote that is never closed, expected a second \".");
            if (*at_ == '"') {
                if (at_ + 1 == end_ || at_[1] != '"')
                    break;
                ++at_;
            } else if (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] != '\n'))) {
                ++line_;
            }
            *write++ = *at_;
        }
        ++at_;
        char* const after = at_;
        skip_blanks();
        const bool divided = at_ == end_ || line_end(*at_) || (separator_ == ' ' ? at_ > after : *at_ == separator_);
        if (!divided)
            throw Error(table_.file + ", line " + std::to_string(line_) + ": found text after the closing quote of "
                        + quoted_text({begin, static_cast<std::size_t>(write - begin)})
                        + ", expected the separator or the end of the line.");
        return {begin, static_cast<std::size_t>(write - begin)};
    }

    CsvTable& table_;
    char separator_;
    char* at_;
    char* end_;
    std::size_t line_ = 1;
};

/// Cells per line when `separator` splits the first lines; quotes are respected, and consecutive
/// blanks count as one separator.
std::vector<std::size_t> cells_in_first_lines(const std::vector<char>& text, char separator)
{
    constexpr std::size_t most = 20;
    std::vector<std::size_t> counts;
    std::size_t cells = 1;
    bool quoted = false, something = false, at_start = true;   // at_start: only blanks so far in this cell
    for (std::size_t i = 0; i <= text.size() && counts.size() < most; ++i) {
        const bool ends = i == text.size();
        const char c    = ends ? '\n' : text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\n';
        if (quoted && !ends) {
            if (c == '"' && next == '"')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '\n' || c == '\r') {
            if (something)
                counts.push_back(cells);
            cells = 1, something = false, at_start = true;
        } else if (c == separator && separator != ' ') {
            ++cells, something = true, at_start = true;
        } else if (c == ' ') {
            if (separator == ' ' && something && next != ' ' && next != '\n' && next != '\r')
                ++cells, at_start = true;
        } else {
            quoted    = c == '"' && at_start;
            something = true, at_start = false;
        }
    }
    return counts;
}

}   // namespace

std::vector<char> read_utf8(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    std::vector<char> text = read_file<std::vector<char>>(file, "a table", std::uint64_t{4} << 30);

    const std::string_view start(text.data(), std::min<std::size_t>(text.size(), 3));
    if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
        throw Error(name + ": found text in UTF-16, expected text in UTF-8.");
    const std::span head(reinterpret_cast<const std::uint8_t*>(text.data()), std::min<std::size_t>(text.size(), 32));
    const auto is_page = [&](std::string_view tag) {
        return std::equal(tag.begin(), tag.end(), text.begin(),
                          text.begin() + static_cast<std::ptrdiff_t>(std::min(tag.size(), text.size())),
                          [](char a, char b) {
            return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
        });
    };
    if (is_page("<!doctype html") || is_page("<html"))
        throw Error(name + ": found a web page (HTML), expected a table in text.");
    if (const std::string kind = head.empty() ? "" : looks_like(head); kind.starts_with("a zip"))
        throw Error(name + ": found a zip archive, expected a table in text; save an Excel workbook as CSV first.");
    else if (!head.empty() && !kind.starts_with("the bytes") && !kind.starts_with("a web page"))
        throw Error(name + ": found " + kind + ", expected a table in text.");
    if (start == "\xEF\xBB\xBF")
        text.erase(text.begin(), text.begin() + 3);
    if (std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }))
        throw Error(name + ": found an empty file, expected a table.");
    require_utf8(name, text);
    return text;
}

char remove_separator_line(std::vector<char>& text)
{
    const auto end = std::ranges::find_if(text, [](char c) { return c == '\n' || c == '\r'; });
    std::string_view line(text.data(), static_cast<std::size_t>(end - text.begin()));
    const bool quoted = line.size() >= 2 && line.front() == '"' && line.back() == '"';
    if (quoted)
        line = line.substr(1, line.size() - 2);
    if (line.size() != 5 || (line[0] | 0x20) != 's' || (line[1] | 0x20) != 'e' || (line[2] | 0x20) != 'p'
        || line[3] != '=')
        return 0;
    const char separator = line[4];
    std::fill(text.begin(), end, ' ');   // becomes an empty line, so that line numbers stay correct
    return separator;
}

void drop_empty_last_columns(CsvTable& table)
{
    const auto last_is_empty = [&] {
        for (std::size_t record = 0; record < table.n_records(); ++record)
            if (!table.cell(record, table.n_columns - 1).empty())
                return false;
        return true;
    };
    for (; table.n_columns > 1 && last_is_empty(); --table.n_columns) {
        const std::size_t wide = table.n_columns;
        for (std::size_t record = 0; record < table.n_records(); ++record)
            std::copy_n(table.cells.begin() + static_cast<std::ptrdiff_t>(record * wide), wide - 1,
                        table.cells.begin() + static_cast<std::ptrdiff_t>(record * (wide - 1)));
        table.cells.resize(table.n_records() * (wide - 1));
    }
}

char detect_separator(const std::vector<char>& text, bool decimal_comma)
{
    char often       = 0;
    std::size_t most = 0;
    for (const char separator : {'\t', ';', '|', ',', ' '}) {
        if (separator == ',' && decimal_comma)
            continue;
        const std::vector<std::size_t> cells = cells_in_first_lines(text, separator);
        if (cells.empty())
            continue;
        if (cells[0] > 1 && std::all_of(cells.begin(), cells.end(), [&](std::size_t n) { return n == cells[0]; }))
            return separator;
        const auto divided = static_cast<std::size_t>(
            std::count_if(cells.begin(), cells.end(), [](std::size_t n) { return n > 1; }));
        if (divided > most)
            most = divided, often = separator;
    }
    return often;
}

CsvTable parse_csv(const std::string& file, std::vector<char> text, char separator)
{
    CsvTable table;
    table.file = file;
    table.text = std::move(text);
    table.cells.reserve(table.text.size() / 8);
    Parser(table, separator).run();
    return table;
}

}   // namespace credence
