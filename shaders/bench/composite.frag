#version 450
/* SPDX-License-Identifier: MIT */
/*
 * The last pass of a chain as emulators have it: the picture under a curved glass with its glow and reflection, layers
 * of a cabinet over it, each switched by the user, and a table of colours. 18 lookups are written, most in functions or
 * branches.
 */
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D previous;
layout(set = 0, binding = 2) uniform sampler2D glow;
layout(set = 0, binding = 3) uniform sampler2D mask;
layout(set = 0, binding = 4) uniform sampler2D cabinet;
layout(set = 0, binding = 5) uniform sampler2D decal;
layout(set = 0, binding = 6) uniform sampler2D dirt;
layout(set = 0, binding = 7) uniform sampler2D table;
layout(set = 0, binding = 8) uniform Settings
{
    vec4 sizes; /* of the picture, and one over them */
    vec4 screen;
    float curvature, persistence, glow_strength, mask_strength, reflection, sharpness, table_size, decal_opacity;
    int deconverges, draws_cabinet, draws_decal, draws_dirt, uses_table, is_interlaced;
} settings;
layout(location = 0) out vec4 color;

vec3 linear_light(vec3 c)
{
    return pow(c, vec3(2.2));
}

vec2 curved(vec2 at)
{
    vec2 centred = at * 2.0 - 1.0;
    centred *= 1.0 + settings.curvature * dot(centred.yx, centred.yx);
    return centred * 0.5 + 0.5;
}

vec3 sharp(vec2 at)
{
    vec2 texel = at * settings.sizes.xy;
    vec2 whole = floor(texel) + 0.5;
    vec2 within = clamp((texel - whole) * settings.sharpness, -0.5, 0.5);
    return linear_light(texture(picture, (whole + within) * settings.sizes.zw).rgb);
}

vec3 beam(vec2 at)
{
    if (settings.deconverges != 0) {
        vec2 shift = vec2(settings.sizes.z, 0.0) * 0.5;
        return vec3(linear_light(texture(picture, at - shift).rgb).r, linear_light(texture(picture, at).rgb).g,
                    linear_light(texture(picture, at + shift).rgb).b);
    }
    return sharp(at);
}

vec4 layer(vec4 below, vec4 above, float opacity)
{
    above.a *= opacity;
    return vec4(mix(below.rgb, above.rgb, above.a), max(below.a, above.a));
}

vec3 reflected(vec2 at)
{
    vec2 mirrored = abs(1.0 - abs(at - 1.0));
    vec3 sum = textureLod(glow, mirrored, 2.0).rgb * 2.0;
    sum += textureLod(glow, mirrored + vec2(0.01, 0.0), 3.0).rgb;
    sum += textureLod(glow, mirrored - vec2(0.01, 0.0), 3.0).rgb;
    return sum * 0.25;
}

vec3 through_table(vec3 c)
{
    float slice = c.b * (settings.table_size - 1.0);
    vec2 first = vec2((floor(slice) + c.r) / settings.table_size, c.g);
    vec2 second = vec2((ceil(slice) + c.r) / settings.table_size, c.g);
    return mix(texture(table, first).rgb, texture(table, second).rgb, fract(slice));
}

void main()
{
    vec2 window = gl_FragCoord.xy * settings.screen.zw;
    vec2 at = curved(window);
    bool inside = all(lessThan(abs(at - 0.5), vec2(0.5)));
    vec4 result = vec4(0.0);
    if (inside) {
        vec3 light = beam(at);
        if (settings.is_interlaced != 0 && (int(gl_FragCoord.y) & 1) != 0)
            light = mix(light, beam(at + vec2(0.0, settings.sizes.w)), 0.5);
        if (settings.persistence > 0.0)
            light = max(light, linear_light(texture(previous, at).rgb) * settings.persistence);
        if (settings.glow_strength > 0.0) {
            vec3 wide = texture(glow, at).rgb + textureLod(glow, at, 1.0).rgb;
            light += wide * settings.glow_strength;
        }
        float y = fract(at.y * settings.sizes.y) - 0.5;
        light *= exp2(-8.0 * y * y);
        light *= mix(vec3(1.0), texture(mask, gl_FragCoord.xy / 6.0).rgb, settings.mask_strength);
        result = vec4(light, 1.0);
    } else if (settings.reflection > 0.0) {
        result = vec4(reflected(at) * settings.reflection, 1.0);
    }
    if (settings.draws_dirt != 0) {
        float amount = texture(dirt, window).r;
        result.rgb += amount * textureLod(glow, window, 4.0).rgb;
    }
    if (settings.draws_cabinet != 0) {
        vec4 frame = texture(cabinet, window);
        if (frame.a < 1.0)
            frame.rgb += texture(cabinet, vec2(window.x, 1.0 - window.y)).rgb * 0.1;
        result = layer(result, frame, 1.0);
    }
    if (settings.draws_decal != 0)
        result = layer(result, texture(decal, window * 2.0 - 0.5), settings.decal_opacity);
    vec3 encoded = pow(clamp(result.rgb, 0.0, 1.0), vec3(1.0 / 2.2));
    if (settings.uses_table == 1)
        encoded = through_table(encoded);
    else if (settings.uses_table == 2)
        encoded = mix(encoded, through_table(encoded.gbr), 0.5);
    color = vec4(encoded, 1.0);
}
