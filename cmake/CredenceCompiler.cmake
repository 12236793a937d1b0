# SPDX-License-Identifier: GPL-3.0-or-later
# How every file is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")           # core adds -O3, see CredenceFolders.cmake
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g")          # for the sanitizers: assertions stay in

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "Credence needs g++ 12 or newer, found ${CMAKE_CXX_COMPILER_VERSION}: install a newer g++ and set CXX.")
endif()

# The instruction set. `auto` takes the best level that this machine has, found now. Never -march=native: g++ 12 then
# tunes for an older core, and matrix products lose a quarter of their speed.
set(CREDENCE_ARCH "auto" CACHE STRING "Instruction set: auto, x86-64-v2, x86-64-v3, x86-64-v4, or none (compiler's default)")
set(CREDENCE_ARCH_FOUND "${CREDENCE_ARCH}")
if(CREDENCE_ARCH STREQUAL "auto")
    set(CREDENCE_ARCH_FOUND "none")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
        set(CREDENCE_ARCH_FOUND "x86-64-v2")
        if(flags MATCHES " avx2 " AND flags MATCHES " fma " AND flags MATCHES " bmi2 " AND flags MATCHES " f16c ")
            set(CREDENCE_ARCH_FOUND "x86-64-v3")
            if(flags MATCHES " avx512f " AND flags MATCHES " avx512bw " AND flags MATCHES " avx512cd "
               AND flags MATCHES " avx512dq " AND flags MATCHES " avx512vl ")
                set(CREDENCE_ARCH_FOUND "x86-64-v4")
            endif()
        endif()
    endif()
endif()
if(NOT CREDENCE_ARCH_FOUND STREQUAL "none")
    add_compile_options(-march=${CREDENCE_ARCH_FOUND} -mtune=generic)
endif()
message(STATUS "Instruction set: ${CREDENCE_ARCH_FOUND}")

# One alignment for all: Eigen's storage crosses library borders whatever instruction set each side was built for.
add_compile_definitions(EIGEN_MAX_ALIGN_BYTES=64 EIGEN_MAX_STATIC_ALIGN_BYTES=64)
# Threads are ours, each product is computed by one.
add_compile_definitions(EIGEN_DONT_PARALLELIZE)
# Packing buffers of matrix products live on the stack: no allocation per step.
add_compile_definitions(EIGEN_STACK_ALLOCATION_LIMIT=1048576)
add_compile_options(-Wall -Wextra -Wpedantic -Wno-psabi -fopenmp-simd -fno-math-errno -fno-trapping-math -fno-semantic-interposition)

# g++ 12 sees uninitialised lanes in its own AVX-512 headers and overlaps in std::string: false alarms, and many.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)
endif()

# A package meets machines of every kind: the core becomes shared libraries, built for each level, and the loader takes the best.
option(CREDENCE_DISPATCH "Build the core for x86-64-v2, v3 and v4 and choose at run time" OFF)
if(CREDENCE_DISPATCH AND NOT CREDENCE_ARCH STREQUAL "x86-64-v2")
    message(FATAL_ERROR "CREDENCE_DISPATCH wants CREDENCE_ARCH=x86-64-v2 as its lowest level, found '${CREDENCE_ARCH}'.")
endif()
# Two builds of a package have the same bytes, wherever they were made: no folder of the build stands in them.
if(CREDENCE_DISPATCH)
    add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
    set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()

set(CREDENCE_SANITIZE "" CACHE STRING "address (with undefined), thread or fuzzer (clang); empty for none")
if(CREDENCE_SANITIZE STREQUAL "address")
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
elseif(CREDENCE_SANITIZE STREQUAL "thread")
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
    add_link_options(-fsanitize=thread)
elseif(CREDENCE_SANITIZE STREQUAL "fuzzer")
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "CREDENCE_SANITIZE=fuzzer needs clang, found ${CMAKE_CXX_COMPILER_ID}.")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
elseif(NOT CREDENCE_SANITIZE STREQUAL "")
    message(FATAL_ERROR "CREDENCE_SANITIZE is '${CREDENCE_SANITIZE}', expected address, thread, fuzzer or nothing.")
endif()

find_program(CCACHE ccache)
if(CCACHE)
    # What the compiler says a file depends on is what ccache goes by: a file that it does not know is preprocessed once, not twice.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
