# Installs the library, its headers, vertebra.json, the command, the Python package, the CMake package (vertebra::vertebra) and the pkg-config file.
# All paths in the installed files are relative, so a prefix may be moved after installation. Components are those of packages.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vertebra)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/capi/include/vertebra DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/api/vertebra_amalgamated.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vertebra COMPONENT dev)
install(FILES ${PROJECT_BINARY_DIR}/api/vertebra.json DESTINATION ${CMAKE_INSTALL_DATADIR}/vertebra COMPONENT lib)
install(TARGETS vertebra EXPORT vertebra_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET vertebra_view)
  set_target_properties(vertebra_view PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS vertebra_view LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT viewer)
  install(FILES ${PROJECT_SOURCE_DIR}/viewer/include/vertebra_view.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT viewer)
endif()
if(TARGET vertebra_cli)
  file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(vertebra_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS vertebra_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
  install(FILES ${PROJECT_BINARY_DIR}/manual/completions/vertebra DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT tools)
endif()

# The Python package, beside which it finds the library and vertebra.json of this prefix.
set(VERTEBRA_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python package is installed, below the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/capi/bindings/python/vertebra DESTINATION ${VERTEBRA_PYTHON_DIR} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# Programs and declarations in other languages; the examples, which build by themselves against an installed vertebra, with the files that they load, in the order of the source tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/vertebra COMPONENT dev
  PATTERN "make_*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/plugins/languages DESTINATION ${CMAKE_INSTALL_DATADIR}/vertebra COMPONENT dev
  PATTERN "*_test.py" EXCLUDE PATTERN CMakeLists.txt EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/bench/svg.py DESTINATION ${CMAKE_INSTALL_DATADIR}/vertebra/bench COMPONENT dev)

install(EXPORT vertebra_targets FILE vertebraTargets.cmake NAMESPACE vertebra:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/vertebraConfig.cmake.in ${PROJECT_BINARY_DIR}/vertebraConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vertebraConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vertebraConfig.cmake ${PROJECT_BINARY_DIR}/vertebraConfigVersion.cmake DESTINATION ${package_dir}
  COMPONENT dev)

file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/vertebra.pc.in ${PROJECT_BINARY_DIR}/vertebra.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vertebra.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
