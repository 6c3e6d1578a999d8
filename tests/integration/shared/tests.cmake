# SPDX-License-Identifier: MIT
# What tests of several folders draw, and what they check.
add_library(integration_scene STATIC shared/scene.c shared/parts.c)
target_link_libraries(integration_scene PUBLIC clampler_harness ${CMOCKA} PRIVATE clampler_warnings m)
clampler_shader(integration_scene tests/fullscreen.vert integration_fullscreen)

add_library(integration_conversion STATIC shared/conversion.c)
target_link_libraries(integration_conversion PUBLIC clampler_harness PRIVATE clampler_warnings)
