/* SPDX-License-Identifier: MIT */
#include "source.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

static std::string read_text(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

static std::vector<fs::path> files_under(const std::string &folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end; at.increment(error))
        if (std::error_code no_file; at->is_regular_file(no_file) && !at->is_symlink(no_file))
            files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

static const std::map<std::string, std::string> &stages()
{
    static const std::map<std::string, std::string> by_suffix = {
        {"vert", "vert"},   {"frag", "frag"},   {"comp", "comp"},   {"geom", "geom"},   {"tesc", "tesc"},
        {"tese", "tese"},   {"mesh", "mesh"},   {"task", "task"},   {"rgen", "rgen"},   {"rint", "rint"},
        {"rahit", "rahit"}, {"rchit", "rchit"}, {"rmiss", "rmiss"}, {"rcall", "rcall"},
    };
    return by_suffix;
}

static unsigned since_version(const std::string &text)
{
    size_t at = text.find("// since: 1.");
    return at == std::string::npos ? 10 : 10 + unsigned(text[at + 12] - '0');
}

std::vector<Source> project_sources(const std::string &folder, pack_origin origin)
{
    std::vector<Source> sources;
    for (const fs::path &path : files_under(folder)) {
        Source source;
        fs::path stem = path.filename();
        source.origin = origin;
        if (stem.extension() == ".hlsl" || stem.extension() == ".spvasm") {
            source.origin = stem.extension() == ".hlsl" ? PACK_HLSL : PACK_ASSEMBLY;
            stem = stem.stem();
        }
        std::string suffix = stem.extension().string();
        auto stage = stages().find(suffix.empty() ? suffix : suffix.substr(1));
        if (stage == stages().end())
            continue;
        source.name = path.filename().string();
        source.stage = stage->second;
        source.text = read_text(path);
        source.since = since_version(source.text);
        sources.push_back(source);
    }
    return sources;
}

// What older dialects call by other names, and the built-in variables that Vulkan's dialect does not have.
static std::string old_names(const std::string &stage)
{
    std::string names =
        "#define texture1D texture\n#define texture1DLod textureLod\n#define texture1DProj textureProj\n"
        "#define texture2D texture\n"
        "#define texture2DLod textureLod\n#define texture2DProj textureProj\n"
        "#define texture2DProjLod textureProjLod\n#define texture2DGradARB textureGrad\n"
        "#define texture3D texture\n#define texture3DLod textureLod\n"
        "#define textureCube texture\n#define textureCubeLod textureLod\n"
        "#define shadow2D(s, p) vec4(texture(s, p))\n#define shadow2DProj(s, p) vec4(textureProj(s, p))\n"
        "#define shadow1D(s, p) vec4(texture(s, p))\n";
    if (stage == "vert")
        names +=
            "#define attribute in\n#define varying out\n#define gl_VertexID gl_VertexIndex\n"
            "#define gl_InstanceID gl_InstanceIndex\n"
            "in vec4 old_vertex; in vec3 old_normal; in vec4 old_color; in vec4 old_coord[4]; out vec4 "
            "old_texcoord[4];\n"
            "out vec4 old_front;\n#define gl_Vertex old_vertex\n#define gl_Normal old_normal\n"
            "#define gl_Color old_color\n#define gl_MultiTexCoord0 old_coord[0]\n#define gl_TexCoord old_texcoord\n"
            "#define gl_FrontColor old_front\n"
            "uniform OldMatrices { mat4 old_modelview; mat4 old_projection; mat4 old_mvp; mat3 old_normals; };\n"
            "#define gl_ModelViewMatrix old_modelview\n#define gl_ProjectionMatrix old_projection\n"
            "#define gl_ModelViewProjectionMatrix old_mvp\n#define gl_NormalMatrix old_normals\n"
            "vec4 ftransform() { return old_mvp * old_vertex; }\n";
    if (stage == "frag")
        names += "#define varying in\nout vec4 old_fragment[4];\n#define gl_FragColor old_fragment[0]\n"
                 "#define gl_FragData old_fragment\nin vec4 old_texcoord[4]; in vec4 old_front;\n"
                 "#define gl_TexCoord old_texcoord\n#define gl_Color old_front\n";
    return names;
}

// The same shader in GLSL 4.50: its own #version goes, as do the extensions, which are part of GLSL 4.50 but for the
// sparse ones; the old names come first.
static std::string modernized(const std::string &text, const std::string &stage)
{
    std::string extensions, body;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        size_t at = line.find_first_not_of(" \t");
        std::string rest = at == std::string::npos ? "" : line.substr(at);
        if (rest.rfind("#version", 0) == 0)
            body += "\n";
        else if (rest.rfind("#extension", 0) == 0) {
            if (rest.find("GL_ARB_sparse") != std::string::npos)
                extensions += rest + "\n";
            body += "\n";
        } else if (rest.rfind("precision ", 0) == 0)
            body += "\n";
        else
            body += line + "\n";
    }
    return "#version 450\n" + extensions + old_names(stage) + body;
}

// The stage sections of piglit's format: "[fragment shader]" and so on up to the next line with a bracket.
static std::vector<std::pair<std::string, std::string>> sections(const std::string &text)
{
    static const std::map<std::string, std::string> by_title = {
        {"[vertex shader]", "vert"},
        {"[fragment shader]", "frag"},
        {"[geometry shader]", "geom"},
        {"[compute shader]", "comp"},
        {"[tessellation control shader]", "tesc"},
        {"[tessellation evaluation shader]", "tese"},
    };
    std::vector<std::pair<std::string, std::string>> found;
    std::istringstream lines(text);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line[0] == '[') {
            auto stage = by_title.find(line.substr(0, line.find(']') + 1));
            inside = stage != by_title.end();
            if (inside)
                found.emplace_back(stage->second, "");
        } else if (inside) {
            found.back().second += line + "\n";
        }
    }
    return found;
}

static std::string stage_of(const fs::path &path)
{
    static const std::map<std::string, std::string> other_suffixes = {
        {"fsh", "frag"}, {"vsh", "vert"}, {"fs", "frag"}, {"vs", "vert"},
        {"fp", "frag"},  {"vp", "vert"},  {"cs", "comp"},
    };
    std::string suffix = path.extension().string();
    if (suffix.empty())
        return "";
    suffix.erase(0, 1);
    if (auto stage = stages().find(suffix); stage != stages().end())
        return stage->second;
    auto stage = other_suffixes.find(suffix);
    return stage == other_suffixes.end() ? "" : stage->second;
}

std::vector<Source> installed_sources(const std::string &folder, size_t limit)
{
    const uintmax_t large = 256 * 1024;
    std::vector<Source> sources;
    std::set<std::string> seen;
    auto add = [&](const std::string &name, const std::string &stage, const std::string &text) {
        if (text.find("main") == std::string::npos || text.find("sampler") == std::string::npos)
            return; // a fragment of a shader, or one that samples nothing
        if (sources.size() >= limit || !seen.insert(text).second)
            return;
        Source source;
        source.name = name;
        source.stage = stage;
        source.origin = PACK_INSTALLED;
        source.text = text.find("#version 4") == std::string::npos ? modernized(text, stage) : text;
        sources.push_back(source);
    };
    for (const fs::path &path : files_under(folder)) {
        std::error_code error;
        std::string stage = stage_of(path);
        bool is_test = path.extension() == ".shader_test";
        if ((stage.empty() && !is_test) || fs::file_size(path, error) > large)
            continue;
        std::string text = read_text(path);
        if (!is_test)
            add(path.string(), stage, text);
        else
            for (auto &[section_stage, section] : sections(text))
                add(path.string() + ":" + section_stage, section_stage, section);
    }
    return sources;
}

std::vector<std::string> installed_modules(const std::string &folder)
{
    std::vector<std::string> modules;
    for (const fs::path &path : files_under(folder))
        if (path.extension() == ".spv" || path.extension() == ".spirv")
            modules.push_back(path.string());
    return modules;
}
