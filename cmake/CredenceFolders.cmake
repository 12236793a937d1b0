# SPDX-License-Identifier: GPL-3.0-or-later

# Several files of a target as one: headers and templates are compiled once for all of them, which halves a build from nothing; a change of one
# file compiles its neighbours again. The packaging scripts switch it on where they begin a build. Names in anonymous namespaces of such a
# target are unique. Kernels stay as they are: what is inlined decides how sums are contracted, and with that the last digit.
option(CREDENCE_UNITY "Compile several files of a target at once" OFF)
set(CREDENCE_UNITY_BATCH 32 CACHE STRING "Files compiled at once with CREDENCE_UNITY: fewer make a change cheaper and a build from nothing slower")
if(CREDENCE_UNITY AND NOT CREDENCE_SANITIZE)   # g++ looks for memory that is free again from 0.8 GB on, not from 0.13 GB: 8 % less time for the large files that this makes
    add_compile_options("$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=800000>")
endif()
function(credence_unity target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${CREDENCE_UNITY} UNITY_BUILD_BATCH_SIZE ${CREDENCE_UNITY_BATCH} UNITY_BUILD_UNIQUE_ID CREDENCE_UNIT)
    if(CREDENCE_UNITY)   # files that are compiled together are no headers, though g++ takes them for such
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()

# credence_precompile(<target> <headers...>): worth it for a target of many files; of few at once, reading the headers is quicker than storing them.
function(credence_precompile target)
    if(NOT CREDENCE_UNITY)
        target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
endfunction()

# What nearly every file of the core includes of the standard library.
set(CREDENCE_STANDARD_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <variant> <vector>)

# credence_standard_headers(<target> <optimisation> <more headers...>): those and more, compiled once for the targets that are built so.
function(credence_standard_headers target optimisation)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp CONTENT "")
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    target_link_libraries(${target} PRIVATE Eigen3::Eigen nlohmann_json::nlohmann_json)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${optimisation}>)
    target_precompile_headers(${target} PRIVATE ${CREDENCE_STANDARD_HEADERS} ${ARGN})
endfunction()

# credence_core_folder(<folder> [PLAIN] [UNITY] SOURCES <...> NEEDS <folders or targets...>)
# One static library for each folder of core/. NEEDS names the folders it may include from: arrows point down only.
# PLAIN: nothing in it is a hot loop, so that it is compiled with -O2, several files at once. UNITY: with -O3, several files at once.
# With CREDENCE_DISPATCH it is a shared library instead, and its twins for the higher levels go where the loader looks first; a PLAIN one needs none.
function(credence_core_folder folder)
    cmake_parse_arguments(ARG "PLAIN;UNITY" "" "SOURCES;NEEDS" ${ARGN})
    set(target credence_${folder})
    if(CREDENCE_DISPATCH)
        add_library(${target} SHARED ${ARG_SOURCES})
        credence_place_library(${target} "")
        if(NOT ARG_PLAIN)
            cmake_language(EVAL CODE "cmake_language(DEFER CALL credence_library_twins ${target})")
        endif()
    else()
        add_library(${target} STATIC ${ARG_SOURCES})
    endif()
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core)
    if(ARG_PLAIN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
    else()
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
    endif()
    if(ARG_PLAIN OR ARG_UNITY)
        credence_unity(${target})
    endif()
    # Fuzzers watch the folders that read files; the others are compiled as quickly as can be, only to be linked.
    if(CREDENCE_SANITIZE STREQUAL "fuzzer" AND NOT folder MATCHES "^(foundation|data|images|formats|study)$")
        target_compile_options(${target} PRIVATE -O0 -g0 -fno-sanitize=all)
    endif()
    # Headers of the standard library, compiled once for all folders of the same optimisation; shared libraries and foundation have flags of their own.
    if(CREDENCE_DISPATCH OR CREDENCE_SANITIZE STREQUAL "fuzzer" OR folder MATCHES "^(foundation|random)$")
        target_precompile_headers(${target} PRIVATE ${CREDENCE_STANDARD_HEADERS})
    elseif(ARG_PLAIN)
        target_precompile_headers(${target} REUSE_FROM credence_plain_headers)
    else()
        target_precompile_headers(${target} REUSE_FROM credence_fast_headers)
    endif()
    foreach(need IN LISTS ARG_NEEDS)
        if(EXISTS ${PROJECT_SOURCE_DIR}/core/${need})
            target_link_libraries(${target} PUBLIC credence_${need})
        else()
            target_link_libraries(${target} PUBLIC ${need})
        endif()
    endforeach()
    target_link_libraries(credence_core INTERFACE ${target})
endfunction()

# Where a shared library of the core lies, in the build tree and installed. A function in two libraries (a template of Eigen, say) is
# compiled for two instruction sets: each library calls its own (-Bsymbolic-functions).
set(CREDENCE_LIBRARY_FOLDER lib/credence)
function(credence_place_library target level)
    set(folder ${CREDENCE_LIBRARY_FOLDER})
    if(level)
        string(APPEND folder /glibc-hwcaps/${level})
    endif()
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder} INSTALL_RPATH "$ORIGIN" BUILD_RPATH "$ORIGIN")
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions LINKER:--no-undefined)
    install(TARGETS ${target} LIBRARY DESTINATION ${folder})
endfunction()

# The same library once more for x86-64-v3 and v4. Runs when the folder's CMakeLists.txt has been read to its end.
function(credence_library_twins target)
    foreach(level x86-64-v3 x86-64-v4)
        set(twin ${target}_${level})
        get_target_property(sources ${target} SOURCES)
        add_library(${twin} SHARED ${sources})
        set_target_properties(${twin} PROPERTIES OUTPUT_NAME ${target})
        foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_LIBRARIES PRECOMPILE_HEADERS
                         UNITY_BUILD UNITY_BUILD_BATCH_SIZE UNITY_BUILD_UNIQUE_ID)
            get_target_property(value ${target} ${property})
            if(value)
                set_target_properties(${twin} PROPERTIES ${property} "${value}")
            endif()
        endforeach()
        target_compile_options(${twin} PRIVATE -march=${level})
        credence_place_library(${twin} ${level})
        add_dependencies(${target} ${twin})
    endforeach()
endfunction()

# credence_libraries_of_core(<target> <variable>): the static libraries of core/ that the target links, its libraries' own included.
function(credence_libraries_of_core target variable)
    set(found)
    set(waiting ${target})
    set(seen)
    while(waiting)
        list(POP_FRONT waiting next)
        string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" next "${next}")
        if(NOT TARGET "${next}" OR next IN_LIST seen)
            continue()
        endif()
        list(APPEND seen ${next})
        get_target_property(folder ${next} SOURCE_DIR)
        get_target_property(type ${next} TYPE)
        if(type STREQUAL "STATIC_LIBRARY" AND folder MATCHES "^${PROJECT_SOURCE_DIR}/core/")
            list(APPEND found ${next})
        endif()
        get_target_property(needs ${next} INTERFACE_LINK_LIBRARIES)
        if(next STREQUAL target)
            get_target_property(needs ${next} LINK_LIBRARIES)
        endif()
        if(needs)
            list(APPEND waiting ${needs})
        endif()
    endwhile()
    set(${variable} ${found} PARENT_SCOPE)
endfunction()

# credence_core_first(<test program>): of a template or inline function that the test uses too, the program has the library's copy. The linker takes
# the first that it meets: that of a test, compiled without optimisation, would be neither quick nor what the program runs.
function(credence_core_first target)
    if(CREDENCE_DISPATCH OR CREDENCE_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
        return()
    endif()
    credence_libraries_of_core(${target} libraries)
    list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>")
    list(JOIN libraries " " libraries)
    target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive ${libraries} -Wl,--no-whole-archive")   # options stand before the test's own files
endfunction()

# credence_test(<name> SOURCES <...> NEEDS <targets...>): one GoogleTest program, each of its tests known to CTest by name.
function(credence_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;NEEDS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${ARG_NEEDS} credence_test_main)
    credence_core_first(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
    credence_unity(${name})
    target_precompile_headers(${name} REUSE_FROM credence_test_headers)   # compiled once for all of them
    target_compile_definitions(${name} PRIVATE CREDENCE_REFERENCE_DIR="${PROJECT_SOURCE_DIR}/tests/reference")
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# credence_list_as_code(<word> <Type> <header> <function> <names...>): a file that calls NAME_word() for each of the names, in their order, as
# std::vector<Type> function(). Its path is left in <word>_list. That is how the lists of methods, views, sources and formats become code.
function(credence_list_as_code word type header function)
    foreach(name IN LISTS ARGN)
        string(APPEND declarations "${type} ${name}_${word}();\n")
        string(APPEND calls "${name}_${word}(), ")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${word}_list.cpp @ONLY CONTENT [[
#include "@header@"

namespace credence {
@declarations@
std::vector<@type@> @function@() { return {@calls@}; }
}
]])
    set(${word}_list ${CMAKE_CURRENT_BINARY_DIR}/${word}_list.cpp PARENT_SCOPE)
endfunction()

# credence_own_tests(<variable> <folder or nothing> <suffix> <names...>): those of <folder>NAME<suffix> that are there.
function(credence_own_tests variable folder suffix)
    set(found)
    foreach(name IN LISTS ARGN)
        if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}${name}${suffix})
            list(APPEND found ${folder}${name}${suffix})
        endif()
    endforeach()
    set(${variable} ${found} PARENT_SCOPE)
endfunction()
