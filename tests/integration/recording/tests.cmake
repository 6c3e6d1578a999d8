# SPDX-License-Identifier: MIT
# Command buffers: what is bound, nested ones, addresses, blits, commands that the device generates.
integration_test(commands ABOVE)
clampler_shader(integration_commands tests/integration_single.frag integration_single)
clampler_shader(integration_commands tests/integration_two_sets.frag integration_two_sets)
clampler_shader(integration_commands tests/integration_units.frag integration_units)

integration_test(addresses)
clampler_shader(integration_addresses tests/integration_lookup.comp integration_addresses_compute)
clampler_shader(integration_addresses tests/integration_single.frag integration_addresses_fragment)

integration_test(generated_roots SOURCES layers/faults.c)
add_dependencies(integration_generated_roots code_layer)
target_link_libraries(integration_generated_roots PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_generated_roots tests/integration_lookup.comp integration_roots_compute DEFINES PUSHED)

integration_test(generated SOURCES recording/generated_scene.c recording/generated_memory.c)
clampler_shader(integration_generated tests/integration_generated.glsl integration_generated_compute STAGE comp
                DEFINES COMPUTE)
clampler_shader(integration_generated tests/integration_generated.glsl integration_generated_fragment STAGE frag
                DEFINES FRAGMENT)

integration_test(generated_nv SOURCES recording/generated_scene.c recording/generated_memory.c)
clampler_shader(integration_generated_nv tests/integration_generated.glsl integration_generated_compute STAGE comp
                DEFINES COMPUTE)
clampler_shader(integration_generated_nv tests/integration_generated.glsl integration_generated_fragment STAGE frag
                DEFINES FRAGMENT)

integration_test(nested ABOVE)
clampler_shader(integration_nested tests/integration_single.frag integration_nested)

foreach(name blits blit_numbers)
    integration_test(${name} SOURCES recording/blit_scene.c recording/blit_reference.c)
    add_dependencies(integration_${name} limited_driver)
    target_link_libraries(integration_${name} PRIVATE m)
endforeach()

integration_test(blit_state SOURCES recording/blit_scene.c recording/blit_reference.c layers/faults.c)
add_dependencies(integration_blit_state limited_driver fault_layer)
target_link_libraries(integration_blit_state PRIVATE m ${CMAKE_DL_LIBS})
clampler_shader(integration_blit_state tests/integration_blit.comp integration_blit)
clampler_shader(integration_blit_state tests/integration_single.frag integration_single)
