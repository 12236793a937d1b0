# SPDX-License-Identifier: GPL-3.0-or-later
# Turns text files into a C++ source: cmake -DOUTPUT=<file.cpp> -DFUNCTION=<name> -DFILES=<a;b;c> -P EmbedTexts.cmake
# defines  std::vector<std::pair<std::string, std::string>> credence::<name>()  with the stem and the text of each file, in the order given.
set(entries "")
foreach(file IN LISTS FILES)
    get_filename_component(stem "${file}" NAME_WE)
    file(READ "${file}" text)
    string(APPEND entries "        {\"${stem}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made from resources by cmake/EmbedTexts.cmake; do not edit.
#include <string>
#include <utility>
#include <vector>

namespace credence {
std::vector<std::pair<std::string, std::string>> ${FUNCTION}()
{
    return {
${entries}    };
}
}  // namespace credence
")
