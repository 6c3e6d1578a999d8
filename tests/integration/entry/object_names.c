/* SPDX-License-Identifier: MIT */
/*
 * Names that a program gives its objects: messengers get them with the objects that a message is about, lines of the
 * log show them, and they end with the name, the object or the pool that it came from. Run under a thread sanitizer,
 * too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gl/gl_tokens.h"
#include "harness/device/environment.h"
#include "integration/shared/scene.h"
#include "integration_object_names_compute.h"
#include "integration_object_names_single.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

struct fixture {
    struct scene scene;
    VkDebugUtilsMessengerEXT messenger;
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    char log[64];
};

/* ---- What the layer's last message was about ---- */

static struct {
    uint32_t count;
    VkObjectType type;
    uint64_t handle;
    bool named;
    char name[512];
} last;

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types, (void)user;
    if (!data->pMessageIdName || strcmp(data->pMessageIdName, "CLAMPLER") != 0)
        return VK_FALSE;
    memset(&last, 0, sizeof(last));
    last.count = data->objectCount;
    if (data->objectCount) {
        last.type = data->pObjects[0].objectType;
        last.handle = data->pObjects[0].objectHandle;
        last.named = data->pObjects[0].pObjectName != NULL;
        snprintf(last.name, sizeof(last.name), "%s", last.named ? data->pObjects[0].pObjectName : "");
    }
    return VK_FALSE;
}

/* What is not dispatched is a number of 64 bits in 32-bit programs. */
#define HANDLE_OF(handle) ((uint64_t)(handle))

/* ---- The fixture ---- */

static void open_fixture(struct fixture *f, const char *layers)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = listen};
    memset(f, 0, sizeof(*f));
    memset(&last, 0, sizeof(last));
    snprintf(f->log, sizeof(f->log), "object_names.%d.log", (int)getpid());
    remove(f->log);
    harness_vulkan_hold_driver();
    setenv("VK_CLAMPLER_LOG_FILE", f->log, 1);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = layers});
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    const VkInstance instance = f->scene.vk.instance;
    const PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
    f->destroy_messenger =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT");
    f->set_name =
        (PFN_vkSetDebugUtilsObjectNameEXT)vkGetDeviceProcAddr(f->scene.vk.device, "vkSetDebugUtilsObjectNameEXT");
    assert_non_null(f->set_name);
    HARNESS_VK(create(instance, &info, NULL, &f->messenger));
}

static void close_fixture(struct fixture *f)
{
    f->destroy_messenger(f->scene.vk.instance, f->messenger, NULL);
    scene_close(&f->scene);
    remove(f->log);
}

static void give_name(const struct fixture *f, VkObjectType type, uint64_t handle, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                .objectType = type,
                                                .objectHandle = handle,
                                                .pObjectName = name};
    const VkResult result = f->set_name(f->scene.vk.device, &info);
    if (name) /* Mesa 22.3 takes NULL for a lack of memory */
        HARNESS_VK(result);
}

/* Whether a line of the log, so far, holds all three. */
static bool logged(const struct fixture *f, const char *first, const char *second, const char *third)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen(f->log, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof(line), file))
        found = strstr(line, first) && strstr(line, second) && strstr(line, third);
    fclose(file);
    return found;
}

/* ---- Calls that the layer refuses, with a message about an object ---- */

/* About the image: the feature glImageView is not enabled. */
static void refuse_view(const struct fixture *f, const struct harness_image *image)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .target = TOKEN_TEXTURE_RECTANGLE};
    VkImageViewCreateInfo info = harness_image_view_info(image);
    VkImageView view = VK_NULL_HANDLE;
    info.pNext = &gl;
    assert_int_equal(vkCreateImageView(f->scene.vk.device, &info, NULL, &view), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.type, VK_OBJECT_TYPE_IMAGE);
    assert_int_equal(last.handle, HANDLE_OF(image->image));
}

/* About the command buffer: the feature alphaToOneAttachments is not enabled. */
static void refuse_commands(const struct fixture *f, VkCommandBuffer commands)
{
    const VkCommandBufferInheritanceGLStateCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER};
    const VkCommandBufferInheritanceInfo inherits = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &gl, .renderPass = f->scene.target.pass};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inherits};
    assert_int_equal(vkBeginCommandBuffer(commands, &begin), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.type, VK_OBJECT_TYPE_COMMAND_BUFFER);
    assert_int_equal(last.handle, (uint64_t)(uintptr_t)commands);
}

static VkCommandBuffer secondary_of(const struct fixture *f, VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    HARNESS_VK(vkAllocateCommandBuffers(f->scene.vk.device, &info, &commands));
    return commands;
}

static VkCommandPool make_pool(const struct fixture *f)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = f->scene.vk.family};
    VkCommandPool pool = VK_NULL_HANDLE;
    HARNESS_VK(vkCreateCommandPool(f->scene.vk.device, &info, NULL, &pool));
    return pool;
}

static const struct harness_image_params small = {
    .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1};
static const uint32_t texel = 0;

/* ---- Tests ---- */

static void messengers_get_the_name_of_what_a_message_is_about(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f, NULL);
    const struct harness_image *image = &f.scene.textures[SCENE_RAMP];
    refuse_view(&f, image);
    assert_false(last.named);

    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), "ramp");
    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(f.scene.textures[SCENE_STEPS].image), "steps");
    refuse_view(&f, image);
    assert_string_equal(last.name, "ramp");
    assert_true(logged(&f, "vkCreateImageView", "image \"ramp\" 0x", "glImageView"));
    refuse_view(&f, &f.scene.textures[SCENE_STEPS]);
    assert_string_equal(last.name, "steps");

    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), "the ramp, \"renamed\"\n\x1b[31m\xff");
    refuse_view(&f, image);
    assert_string_equal(last.name, "the ramp, \"renamed\"\n\x1b[31m\xff");
    assert_true(logged(&f, "image \"the ramp, 'renamed'??[31m?\" 0x", "", ""));
    assert_false(logged(&f, "\x1b", "", ""));

    char name[400], cut[257];
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = 0;
    snprintf(cut, sizeof(cut), "%.252s...", name);
    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), name);
    refuse_view(&f, image);
    assert_string_equal(last.name, cut);

    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), "");
    refuse_view(&f, image);
    assert_false(last.named);
    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), "again");
    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), NULL);
    refuse_view(&f, image);
    assert_false(last.named);

    const VkCommandPool pool = make_pool(&f);
    const VkCommandBuffer commands = secondary_of(&f, pool);
    give_name(&f, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)(uintptr_t)commands, "shadows");
    refuse_commands(&f, commands);
    assert_string_equal(last.name, "shadows");
    assert_true(logged(&f, "vkBeginCommandBuffer", "command buffer \"shadows\" 0x", ""));
    vkDestroyCommandPool(f.scene.vk.device, pool, NULL);
    close_fixture(&f);
}

static void the_log_names_samplers_views_and_pipelines(void **state)
{
    struct fixture f;
    struct scene_program program;
    (void)state;
    open_fixture(&f, NULL);
    scene_program_create(&f.scene, &program, HARNESS_SPIRV(integration_object_names_single), &single_binding, 1, 0,
                         NULL);
    give_name(&f, VK_OBJECT_TYPE_SAMPLER, HANDLE_OF(f.scene.samplers[SCENE_MIXED]), "mixed sampler");
    give_name(&f, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE_OF(f.scene.textures[SCENE_STEPS].view), "view of steps");
    give_name(&f, VK_OBJECT_TYPE_PIPELINE, HANDLE_OF(program.pipeline), "sky pipeline");
    const VkDescriptorSet set = harness_set(&f.scene.vk, program.set_layout);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_MIXED, SCENE_STEPS);
    scene_draw(&f.scene, program.pipeline, program.layout, 1, &set);
    assert_int_equal(f.scene.drew[2], 1);
    assert_true(logged(&f, "sampler state", "sampler \"mixed sampler\" 0x", "image view \"view of steps\" 0x"));
    char views[64];
    snprintf(views, sizeof(views), "(VkFormat %d): ", (int)f.scene.textures[SCENE_STEPS].params.format);
    assert_true(logged(&f, "image view \"view of steps\" 0x", " with views like ", views));
    assert_true(logged(&f, "compiled tier 2 of a pipeline", "pipeline \"sky pipeline\" 0x", ""));
    scene_program_destroy(&f.scene, &program);
    close_fixture(&f);
}

/* What is said of a sampler's state is said of no view, and names none. */
static void the_log_says_what_a_sampler_does_alone(void **state)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, SAMPLER, 1);
    struct fixture f;
    (void)state;
    open_fixture(&f, NULL);
    const VkDescriptorSetLayout layout = harness_set_layout(&f.scene.vk, &binding, 1);
    const VkDescriptorSet set = harness_set(&f.scene.vk, layout);
    give_name(&f, VK_OBJECT_TYPE_SAMPLER, HANDLE_OF(f.scene.samplers[SCENE_MIXED]), "mixed sampler");
    scene_write(&f.scene, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_MIXED, SCENE_STEPS);
    assert_true(logged(&f, "sampler state", "sampler \"mixed sampler\" 0x", " alone: "));
    assert_false(logged(&f, "sampler state", "image view", ""));
    vkDestroyDescriptorSetLayout(f.scene.vk.device, layout, NULL);
    close_fixture(&f);
}

/* A sampler's state outlives it in another one's, and what is said of that names the view alone. */
static void the_log_names_no_sampler_that_is_gone(void **state)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_MIRROR_CLAMP,
                                                   .wrapT = TOKEN_CLAMP,
                                                   .wrapR = TOKEN_REPEAT,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000};
    static const struct harness_image_params integers = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UINT, .width = 1, .height = 1};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    struct harness_image image;
    struct fixture f;
    (void)state;
    open_fixture(&f, NULL);
    const VkDevice device = f.scene.vk.device;
    const VkDescriptorSetLayout layout = harness_set_layout(&f.scene.vk, &single_binding, 1);
    const VkDescriptorSet set = harness_set(&f.scene.vk, layout);
    give_name(&f, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE_OF(f.scene.textures[SCENE_STEPS].view), "view of steps");
    harness_image_create(&f.scene.vk, &image, &integers, &texel);
    give_name(&f, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE_OF(image.view), "view of integers");
    const VkSampler older = harness_sampler(&f.scene.vk, &info), newer = harness_sampler(&f.scene.vk, &info);
    vkDestroySampler(device, newer, NULL);
    harness_write_image(&f.scene.vk, set, 0, 0, SCENE_COMBINED, older, f.scene.textures[SCENE_STEPS].view);
    assert_true(logged(&f, "sampler state", "image view \"view of steps\" 0x", ""));
    assert_false(logged(&f, "sampler 0x", "image view \"view of steps\" 0x", ""));
    const VkSampler newest = harness_sampler(&f.scene.vk, &info);
    harness_write_image(&f.scene.vk, set, 0, 0, SCENE_COMBINED, older, image.view);
    assert_true(logged(&f, "sampler state", "sampler 0x", "image view \"view of integers\" 0x"));
    harness_image_destroy(&f.scene.vk, &image);
    vkDestroySampler(device, newest, NULL);
    vkDestroySampler(device, older, NULL);
    vkDestroyDescriptorSetLayout(device, layout, NULL);
    close_fixture(&f);
}

static void the_log_names_shader_modules(void **state)
{
    static const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    struct fixture f;
    VkDescriptorSetLayout set;
    VkPipeline pipeline = VK_NULL_HANDLE;
    (void)state;
    setenv("VK_CLAMPLER_TIERS", "eager", 1); /* so that the module is there when it is rewritten */
    setenv("VK_CLAMPLER_VALIDATE_REWRITES", "true", 1);
    harness_environment_plant("invalid_module");
    open_fixture(&f, NULL);
    harness_environment_plant(NULL);
    unsetenv("VK_CLAMPLER_VALIDATE_REWRITES");
    unsetenv("VK_CLAMPLER_TIERS");
    const VkDevice device = f.scene.vk.device;
    HARNESS_VK(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set));
    const VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, &set, 1, 0);
    const VkShaderModule module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_object_names_compute));
    give_name(&f, VK_OBJECT_TYPE_SHADER_MODULE, HANDLE_OF(module), "fog.comp");
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = module,
                                                        .pName = "main"},
                                              .layout = layout};
    HARNESS_VK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    assert_int_equal(last.type, VK_OBJECT_TYPE_SHADER_MODULE);
    assert_int_equal(last.handle, HANDLE_OF(module));
    assert_string_equal(last.name, "fog.comp");
    assert_true(logged(&f, "is not valid and not used", "shader module \"fog.comp\" 0x", ""));
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set, NULL);
    close_fixture(&f);
}

/* Without validation handles are the driver's, which come again. Those that never do are not told apart. */
static void a_handle_that_comes_again_has_no_name_of_before(void **state)
{
    struct fixture f;
    unsigned images = 0, buffers = 0;
    (void)state;
    open_fixture(&f, "clampler");
    struct harness_image image;
    harness_image_create(&f.scene.vk, &image, &small, &texel);
    for (int i = 0; i < 32; i++) {
        const uint64_t before = HANDLE_OF(image.image);
        give_name(&f, VK_OBJECT_TYPE_IMAGE, before, "gone");
        harness_image_destroy(&f.scene.vk, &image);
        harness_image_create(&f.scene.vk, &image, &small, &texel);
        refuse_view(&f, &image);
        assert_false(last.named);
        images += HANDLE_OF(image.image) == before;
    }
    harness_image_destroy(&f.scene.vk, &image);

    VkCommandPool pool = make_pool(&f);
    VkCommandBuffer commands = secondary_of(&f, pool);
    for (int i = 0; i < 32; i++) {
        const uint64_t before = (uint64_t)(uintptr_t)commands;
        give_name(&f, VK_OBJECT_TYPE_COMMAND_BUFFER, before, "gone");
        if (i % 2) {
            vkFreeCommandBuffers(f.scene.vk.device, pool, 1, &commands);
        } else {
            vkDestroyCommandPool(f.scene.vk.device, pool, NULL);
            pool = make_pool(&f);
        }
        commands = secondary_of(&f, pool);
        refuse_commands(&f, commands);
        assert_false(last.named);
        buffers += (uint64_t)(uintptr_t)commands == before;
    }
    vkDestroyCommandPool(f.scene.vk.device, pool, NULL);
    print_message("%u of 32 images and %u of 32 command buffers came again\n", images, buffers);
    assert_true(images || buffers);
    close_fixture(&f);
}

enum { THREADS = 4, ROUNDS = 200, NAMED = 24 };

static void *name_and_destroy(void *user)
{
    const struct fixture *f = user;
    const VkDevice device = f->scene.vk.device;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    for (int round = 0; round < ROUNDS; round++) {
        VkSampler samplers[NAMED];
        for (int i = 0; i < NAMED; i++) {
            HARNESS_VK(vkCreateSampler(device, &info, NULL, &samplers[i]));
            give_name(f, VK_OBJECT_TYPE_SAMPLER, HANDLE_OF(samplers[i]), "one of many");
        }
        for (int i = 0; i < NAMED; i++)
            vkDestroySampler(device, samplers[i], NULL);
    }
    return NULL;
}

static void threads_name_and_destroy_at_once(void **state)
{
    struct fixture f;
    pthread_t threads[THREADS];
    (void)state;
    open_fixture(&f, "clampler");
    const struct harness_image *image = &f.scene.textures[SCENE_RAMP];
    give_name(&f, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(image->image), "ramp");
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, name_and_destroy, &f), 0);
    for (int i = 0; i < ROUNDS; i++) {
        refuse_view(&f, image);
        assert_string_equal(last.name, "ramp");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    close_fixture(&f);
}

static void devices_have_names_of_their_own(void **state)
{
    struct fixture one, other;
    (void)state;
    open_fixture(&one, NULL);
    give_name(&one, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(one.scene.textures[SCENE_RAMP].image), "ramp of one");
    open_fixture(&other, NULL);
    give_name(&other, VK_OBJECT_TYPE_IMAGE, HANDLE_OF(other.scene.textures[SCENE_RAMP].image), "ramp of the other");
    refuse_view(&one, &one.scene.textures[SCENE_RAMP]);
    assert_string_equal(last.name, "ramp of one");
    refuse_view(&other, &other.scene.textures[SCENE_RAMP]);
    assert_string_equal(last.name, "ramp of the other");
    close_fixture(&other);
    refuse_view(&one, &one.scene.textures[SCENE_RAMP]);
    assert_string_equal(last.name, "ramp of one");
    close_fixture(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messengers_get_the_name_of_what_a_message_is_about),
        cmocka_unit_test(the_log_names_samplers_views_and_pipelines),
        cmocka_unit_test(the_log_says_what_a_sampler_does_alone),
        cmocka_unit_test(the_log_names_no_sampler_that_is_gone),
        cmocka_unit_test(the_log_names_shader_modules),
        cmocka_unit_test(a_handle_that_comes_again_has_no_name_of_before),
        cmocka_unit_test(threads_name_and_destroy_at_once),
        cmocka_unit_test(devices_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
