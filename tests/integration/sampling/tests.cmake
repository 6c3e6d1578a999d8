# SPDX-License-Identifier: MIT
# What lookups draw: samplers, views, images and texel buffers.
integration_test(view_levels)
target_link_libraries(integration_view_levels PRIVATE m)
clampler_shader(integration_view_levels tests/integration_levels.frag integration_levels)
clampler_shader(integration_view_levels tests/integration_levels.frag integration_levels_separate DEFINES SEPARATE)
clampler_shader(integration_view_levels tests/integration_level_edges.frag integration_level_edges)
clampler_shader(integration_view_levels tests/integration_level_edges.frag integration_level_edges_separate
                DEFINES SEPARATE)

integration_test(level_queries)
target_link_libraries(integration_level_queries PRIVATE m)
clampler_shader(integration_level_queries tests/integration_query.frag integration_query)
clampler_shader(integration_level_queries tests/integration_levels.frag integration_levels)
clampler_shader(integration_level_queries tests/integration_levels.frag integration_levels_separate DEFINES SEPARATE)

integration_test(texture_borders)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_fetches DEFINES FETCHES)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_separate
                DEFINES SEPARATE)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_separate_fetches
                DEFINES SEPARATE FETCHES)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_integers
                DEFINES FETCHES INTEGERS)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_separate_integers
                DEFINES SEPARATE FETCHES INTEGERS)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_queries
                DEFINES INTEGERS QUERIES)
clampler_shader(integration_texture_borders tests/integration_bordered.frag integration_bordered_separate_queries
                DEFINES SEPARATE INTEGERS QUERIES)

integration_test(channel_orders)
target_link_libraries(integration_channel_orders PRIVATE m)
clampler_shader(integration_channel_orders tests/integration_channels.frag integration_channels)
clampler_shader(integration_channel_orders tests/integration_channels.frag integration_channels_separate DEFINES SEPARATE)
integration_test(pairs)
target_link_libraries(integration_pairs PRIVATE m)
clampler_shader(integration_pairs tests/integration_channels.frag integration_channels)
clampler_shader(integration_pairs tests/integration_channels.frag integration_channels_integer DEFINES INTEGER)
clampler_shader(integration_pairs tests/integration_channels.frag integration_channels_separate DEFINES SEPARATE)

integration_test(uncompared)
target_link_libraries(integration_uncompared PRIVATE m)
clampler_shader(integration_uncompared tests/integration_uncompared.frag integration_uncompared_ordinary)
clampler_shader(integration_uncompared tests/integration_uncompared.frag integration_uncompared_ordinary_passed DEFINES PASSED)
clampler_shader(integration_uncompared tests/integration_uncompared.frag integration_uncompared_plain DEFINES PLAIN)
clampler_shader(integration_uncompared tests/integration_uncompared.frag integration_uncompared_plain_passed
                DEFINES PLAIN PASSED)
clampler_shader(integration_uncompared tests/integration_uncompared.frag integration_uncompared_split DEFINES PLAIN SPLIT)

integration_test(identities ABOVE)
target_link_libraries(integration_identities PRIVATE m)
clampler_shader(integration_identities tests/integration_single.frag integration_single)

integration_test(batches)
foreach(kind RANGE 8)
    clampler_shader(integration_batches tests/integration_batch.frag integration_batch_alone_${kind}
                    DEFINES ALONE KIND=${kind})
    clampler_shader(integration_batches tests/integration_batch.frag integration_batch_together_${kind}
                    DEFINES KIND=${kind})
endforeach()
foreach(kind RANGE 3)
    clampler_shader(integration_batches tests/integration_batch.frag integration_batch_separate_${kind}
                    DEFINES SEPARATE KIND=${kind})
endforeach()
clampler_shader(integration_batches tests/integration_batch.frag integration_batch_optimized_6 OPTIMIZED
                DEFINES KIND=6)

integration_test(derivatives)
clampler_shader(integration_derivatives tests/two_triangles.vert integration_two_triangles)
clampler_shader(integration_derivatives tests/integration_derivatives.frag integration_derivatives)
clampler_shader(integration_derivatives tests/integration_derivatives.frag integration_derivatives_alone DEFINES ALONE)
clampler_shader(integration_derivatives tests/integration_derivatives.frag integration_derivatives_dependent
                DEFINES DEPENDENT)
clampler_shader(integration_derivatives tests/integration_derivatives.frag integration_derivatives_separate
                DEFINES SEPARATE)
integration_test(fallback)
add_dependencies(integration_fallback limited_driver)
target_link_libraries(integration_fallback PRIVATE m)
clampler_shader(integration_fallback tests/integration_channels.frag integration_channels)
clampler_shader(integration_fallback tests/integration_channels.frag integration_channels_rows DEFINES ROWS)
clampler_shader(integration_fallback tests/integration_channels.frag integration_channels_separate DEFINES SEPARATE)

integration_test(first_levels)
foreach(kind RANGE 5)
    clampler_shader(integration_first_levels tests/integration_first_levels.frag integration_first_levels_${kind}
                    DEFINES KIND=${kind})
    clampler_shader(integration_first_levels tests/integration_first_levels.frag integration_first_levels_separate_${kind}
                    DEFINES SEPARATE KIND=${kind})
endforeach()

integration_test(cubes)
target_link_libraries(integration_cubes PRIVATE m)
clampler_shader(integration_cubes tests/integration_cube.frag integration_cube)
clampler_shader(integration_cubes tests/integration_cube.frag integration_cube_corners DEFINES CORNERS)
clampler_shader(integration_cubes tests/integration_cube.frag integration_cube_compared DEFINES COMPARED)
clampler_shader(integration_cubes tests/integration_cube.frag integration_cube_compared_separate
                DEFINES COMPARED SEPARATE)
clampler_shader(integration_cubes tests/integration_cube.frag integration_cube_separate DEFINES SEPARATE)

integration_test(untouched SOURCES layers/faults.c)
add_dependencies(integration_untouched fault_layer)
target_link_libraries(integration_untouched PRIVATE ${CMAKE_DL_LIBS} m)
clampler_shader(integration_untouched tests/integration_combined.frag integration_combined)
clampler_shader(integration_untouched tests/integration_single.frag integration_single)

integration_test(host_copies SOURCES shared/host_copy.c)
clampler_shader(integration_host_copies tests/integration_single.frag integration_host_copies)

integration_test(images ABOVE)
integration_test(magnified)
target_link_libraries(integration_magnified PRIVATE m)
clampler_shader(integration_magnified tests/integration_magnified.frag integration_magnified)
clampler_shader(integration_magnified tests/integration_magnified.frag integration_magnified_gradients DEFINES GRADIENTS)
integration_test(texel_buffers ABOVE)
clampler_shader(integration_texel_buffers tests/integration_texels.comp integration_texels)
add_test(NAME integration_texel_buffers_gpu_form COMMAND integration_texel_buffers)
set_tests_properties(integration_texel_buffers_gpu_form PROPERTIES ENVIRONMENT VK_CLAMPLER_GL_SAMPLER_FORM=gpu)

integration_test(offered)
add_dependencies(integration_offered limited_driver)
target_link_libraries(integration_offered PRIVATE m)

integration_test(texture_states)
target_link_libraries(integration_texture_states PRIVATE m)

integration_test(surplus)
add_dependencies(integration_surplus limited_driver)
target_link_libraries(integration_surplus PRIVATE Threads::Threads m)
clampler_shader(integration_surplus tests/integration_single.frag integration_single)
