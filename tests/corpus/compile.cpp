/* SPDX-License-Identifier: MIT */
// corpus_compile: compiles shaders in-process with glslang, for several Vulkan versions, with and without debug
// information and optimised, into one pack (pack.h). A process of its own for each of some two thousand modules would
// take minutes.
//
//   corpus_compile --output PACK --own FOLDER --generated FOLDER    every shader must compile
//   corpus_compile --output PACK --installed FOLDER...              what compiles, compiles
#include "compiler.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

class Writer
{
  public:
    explicit Writer(const char *path) : file(path, std::ios::binary)
    {
        const uint32_t magic = PACK_MAGIC;
        write(&magic, 1);
    }

    // Each module reaches the file at once: should the compiler crash on the next shader, this one is kept.
    void add(const std::string &name, pack_origin origin, unsigned version, pack_variant variant, const Words &words)
    {
        std::vector<uint32_t> padded(name.size() / 4 + 1);
        memcpy(padded.data(), name.data(), name.size());
        uint32_t header[PACK_HEADER_WORDS] = {};
        header[PACK_HEADER_NAME_WORDS] = uint32_t(padded.size());
        header[PACK_HEADER_WORD_COUNT] = uint32_t(words.size());
        header[PACK_HEADER_ENVIRONMENT] = version;
        header[PACK_HEADER_ORIGIN] = origin;
        header[PACK_HEADER_VARIANT] = variant;
        write(header, PACK_HEADER_WORDS);
        write(padded.data(), padded.size());
        write(words.data(), words.size());
        file.flush();
        modules++;
    }

    bool good() const
    {
        return file.good();
    }

    size_t modules = 0;

  private:
    void write(const uint32_t *words, size_t count)
    {
        file.write(reinterpret_cast<const char *>(words), std::streamsize(count * sizeof(*words)));
    }

    std::ofstream file;
};

// -O; for the newest version the other one.
static Recipe recipe_for(const Target &target)
{
    return target.version < 13 ? Recipe::performance : Recipe::size;
}

static bool say_failure(const Source &source, const Target &target, const std::string &log)
{
    fprintf(stderr, "%s: does not compile for Vulkan 1.%u:\n%s\n", source.name.c_str(), target.version - 10,
            log.c_str());
    return false;
}

// SPIR-V 1.4 changed what entry points list, so that one text serves only the two versions before it.
static bool add_assembly(const Source &source, Writer &writer)
{
    for (const Target *target = targets; target->version < 12; target++) {
        std::string log;
        Words words = assemble(source.text, target->tools, log);
        if (words.empty())
            return say_failure(source, *target, log);
        writer.add(source.name, source.origin, target->version, PACK_PLAIN, words);
        words = optimized(words, target->tools, recipe_for(*target));
        if (words.empty())
            return say_failure(source, *target, "spirv-opt -O fails");
        writer.add(source.name, source.origin, target->version, PACK_OPTIMIZED, words);
    }
    return true;
}

// Every Vulkan version plain; one with each kind of debug information and two optimised, which ones going round with
// the shader's number.
static bool add_own(const Source &source, size_t number, Writer &writer)
{
    const size_t first = source.since - 10, count = 4 - first;
    const size_t turn = first + number % count;
    std::string log;

    for (size_t i = first; i < 4; i++) {
        Words words = compile(source, targets[i], PACK_PLAIN, log);
        if (words.empty())
            return say_failure(source, targets[i], log);
        writer.add(source.name, source.origin, targets[i].version, PACK_PLAIN, words);
        if (i != first && i != turn && i != 3)
            continue;
        if (i == turn) {
            for (pack_variant variant : {PACK_DEBUG, PACK_DEBUG_VS}) {
                Words with_debug = compile(source, targets[i], variant, log);
                if (with_debug.empty())
                    return say_failure(source, targets[i], log);
                writer.add(source.name, source.origin, targets[i].version, variant, with_debug);
            }
        }
        if (i != first && i != 3)
            continue;
        words = optimized(words, targets[i].tools, recipe_for(targets[i]));
        if (words.empty())
            return say_failure(source, targets[i], "spirv-opt -O fails");
        writer.add(source.name, source.origin, targets[i].version, PACK_OPTIMIZED, words);
    }
    return true;
}

static size_t add_installed(const std::string &folder, Writer &writer)
{
    const size_t limit = 5000;
    size_t number = 0;
    for (const std::string &path : installed_modules(folder)) {
        std::ifstream file(path, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        Words words(bytes.size() / 4);
        memcpy(words.data(), bytes.data(), words.size() * 4);
        writer.add(path, PACK_INSTALLED, 13, PACK_PLAIN, words);
    }
    std::vector<Source> sources = installed_sources(folder, limit);
    for (const Source &source : sources) {
        const Target &target = targets[number++ % 4];
        std::string log;
        Words words = compile(source, target, PACK_PLAIN, log);
        if (!words.empty())
            writer.add(source.name, PACK_INSTALLED, target.version, PACK_PLAIN, words);
        else if (getenv("CORPUS_VERBOSE"))
            fprintf(stderr, "%s\n%s\n", source.name.c_str(), log.c_str());
    }
    return sources.size();
}

int main(int argc, char **argv)
{
    const char *output = nullptr;
    std::vector<Source> sources;
    std::vector<std::string> installed;
    bool good = true;

    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        const std::string value = argv[i + 1];
        if (option == "--output")
            output = argv[i + 1];
        else if (option == "--installed")
            installed.push_back(value);
        else if (option == "--own" || option == "--generated")
            for (Source &source : project_sources(value, option == "--own" ? PACK_GLSL : PACK_GENERATED))
                sources.push_back(std::move(source));
    }
    if (!output) {
        fprintf(stderr, "usage: %s --output PACK [--own|--generated|--installed FOLDER]...\n", argv[0]);
        return 2;
    }

    Writer writer(output);
    size_t found = 0;
    glslang::InitializeProcess();
    for (size_t i = 0; i < sources.size(); i++)
        good &= sources[i].origin == PACK_ASSEMBLY ? add_assembly(sources[i], writer) : add_own(sources[i], i, writer);
    for (const std::string &folder : installed)
        found += add_installed(folder, writer);
    glslang::FinalizeProcess();
    if (!installed.empty())
        fprintf(stderr, "corpus: %zu shader sources installed, %zu modules from them\n", found, writer.modules);
    good &= writer.good();
    if (!good)
        remove(output);
    return good ? 0 : 1;
}
