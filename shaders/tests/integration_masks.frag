#version 450
/* SPDX-License-Identifier: MIT */
/* Row by row one of 24 combined image samplers, all looked up in one block, or (BLOCKS) each in a block of its own. */
layout(push_constant) uniform Chosen
{
    int first; /* unit of row 0 */
    float t;
} chosen;
layout(set = 0, binding = 0) uniform sampler2D units[16];
layout(set = 0, binding = 2) uniform sampler2D more[8];
layout(location = 0) out vec4 color;
#ifdef BLOCKS
#define LOOK(unit, number)                                                                                             \
    if (chosen.t > -float(number) - 9.0)                                                                               \
        found = mix(found, texture(unit, at).r, float(shown == number));
#else
#define LOOK(unit, number) found = mix(found, texture(unit, at).r, float(shown == number));
#endif
#define FOUR(array, element, number)                                                                                   \
    LOOK(array[element], number)                                                                                       \
    LOOK(array[element + 1], number + 1)                                                                               \
    LOOK(array[element + 2], number + 2)                                                                               \
    LOOK(array[element + 3], number + 3)
void main()
{
    vec2 at = vec2(gl_FragCoord.x * 3.0 / 8.0 - 1.0, chosen.t);
    int shown = chosen.first + int(gl_FragCoord.y);
    float found = 0.0;
    FOUR(units, 0, 0)
    FOUR(units, 4, 4)
    FOUR(units, 8, 8)
    FOUR(units, 12, 12)
    FOUR(more, 0, 16)
    FOUR(more, 4, 20)
    color = vec4(found, 0.0, 0.0, 1.0);
}
