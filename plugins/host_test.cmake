# vertebra_host_test(NAME COMMAND...) - a test in a real host: ctest entry host_NAME with the label hosts, which ./dev test-hosts runs. A test
# that ends with exit code 77 has said which package is missing, and is skipped by name.
function(vertebra_host_test name)
  if(NOT VERTEBRA_BUILD_TESTS)
    return()
  endif()
  add_test(NAME host_${name} COMMAND ${ARGN})
  set_tests_properties(host_${name} PROPERTIES LABELS hosts SKIP_RETURN_CODE 77)
endfunction()
