# SPDX-License-Identifier: MIT
# Shaders by every way to the driver: whole pipelines, libraries, objects, binaries, rays, meshes.
integration_test(pipelines ABOVE)
clampler_shader(integration_pipelines tests/integration_attribute.vert integration_attribute)
clampler_shader(integration_pipelines tests/integration_single.frag integration_single)
clampler_shader(integration_pipelines tests/integration_specialized.frag integration_specialized)
clampler_shader(integration_pipelines tests/solid.frag integration_solid)

integration_test(stages ABOVE)
clampler_shader(integration_stages tests/integration_lookup.comp integration_compute)
clampler_shader(integration_stages tests/integration_points.geom integration_geometry)
clampler_shader(integration_stages tests/integration_points.tesc integration_tess_control)
clampler_shader(integration_stages tests/integration_points.tese integration_tess_evaluation)
clampler_shader(integration_stages tests/integration_points.vert integration_points)
clampler_shader(integration_stages tests/integration_points.vert integration_points_lookup DEFINES LOOKUP)
clampler_shader(integration_stages tests/integration_points.vert integration_points_captured DEFINES LOOKUP CAPTURE)
clampler_shader(integration_stages tests/integration_single.frag integration_single)
clampler_shader(integration_stages tests/looked_up.frag integration_looked_up)

integration_test(libraries ABOVE)
clampler_shader(integration_libraries tests/fullscreen.vert integration_libraries_vertex)
clampler_shader(integration_libraries tests/integration_single.frag integration_libraries_single)

integration_test(identifiers SOURCES layers/faults.c)
add_dependencies(integration_identifiers code_layer)
target_link_libraries(integration_identifiers PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_identifiers tests/integration_lookup.comp integration_identifiers_compute)
clampler_shader(integration_identifiers tests/integration_single.frag integration_identifiers_single)
clampler_shader(integration_identifiers tests/fullscreen.vert integration_identifiers_vertex)

integration_test(creation_flags SOURCES layers/faults.c)
add_dependencies(integration_creation_flags code_layer)
target_link_libraries(integration_creation_flags PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_creation_flags tests/integration_lookup.comp integration_flags_compute)
clampler_shader(integration_creation_flags tests/integration_single.frag integration_flags_single)

integration_test(code_keys SOURCES layers/faults.c)
add_dependencies(integration_code_keys code_layer)
target_link_libraries(integration_code_keys PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_code_keys tests/integration_key.comp integration_key)
clampler_shader(integration_code_keys tests/integration_key.comp integration_key_plain DEFINES PLAIN)

integration_test(binaries SOURCES layers/faults.c)
add_dependencies(integration_binaries code_layer)
target_link_libraries(integration_binaries PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_binaries tests/integration_lookup.comp integration_binaries_compute)
clampler_shader(integration_binaries tests/integration_single.frag integration_binaries_single)
clampler_shader(integration_binaries tests/solid.frag integration_binaries_solid)

integration_test(ahead SOURCES shared/scenario.c)
clampler_shader(integration_ahead tests/integration_lookup.comp integration_ahead_compute)
clampler_shader(integration_ahead tests/integration_single.frag integration_ahead_single)
clampler_shader(integration_ahead tests/integration_offset.frag integration_ahead_offset)
clampler_shader(integration_ahead tests/fullscreen.vert integration_vertex_plain)
clampler_shader(integration_ahead tests/integration_lookup.comp integration_compute)
clampler_shader(integration_ahead tests/integration_two_sets.frag integration_two_sets)

integration_test(shader_objects SOURCES layers/faults.c)
add_dependencies(integration_shader_objects code_layer)
target_link_libraries(integration_shader_objects PRIVATE ${CMAKE_DL_LIBS})
clampler_shader(integration_shader_objects tests/integration_lookup.comp integration_shader_object)
clampler_shader(integration_shader_objects tests/fullscreen.vert integration_shader_object_vertex)
clampler_shader(integration_shader_objects tests/integration_single.frag integration_shader_object_fragment)

integration_test(unread SOURCES pipelines/unread_paths.c recording/generated_memory.c)
clampler_shader(integration_unread tests/integration_unread.glsl integration_unread_fragment STAGE frag ENV vulkan1.2
                DEFINES FRAGMENT)
clampler_shader(integration_unread tests/integration_unread.glsl integration_unread_compute STAGE comp ENV vulkan1.2
                DEFINES COMPUTE)
clampler_shader(integration_unread tests/integration_unread.glsl integration_unread_generation STAGE rgen ENV vulkan1.2
                DEFINES RAYGEN)

integration_test(rays SOURCES pipelines/rays_scene.c recording/generated_memory.c)
clampler_shader(integration_rays tests/integration_lookup.comp integration_rays_compute)
clampler_shader(integration_rays tests/integration_rays.glsl integration_rays_generation STAGE rgen ENV vulkan1.2
                DEFINES RAYGEN)
clampler_shader(integration_rays tests/integration_rays.glsl integration_rays_hit STAGE rchit ENV vulkan1.2 DEFINES HIT)
clampler_shader(integration_rays tests/integration_rays.glsl integration_rays_miss STAGE rmiss ENV vulkan1.2
                DEFINES MISS)
integration_test(rays_nv SOURCES pipelines/rays_scene.c)
clampler_shader(integration_rays_nv tests/integration_lookup.comp integration_rays_compute)
clampler_shader(integration_rays_nv tests/integration_rays.glsl integration_rays_nv_generation STAGE rgen ENV vulkan1.2
                DEFINES NV RAYGEN)
clampler_shader(integration_rays_nv tests/integration_rays.glsl integration_rays_nv_hit STAGE rchit ENV vulkan1.2
                DEFINES NV HIT)
clampler_shader(integration_rays_nv tests/integration_rays.glsl integration_rays_nv_miss STAGE rmiss ENV vulkan1.2
                DEFINES NV MISS)
add_test(NAME integration_rays_gpu_form COMMAND integration_rays)
set_tests_properties(integration_rays_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)

integration_test(mesh ABOVE)
clampler_shader(integration_mesh tests/looked_up.frag integration_mesh_fragment)
clampler_shader(integration_mesh tests/integration_points.mesh integration_mesh_lookup ENV vulkan1.3)
clampler_shader(integration_mesh tests/integration_points.mesh integration_mesh_of_task ENV vulkan1.3 DEFINES TASK)
clampler_shader(integration_mesh tests/integration_points.task integration_task_lookup ENV vulkan1.3)

integration_test(maintenance)
clampler_shader(integration_maintenance tests/integration_lookup.comp integration_maintenance_compute)
clampler_shader(integration_maintenance tests/integration_offset.frag integration_maintenance_offset)
clampler_shader(integration_maintenance tests/integration_single.frag integration_maintenance_fragment)

add_test(NAME integration_same_code COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/same_code_test.py
         $<TARGET_FILE:integration_pipelines>)
set_tests_properties(integration_same_code PROPERTIES LABELS newest)
