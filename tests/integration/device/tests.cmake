# SPDX-License-Identifier: MIT
# A device and its threads: memory that runs out, the program's stack and callbacks, what no driver here has.
integration_test(odd_devices SOURCES layers/faults.c)
add_dependencies(integration_odd_devices type_layer)
target_link_libraries(integration_odd_devices PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_odd_devices tests/integration_single.frag integration_odd_single)

integration_test(failures SOURCES layers/faults.c shared/scenario.c)
add_dependencies(integration_failures fault_layer)
target_link_libraries(integration_failures PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_failures tests/fullscreen.vert integration_vertex_plain)
clampler_shader(integration_failures tests/integration_lookup.comp integration_compute)
clampler_shader(integration_failures tests/integration_lookup.comp integration_failing)
clampler_shader(integration_failures tests/integration_single.frag integration_single)
clampler_shader(integration_failures tests/solid.frag integration_solid)
clampler_shader(integration_failures tests/integration_two_sets.frag integration_two_sets)

integration_test(threads SOURCES device/workers.c ABOVE)
clampler_shader(integration_threads tests/integration_single.frag integration_single)

add_test(NAME integration_threads_ahead COMMAND integration_threads)
set_tests_properties(integration_threads_ahead PROPERTIES ENVIRONMENT VK_CLAMPLER_TIERS=ahead)

integration_test(crowds SOURCES device/workers.c layers/faults.c)
add_dependencies(integration_crowds limited_driver fault_layer)
target_link_libraries(integration_crowds PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_crowds tests/integration_single.frag integration_crowds_single)

integration_test(guest SOURCES layers/faults.c device/layer_locks.c)
add_dependencies(integration_guest talker_layer)
target_link_libraries(integration_guest PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(integration_guest PROPERTIES ENABLE_EXPORTS ON)
clampler_shader(integration_guest tests/integration_single.frag integration_guest_single)
integration_test(guest_stack SOURCES device/layer_locks.c recording/blit_scene.c recording/blit_reference.c)
add_dependencies(integration_guest_stack limited_driver)
target_link_libraries(integration_guest_stack PRIVATE integration_alpha_scene m ${CMAKE_DL_LIBS})
target_link_options(integration_guest_stack PRIVATE -Wl,-z,now) # finding a function at a draw takes stack of its own
set_target_properties(integration_guest_stack PROPERTIES ENABLE_EXPORTS ON)
clampler_shader(integration_guest_stack tests/integration_lookup.comp integration_guest_stack_compute)
clampler_shader(integration_guest_stack tests/integration_single.frag integration_guest_stack_single)

integration_test(hosts SOURCES device/layer_locks.c)
target_link_libraries(integration_hosts PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(integration_hosts PROPERTIES ENABLE_EXPORTS ON)
clampler_shader(integration_hosts tests/integration_single.frag integration_hosts_single)

integration_test(memory_types SOURCES recording/blit_scene.c recording/blit_reference.c layers/faults.c)
add_dependencies(integration_memory_types limited_driver type_layer)
target_link_libraries(integration_memory_types PRIVATE integration_descriptor_scene m ${CMAKE_DL_LIBS})
clampler_shader(integration_memory_types tests/integration_combined.frag integration_memory_combined)
