/* SPDX-License-Identifier: MIT */
// How fast is the rewriter, beside SPIRV-Tools' optimizer library that parses the same words and emits them again with
// no pass in between?
//
//   bench_rewrite [--quick|--least] [PACK]   PACK: the corpus; without it, where the build puts it beside this program
//   bench_rewrite --tier1 [PACK]             the rewriter alone, for a profiler; --tier2 likewise
//
// --least: a few modules, once: does it end? Its numbers say nothing.
//
// JSON on stdout, a table on stderr. Rounds of both sides alternate; a figure is the median of the rounds' ratios.
extern "C" {
#include "auto_layout.h"
#include "spirv/spirv.h"
}
#include "pack.h"

#include <spirv-tools/optimizer.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <ctime>
#include <string>
#include <vector>

using Layout = struct auto_layout; // the function has the same name

struct Entry {
    const pack_module *module;
    std::unique_ptr<Layout> layout;
};

struct Set {
    const char *name;
    std::vector<Entry> entries;
    size_t bytes = 0;
};

// Of this thread: what else runs on the machine counts for neither side.
static double now()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

static double seconds(const std::function<void()> &work)
{
    double start = now();
    work();
    return now() - start;
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static void check(bool good, const char *what, const char *name)
{
    if (!good) {
        fprintf(stderr, "bench_rewrite: %s: %s\n", name, what);
        exit(1);
    }
}

// The call that the layer makes: scan, and where something samples, rewrite.
static void rewrite_all(const Set &set, uint32_t tier, spirv_result expected)
{
    spirv_options options = {};
    options.tier = tier;
    options.form = SPIRV_FORM_GPU;
    for (const Entry &entry : set.entries) {
        spirv_output output;
        spirv_result result = spirv_rewrite(entry.module->words, entry.module->word_count, &entry.layout->layout,
                                            &options, nullptr, &output);
        check(result == expected, "not the expected result", entry.module->name);
        free(output.words);
    }
}

static spv_target_env environment_of(const pack_module &module)
{
    switch (module.environment) {
    case 10:
        return SPV_ENV_VULKAN_1_0;
    case 11:
        return SPV_ENV_VULKAN_1_1;
    case 12:
        return SPV_ENV_VULKAN_1_2;
    default:
        return SPV_ENV_VULKAN_1_3;
    }
}

// One optimizer per environment, made outside of the time that is measured.
class Optimizers
{
  public:
    Optimizers()
    {
        for (unsigned i = 0; i < 4; i++) {
            pack_module module = {};
            module.environment = 10 + i;
            optimizers[i] = std::make_unique<spvtools::Optimizer>(environment_of(module));
        }
        options.set_run_validator(false);
    }

    void run_all(const Set &set)
    {
        std::vector<uint32_t> words;
        for (const Entry &entry : set.entries) {
            const pack_module &module = *entry.module;
            words.clear();
            bool good = optimizers[module.environment - 10]->Run(module.words, module.word_count, &words, options);
            check(good && !words.empty(), "the optimizer library failed", module.name);
        }
    }

  private:
    std::unique_ptr<spvtools::Optimizer> optimizers[4];
    spvtools::OptimizerOptions options;
};

struct Figures {
    double mb_per_s;
    double optimizer_mb_per_s;
    double ratio;
};

// `repeat` times our side per round, so that both sides' rounds are long enough for the clock.
static Figures race(const Set &set, uint32_t tier, spirv_result expected, unsigned rounds, unsigned repeat,
                    Optimizers &optimizers)
{
    std::vector<double> ours, theirs, ratios;
    rewrite_all(set, tier, expected);
    optimizers.run_all(set);
    for (unsigned i = 0; i < rounds; i++) {
        double our_time = seconds([&] {
                              for (unsigned j = 0; j < repeat; j++)
                                  rewrite_all(set, tier, expected);
                          }) /
                          repeat;
        double their_time = seconds([&] { optimizers.run_all(set); });
        ours.push_back(double(set.bytes) / our_time / 1e6);
        theirs.push_back(double(set.bytes) / their_time / 1e6);
        ratios.push_back(their_time / our_time);
    }
    return {median(ours), median(theirs), median(ratios)};
}

static void add(Set &set, const pack_module &module)
{
    Entry entry = {&module, std::make_unique<Layout>()};
    auto_layout(module.words, module.word_count, 0, entry.layout.get());
    set.bytes += module.word_count * sizeof(uint32_t);
    set.entries.push_back(std::move(entry));
}

static std::string beside_this_program()
{
    std::error_code error;
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return program.parent_path() / "../../corpus/corpus.pack";
}

int main(int argc, char **argv)
{
    std::string path = beside_this_program();
    unsigned rounds = 21;
    uint32_t alone = 0;
    size_t every = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            rounds = 3;
        else if (strcmp(argv[i], "--least") == 0)
            rounds = 1, every = 16;
        else if (strcmp(argv[i], "--tier1") == 0 || strcmp(argv[i], "--tier2") == 0)
            alone = uint32_t(argv[i][6] - '0');
        else
            path = argv[i];
    }
    struct pack pack;
    if (!pack_read(path.c_str(), &pack))
        return 1;

    // What programs ship: no debug information of the kind that carries the source.
    Set sampling = {"sampling", {}}, others = {"sampling nothing", {}};
    for (size_t i = 0; i < pack.module_count; i += every) {
        const pack_module &module = pack.modules[i];
        spirv_facts facts;
        check(spirv_scan(module.words, module.word_count, &facts) == SPIRV_UNCHANGED, "does not parse", module.name);
        if (module.variant == PACK_DEBUG_VS)
            continue;
        // Modules that only fetch from texel buffers or read input attachments are in neither set,
        if (!facts.samples) {
            if (!spirv_follows_records(&facts))
                add(others, module);
            continue;
        }
        // nor are those that sample cubes alone, which tier 1 leaves as they are.
        auto layout = std::make_unique<Layout>();
        spirv_options options = {};
        spirv_output output;
        auto_layout(module.words, module.word_count, 0, layout.get());
        options.tier = 1;
        spirv_result result =
            spirv_rewrite(module.words, module.word_count, &layout->layout, &options, nullptr, &output);
        free(output.words);
        if (result == SPIRV_REWRITTEN)
            add(sampling, module);
    }
    check(!sampling.entries.empty() && !others.entries.empty(), "nothing to measure", path.c_str());

    if (alone) {
        for (unsigned i = 0; i < 200; i++)
            rewrite_all(sampling, alone, SPIRV_REWRITTEN);
        return 0;
    }
    Optimizers optimizers;
    Figures tier1 = race(sampling, 1, SPIRV_REWRITTEN, rounds, 4, optimizers);
    Figures tier2 = race(sampling, 2, SPIRV_REWRITTEN, every > 1 ? 1 : std::max(3u, rounds / 3), 2, optimizers);
    Figures pass = race(others, 1, SPIRV_UNCHANGED, rounds, 100, optimizers);

    fprintf(stderr, "%-28s %8s %10s %12s %14s %8s\n", "modules", "count", "kB", "ours MB/s", "optimizer MB/s", "ratio");
    auto row = [](const char *name, const Set &set, const Figures &f) {
        fprintf(stderr, "%-28s %8zu %10zu %12.0f %14.1f %8.2f\n", name, set.entries.size(), set.bytes / 1000,
                f.mb_per_s, f.optimizer_mb_per_s, f.ratio);
    };
    row("that sample, tier 1", sampling, tier1);
    row("that sample, tier 2", sampling, tier2);
    row("that sample nothing", others, pass);
    printf(
        "{\"rewrite.mb_per_s\": %.1f, \"rewrite.vs_spirv_opt\": %.2f, \"rewrite.pass_through_vs_spirv_opt\": %.1f}\n",
        tier1.mb_per_s, tier1.ratio, pass.ratio);
    pack_free(&pack);
    return 0;
}
