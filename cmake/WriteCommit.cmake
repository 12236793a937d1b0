# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUTPUT, a C++ file with the commit of the sources in SOURCE, if it has another content: called at each build, so that a commit compiles this one file again.
# GIT may be empty. Without git the commit is that of the archive which the sources came in (cmake/commit.txt), or empty.
cmake_policy(VERSION 3.25)
set(commit "")
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(
        COMMAND ${GIT} --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
        WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(commit "")
    endif()
else()
    file(READ ${SOURCE}/cmake/commit.txt archived)
    if(archived MATCHES "^([0-9a-f]+)[ \n]*$")
        string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 commit)
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "extern const char* const program_commit;\nconst char* const program_commit = \"${commit}\";\n")
