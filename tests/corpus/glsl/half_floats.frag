#version 450
#extension GL_AMD_gpu_shader_half_float : enable
#extension GL_AMD_gpu_shader_half_float_fetch : enable
layout(set = 0, binding = 0) uniform f16sampler2D source;
layout(location = 0) in vec2 coord;
layout(location = 0) out vec4 color;
void main()
{
    f16vec4 c = texture(source, coord);
    color = vec4(c * c);
}
