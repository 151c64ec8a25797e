# Compiler settings every target shares: accept_settings (language, sanitizers) and accept_warnings.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(ACCEPT_CCACHE ccache)
if(ACCEPT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ACCEPT_CCACHE})
endif()

add_library(accept_settings INTERFACE)
target_include_directories(accept_settings INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(accept_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # Designated initializers leave out what has its default on purpose.
  -Wno-missing-field-initializers
  # g++ 12 reports std::string and std::variant moves that it has itself inlined (gcc bugs 105329, 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>)
if(ACCEPT_SANITIZE)
  # g++ warns of instrumented code what it does not of the same code without; the dev build stays the judge of warnings.
  target_compile_options(accept_settings INTERFACE
    -fsanitize=${ACCEPT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-error)
  target_link_options(accept_settings INTERFACE -fsanitize=${ACCEPT_SANITIZE})
endif()
if(ACCEPT_FUZZ)
  # The rooms are built with coverage feedback; only the fuzz targets link libFuzzer's main.
  target_compile_options(accept_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
