# accept_room(NAME LINKS target…): one room of harness/ as a static library of all its sources.
# A room links only what it may use; tests/layering checks every #include against the table there.
function(accept_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(harness_${name} STATIC ${sources})
  target_link_libraries(harness_${name} PUBLIC accept_settings ${ROOM_LINKS} PRIVATE ${ROOM_PRIVATE_LINKS})
endfunction()

# accept_test(NAME SOURCES… LINKS target…): one test program; its cases are named after the room.
function(accept_test name)
  cmake_parse_arguments(TEST "" "PREFIX;LABEL" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE accept_settings ${TEST_LINKS} GTest::gtest_main)
  set(properties TIMEOUT 300)
  if(TEST_LABEL)
    list(APPEND properties LABELS ${TEST_LABEL})
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${TEST_PREFIX}" DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
