// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/checkpoint_file.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = "run.credence-progress", magic = "CredProg";
constexpr std::uint32_t format     = 2;
constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;

std::string name_of_numbers() { return std::string(file_name) + "-numbers-"; }
fs::path numbers_path(const fs::path& folder, std::uint32_t generation)
{
    return folder / (name_of_numbers() + std::to_string(generation));
}

void serialise(StateBytes& state, StateHash& hash)
{
    state.value(hash.a);
    state.value(hash.b);
}

void serialise(StateBytes& state, Build& build)
{
    for (std::string* text : {&build.version, &build.commit, &build.instruction_set, &build.compiler})
        state.value(*text);
}

/// @throws Error  without the name of the file
void serialise(StateBytes& state, CheckpointContent& content)
{
    auto of_format = format;
    state.value(of_format);
    if (of_format != format)
        throw Error("it has format " + std::to_string(of_format) + ", but this program reads format "
                    + std::to_string(format));
    serialise(state, content.head.build);
    state.list(content.head.earlier_builds, [](StateBytes& s, Build& build) { serialise(s, build); });
    std::string study = state.reading() ? std::string() : to_text(content.head.study);
    state.value(study);
    if (state.reading())
        content.head.study = study_from_json(parse_json(study, "it", "a Study"));
    serialise(state, content.head.data);
    state.value(content.head.started);
    state.within(content.head.step, 0, std::numeric_limits<long>::max());
    state.within(content.head.steps, 0, std::numeric_limits<long>::max());
    state.value(content.generation);
    state.list(content.pieces, [](StateBytes& s, StateHash& hash) { serialise(s, hash); });
    state.list(content.parts, [](StateBytes& s, Checkpoint::State& part) {
        s.value(part.part);
        s.value(part.bytes);
    });
    state.end();
}

std::string text_of(const StateHash& hash)
{
    std::string text(sizeof hash, '\0');
    std::memcpy(text.data(), &hash.a, sizeof hash.a);
    std::memcpy(text.data() + sizeof hash.a, &hash.b, sizeof hash.b);
    return text;
}

/// Owns an open file.
struct OpenFile {
    int handle = -1;
    ~OpenFile()
    {
        if (handle >= 0)
            ::close(handle);
    }
};

void append_numbers(const fs::path& file, std::size_t before, std::string_view fresh)
{
    if (fresh.empty())
        return;
    const OpenFile open{::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)};
    if (open.handle < 0)
        refuse_to_write(file, errno);
    auto at = static_cast<off_t>(before * StateBytes::piece);
    while (!fresh.empty()) {
        const ssize_t n = ::pwrite(open.handle, fresh.data(), fresh.size(), at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            refuse_to_write(file, n < 0 ? errno : ENOSPC);
        at += n;
        fresh.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(open.handle) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        refuse_to_write(file, errno);
}

/// Removes all number files except that of one generation.
void remove_numbers(const fs::path& folder, std::optional<std::uint32_t> but)
{
    std::error_code code;
    std::vector<fs::path> old;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (entry->path().filename().string().starts_with(name_of_numbers())
            && (!but || entry->path() != numbers_path(folder, *but)))
            old.push_back(entry->path());
    for (const auto& file : old)
        fs::remove(file, code);
}

}   // namespace

fs::path checkpoint_path(const fs::path& folder) { return folder / file_name; }

bool has_checkpoint(const fs::path& folder)
{
    std::string head(magic.size(), '\0');
    std::ifstream stream(checkpoint_path(folder), std::ios::binary);
    return stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == magic;
}

std::optional<CheckpointContent> read_checkpoint(const fs::path& folder)
{
    const fs::path file = checkpoint_path(folder);
    std::error_code code;
    if (!fs::exists(file, code))
        return {};
    const std::string all = read_file(file, "an interrupted run", most_bytes);
    const auto refusal    = [&](const std::string& why) {
        return Error(file.string() + ": expected an interrupted run, but " + why + ".");
    };
    const std::size_t head = magic.size() + sizeof(StateHash);
    if (!all.starts_with(magic))
        throw refusal("it is a file of another kind");
    const std::string_view rest = std::string_view(all).substr(std::min(head, all.size()));
    if (std::string_view(all).substr(magic.size(), sizeof(StateHash)) != text_of(hash_of(rest)))
        throw refusal("it is damaged");
    try {
        StateBytes state(std::string(rest), nullptr);
        CheckpointContent content;
        serialise(state, content);
        return content;
    } catch (const nlohmann::json::exception&) {
        throw refusal("its Study cannot be read");
    } catch (const Error& error) {
        std::string why = error.what();
        if (why.ends_with('.'))
            why.pop_back();
        throw refusal(why);
    }
}

void remove_checkpoint(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove(checkpoint_path(folder), ignored);
    remove_numbers(folder, {});
}

CheckpointFiles::CheckpointFiles(fs::path folder, const CheckpointContent* found) : folder_(std::move(folder))
{
    if (found) {
        generation_ = found->generation;
        pieces_     = found->pieces;
        written_ = used_ = pieces_.size();
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            numbers_.emplace(std::pair(pieces_[i].a, pieces_[i].b), static_cast<std::uint32_t>(i));
        return;
    }
    next_generation();
}

/// Starts a generation whose file does not exist: the files named by the first file stay until a
/// new first file replaces it.
void CheckpointFiles::next_generation()
{
    std::error_code code;
    do
        ++generation_;
    while (fs::exists(numbers_path(folder_, generation_), code));
    pieces_.clear();
    numbers_.clear();
    fresh_.clear();
    written_ = 0;
}

std::uint32_t CheckpointFiles::put(std::string_view bytes)
{
    const StateHash hash    = hash_of(bytes);
    const auto [at, is_new] = numbers_.emplace(std::pair(hash.a, hash.b), static_cast<std::uint32_t>(pieces_.size()));
    if (is_new) {
        pieces_.push_back(hash);
        fresh_ += bytes;
    }
    ++used_;
    return at->second;
}

void CheckpointFiles::get(std::uint32_t number, std::span<char> bytes)
{
    if (number >= pieces_.size())
        throw Error("The saved state refers to piece " + std::to_string(number) + " of its numbers, of which there are "
                    + std::to_string(pieces_.size()) + ".");
    const auto file = numbers_path(folder_, generation_);
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(std::size_t{number} * StateBytes::piece));
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!in || hash_of({bytes.data(), bytes.size()}) != pieces_[number])
        throw Error(file.string() + ": the numbers of the interrupted run are damaged or missing.");
}

void CheckpointFiles::begin_pass()
{
    if (pieces_.size() > 2 * used_ && (pieces_.size() - used_) * StateBytes::piece > most_of_no_use)
        next_generation();
    used_ = 0;
}

CheckpointFiles::Pass CheckpointFiles::end_pass(CheckpointHead head, std::vector<Checkpoint::State> parts)
{
    Pass pass{
        generation_, written_, std::exchange(fresh_, {}), {std::move(head), generation_, pieces_, std::move(parts)}};
    written_ = pieces_.size();
    return pass;
}

void CheckpointFiles::forget_from(std::size_t before)
{
    pieces_.resize(before);
    std::erase_if(numbers_, [&](const auto& piece) { return piece.second >= before; });
    fresh_.clear();
    written_ = before;
}

void CheckpointFiles::write(const fs::path& folder, const Pass& pass)
{
    append_numbers(numbers_path(folder, pass.generation), pass.before, pass.fresh);
    StateBytes state;
    CheckpointContent content = pass.content;
    serialise(state, content);
    WholeFile file(checkpoint_path(folder));
    file.write(magic);
    file.write(text_of(hash_of(state.bytes())));
    file.write(state.bytes());
    file.keep();
    remove_numbers(folder, pass.generation);
}

}   // namespace credence
