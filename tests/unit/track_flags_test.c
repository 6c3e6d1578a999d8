/* SPDX-License-Identifier: MIT */
/*
 * Flags and usages of images, swapchains, buffers and views in either form (layer/device/objects/resource_flags.h): a
 * row for each, once in the members of the create-info, and once in structures of 64 bits, with members that say
 * otherwise. What the layer does about them is the same, and what the driver gets is in the program's form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "gl/gl_tokens.h"
#include "newer_vulkan.h"
#include "fake_driver.h"
#include "sampling/image.h"
#include "texel_buffers/buffer.h"
#include "texel_buffers/texel_buffers.h"

/* ---- A driver that remembers ---- */

static struct {
    VkFlags64 flags, usage;  /* of what was created last, in the form that counts */
    bool wide;               /* of the flags of images, of the usage of buffers */
    VkFlags narrow;          /* the member that does not count then */
    VkImageUsageFlags asked; /* by questions about formats */
    uint32_t views;          /* alive */
    uint32_t formats;        /* listed of the image */
} got;

static void note_image(const VkImageCreateInfo *info)
{
    got.wide = false;
    got.formats = 0;
    got.flags = got.narrow = info->flags;
    got.usage = info->usage;
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        const void *structure = s;
        if (s->sType == VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR) {
            assert_false(got.wide); /* once */
            got.flags = ((const VkImageCreateFlags2CreateInfoKHR *)structure)->flags;
            got.wide = true;
        } else if (s->sType == VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR) {
            got.usage = ((const VkImageUsageFlags2CreateInfoKHR *)structure)->usage;
        } else if (s->sType == VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO) {
            got.formats = ((const VkImageFormatListCreateInfo *)structure)->viewFormatCount;
        }
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL take_image(VkDevice handle, const VkImageCreateInfo *info,
                                                 const VkAllocationCallbacks *callbacks, VkImage *image)
{
    (void)handle, (void)callbacks;
    note_image(info);
    *image = HANDLE(VkImage, 0x100);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL say_needs(VkDevice handle, const VkDeviceImageMemoryRequirements *info,
                                            VkMemoryRequirements2 *needs)
{
    (void)handle, (void)needs;
    note_image(info->pCreateInfo);
}

static VKAPI_ATTR void VKAPI_CALL say_sparse_needs(VkDevice handle, const VkDeviceImageMemoryRequirements *info,
                                                   uint32_t *count, VkSparseImageMemoryRequirements2 *needs)
{
    (void)handle, (void)needs;
    *count = 0;
    note_image(info->pCreateInfo);
}

static VKAPI_ATTR void VKAPI_CALL say_layout(VkDevice handle, const VkDeviceImageSubresourceInfoKHR *info,
                                             VkSubresourceLayout2EXT *layout)
{
    (void)handle, (void)layout;
    note_image(info->pCreateInfo);
}

static VKAPI_ATTR void VKAPI_CALL drop_image(VkDevice handle, VkImage image, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)image, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_view(VkDevice handle, const VkImageViewCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkImageView *view)
{
    (void)handle, (void)callbacks;
    uint32_t usages = 0;
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext)
        usages += s->sType == VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO ||
                  s->sType == VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR;
    assert_true(got.views == 0 || usages == 1); /* the layer's own has its own, and no other beside it */
    *view = HANDLE(VkImageView, 0x200 + ++got.views);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_view(VkDevice handle, VkImageView view, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    got.views -= view != VK_NULL_HANDLE;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                                     const VkAllocationCallbacks *callbacks, VkSwapchainKHR *swapchain)
{
    (void)handle, (void)info, (void)callbacks;
    *swapchain = HANDLE(VkSwapchainKHR, 0x300);
    return VK_SUCCESS;
}

static VkResult shared_result;

static VKAPI_ATTR VkResult VKAPI_CALL take_swapchains(VkDevice handle, uint32_t count,
                                                      const VkSwapchainCreateInfoKHR *infos,
                                                      const VkAllocationCallbacks *callbacks,
                                                      VkSwapchainKHR *swapchains)
{
    (void)handle, (void)infos, (void)callbacks;
    for (uint32_t i = 0; i < count && shared_result == VK_SUCCESS; i++)
        swapchains[i] = HANDLE(VkSwapchainKHR, 0x310 + i);
    return shared_result;
}

static VKAPI_ATTR void VKAPI_CALL drop_swapchain(VkDevice handle, VkSwapchainKHR swapchain,
                                                 const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)swapchain, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL list_images(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *count,
                                                  VkImage *images)
{
    (void)handle, (void)swapchain;
    *count = 1;
    if (images)
        images[0] = HANDLE(VkImage, 0x400 + (uintptr_t)swapchain); /* each its own */
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    (void)handle, (void)callbacks;
    const VkBufferUsageFlags2CreateInfoKHR *wide =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    got.wide = wide != NULL;
    got.usage = wide ? wide->usage : info->usage;
    got.narrow = info->usage;
    *buffer = HANDLE(VkBuffer, 0x500);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_buffer(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)buffer, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL ask_format(VkPhysicalDevice physical, VkFormat format, VkImageType type,
                                                 VkImageTiling tiling, VkImageUsageFlags usage,
                                                 VkImageCreateFlags flags, VkImageFormatProperties *properties)
{
    (void)physical, (void)format, (void)type, (void)tiling;
    assert_true(flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
    got.asked = usage;
    *properties =
        (VkImageFormatProperties){.maxMipLevels = 16, .maxArrayLayers = 16, .sampleCounts = VK_SAMPLE_COUNT_1_BIT};
    return VK_SUCCESS;
}

static struct instance instance = {.next = {.GetPhysicalDeviceImageFormatProperties = ask_format}};
struct device device;

static int open_track(void **state)
{
    (void)state;
    memset(&got, 0, sizeof(got));
    fake_track_begin();
    device = (struct device){.next = {.CreateImage = take_image,
                                      .DestroyImage = drop_image,
                                      .GetDeviceImageMemoryRequirements = say_needs,
                                      .GetDeviceImageSparseMemoryRequirements = say_sparse_needs,
                                      .GetDeviceImageSubresourceLayoutKHR = say_layout,
                                      .CreateImageView = take_view,
                                      .DestroyImageView = drop_view,
                                      .CreateSwapchainKHR = take_swapchain,
                                      .CreateSharedSwapchainsKHR = take_swapchains,
                                      .DestroySwapchainKHR = drop_swapchain,
                                      .GetSwapchainImagesKHR = list_images,
                                      .CreateBuffer = take_buffer,
                                      .DestroyBuffer = drop_buffer},
                             .instance = &instance,
                             .caps.api_version = VK_API_VERSION_1_3,
                             .caps.image_format_list = true,
                             .caps.texel_buffers = true,
                             .caps.texel.addresses = true,
                             .caps.enabled = {.glSampler = VK_TRUE, .glImageView = VK_TRUE, .glBufferView = VK_TRUE},
                             .track = &track};
    if (!sampling_init(&track) || !texel_buffers_init(&track))
        return -1;
    sampling_read_limits(&track);
    return 0;
}

static int close_track(void **state)
{
    (void)state;
    texel_buffers_finish(&track);
    sampling_finish(&track);
    return 0;
}

/* ---- Images ---- */

enum { SAMPLED = VK_IMAGE_USAGE_SAMPLED_BIT, COLOR = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, ABOVE = 40 };

/* What an image's create-info says, in one form; the other form says the opposite where it does not count. */
struct said {
    VkFlags64 flags, usage, stencil;
    bool says_stencil;
};

struct image_chain {
    VkImageCreateFlags2CreateInfoKHR flags;
    VkImageUsageFlags2CreateInfoKHR usage;
    VkImageStencilUsageCreateInfo stencil;
    VkImageStencilUsage2CreateInfoKHR stencil2;
    VkImageCreateInfo info;
};

static const VkImageCreateInfo *say(const struct said *said, bool wide, VkFormat format, struct image_chain *c)
{
    *c = (struct image_chain){
        .flags = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR, .flags = said->flags},
        .usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR, .usage = said->usage},
        .stencil = {.sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
                    .stencilUsage = (VkImageUsageFlags)(wide ? ~said->stencil : said->stencil)},
        .stencil2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR, .stencilUsage = said->stencil},
        .info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                 .flags = (VkImageCreateFlags)(wide ? ~said->flags : said->flags),
                 .imageType = VK_IMAGE_TYPE_2D,
                 .format = format,
                 .extent = {8, 8, 1},
                 .mipLevels = 1,
                 .arrayLayers = 1,
                 .samples = VK_SAMPLE_COUNT_1_BIT,
                 .usage = (VkImageUsageFlags)(wide ? ~said->usage : said->usage)}};
    c->usage.pNext = said->says_stencil ? &c->stencil : NULL;
    c->stencil.pNext = &c->stencil2;
    c->flags.pNext = &c->usage;
    c->info.pNext = wide ? (void *)&c->flags : NULL;
    if (!wide && said->says_stencil) {
        c->stencil.pNext = NULL;
        c->info.pNext = &c->stencil;
    }
    return &c->info;
}

/* Images of sRGB that are sampled become mutable; what is not sampled, or has what the driver cannot be asked, does
 * not. */
static void images_become_mutable_in_their_own_form(void **state)
{
    (void)state;
    static const struct {
        struct said said;
        bool changes, views;
    } rows[] = {{{.usage = SAMPLED}, true, true},
                {{.usage = COLOR}, false, false},
                {{.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, .usage = SAMPLED}, false, true},
                {{.flags = VK_IMAGE_CREATE_ALIAS_BIT, .usage = SAMPLED | COLOR}, true, true},
                {{.usage = SAMPLED, .stencil = COLOR, .says_stencil = true}, true, true},
                {{.flags = UINT64_C(1) << ABOVE, .usage = SAMPLED}, false, false},
                {{.usage = SAMPLED | UINT64_C(1) << ABOVE}, false, false}};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            const struct said *said = &rows[i].said;
            struct image_chain chain, before;
            VkImage image;
            if (!wide && ((said->flags | said->usage) >> 32))
                continue; /* which the members cannot say */
            const VkImageCreateInfo *info = say(said, wide, VK_FORMAT_R8G8B8A8_SRGB, &chain);
            memcpy(&before, &chain, sizeof(chain));
            got.asked = 0;
            assert_int_equal(hook_CreateImage(NULL, info, NULL, &image), VK_SUCCESS);
            assert_memory_equal(&before, &chain, sizeof(chain)); /* the program's own is as it was */
            assert_int_equal(got.wide, wide);
            assert_true(got.flags == (said->flags | (rows[i].changes ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0u)));
            assert_true(got.usage == said->usage);
            assert_int_equal(got.asked, rows[i].changes ? said->usage : 0);
            assert_int_equal(got.formats, rows[i].changes ? 2 : 0);
            if (wide)
                assert_int_equal(got.narrow, info->flags);
            const struct image *known = image_find(&track, image);
            assert_int_equal(known->unorm_views, rows[i].views);
            assert_true(known->flags == said->flags && known->usage == said->usage);
            assert_true(known->stencil_usage == (said->says_stencil ? said->stencil : said->usage));
            hook_DestroyImage(NULL, image, NULL);
        }
    }
}

/* Places of texels and memory are those of the image that the layer makes, which is another one than the program's. */
static void queries_are_of_the_image_that_is_made(void **state)
{
    (void)state;
    static const struct said rows[] = {{.usage = SAMPLED}, {.usage = SAMPLED | COLOR}, {.usage = COLOR}};
    for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const unsigned wide = i % 2;
        struct image_chain chain;
        VkImage image;
        const VkImageCreateInfo *info = say(&rows[i / 2], wide, VK_FORMAT_R8G8B8A8_SRGB, &chain);
        assert_int_equal(hook_CreateImage(NULL, info, NULL, &image), VK_SUCCESS);
        hook_DestroyImage(NULL, image, NULL);
        const VkFlags64 flags = got.flags;
        const uint32_t formats = got.formats;
        const VkDeviceImageMemoryRequirements needs = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
                                                       .pCreateInfo = info};
        const VkDeviceImageSubresourceInfoKHR part = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO_KHR,
                                                      .pCreateInfo = info};
        uint32_t count;
        for (unsigned query = 0; query < 3; query++) {
            got.flags = ~flags;
            if (query == 0)
                hook_GetDeviceImageMemoryRequirements(NULL, &needs, NULL);
            else if (query == 1)
                hook_GetDeviceImageSparseMemoryRequirements(NULL, &needs, &count, NULL);
            else
                hook_GetDeviceImageSubresourceLayoutKHR(NULL, &part, NULL);
            assert_true(got.flags == flags && got.formats == formats && got.wide == wide);
        }
    }
}

/* ---- Views ---- */

/* A view that needs an auxiliary view has one where it is sampled. */
static void views_have_twins_by_their_own_usage(void **state)
{
    (void)state;
    /* Of the image and of the view; 0: it says nothing. */
    static const struct {
        VkFlags64 image, view;
        bool auxiliary;
    } rows[] = {{SAMPLED, 0, true},
                {COLOR, 0, false},
                {SAMPLED | COLOR, COLOR, false},
                {SAMPLED, SAMPLED, true},
                {SAMPLED | COLOR, SAMPLED, true}};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            const struct said said = {.usage = rows[i].image};
            struct image_chain chain;
            VkImage image;
            VkImageView view;
            assert_int_equal(hook_CreateImage(NULL, say(&said, wide, VK_FORMAT_R8G8B8A8_UNORM, &chain), NULL, &image),
                             VK_SUCCESS);
            VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                           VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                       .target = TOKEN_TEXTURE_2D,
                                                       .internalFormat = 0x8051,
                                                       .baseFormat = TOKEN_RGB /* GL_RGB8, GL_RGB */};
            const VkImageViewUsage2CreateInfoKHR usage2 = {
                .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR, .usage = rows[i].view};
            const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                                      .pNext = wide ? (void *)(uintptr_t)&usage2 : NULL,
                                                      .usage =
                                                          (VkImageUsageFlags)(wide ? ~rows[i].view : rows[i].view)};
            gl.pNext = rows[i].view ? (void *)(uintptr_t)&usage : NULL;
            const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                                .pNext = &gl,
                                                .image = image,
                                                .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
            assert_int_equal(hook_CreateImageView(NULL, &info, NULL, &view), VK_SUCCESS);
            if (got.views != 1u + rows[i].auxiliary)
                print_error("row %u, %s: %u views\n", i, wide ? "wide" : "narrow", got.views);
            assert_int_equal(got.views, 1u + rows[i].auxiliary);
            hook_DestroyImageView(NULL, view, NULL);
            assert_int_equal(got.views, 0);
            hook_DestroyImage(NULL, image, NULL);
        }
    }
}

/* ---- Swapchains ---- */

static void images_of_swapchains_have_the_usage_of_either_form(void **state)
{
    (void)state;
    static const VkFlags64 rows[] = {COLOR, SAMPLED | COLOR, COLOR | VK_IMAGE_USAGE_STORAGE_BIT};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            const VkImageUsageFlags2CreateInfoKHR usage = {
                .sType = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR, .usage = rows[i]};
            const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                                   .pNext = wide ? &usage : NULL,
                                                   .imageFormat = VK_FORMAT_R8G8B8A8_UNORM,
                                                   .imageExtent = {8, 8},
                                                   .imageArrayLayers = 1,
                                                   .imageUsage = (VkImageUsageFlags)(wide ? ~rows[i] : rows[i])};
            VkSwapchainKHR swapchain;
            VkImage image;
            uint32_t count = 1;
            assert_int_equal(hook_CreateSwapchainKHR(NULL, &info, NULL, &swapchain), VK_SUCCESS);
            assert_int_equal(hook_GetSwapchainImagesKHR(NULL, swapchain, &count, &image), VK_SUCCESS);
            const struct image *known = image_find(&track, image);
            assert_true(known->usage == rows[i] && known->stencil_usage == rows[i]);
            assert_int_equal(atomic_load(&known->unseen), (rows[i] & VK_IMAGE_USAGE_STORAGE_BIT) != 0);
            hook_DestroySwapchainKHR(NULL, swapchain, NULL);
        }
    }
}

/* Each has a state of its own, until the program makes an image of the same memory: from then on nothing is known. */
static void images_of_a_swapchain_are_unseen_once_they_have_an_alias(void **state)
{
    (void)state;
    const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .imageFormat = VK_FORMAT_R8G8B8A8_UNORM,
                                           .imageExtent = {8, 8},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    VkImageSwapchainCreateInfoKHR of = {.sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR};
    VkImageCreateInfo alias = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .pNext = &of,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = info.imageFormat,
                               .extent = {8, 8, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .usage = info.imageUsage};
    VkImage image, aliasing;
    uint32_t count = 1;
    assert_int_equal(hook_CreateSwapchainKHR(NULL, &info, NULL, &of.swapchain), VK_SUCCESS);
    assert_int_equal(hook_GetSwapchainImagesKHR(NULL, of.swapchain, &count, &image), VK_SUCCESS);
    const struct image *known = image_find(&track, image);
    const VkSwapchainKHR swapchain = of.swapchain;
    for (uint32_t round = 0; round < 2; round++) {
        of.swapchain = round ? swapchain : VK_NULL_HANDLE;
        assert_int_equal(hook_CreateImage(NULL, &alias, NULL, &aliasing), VK_SUCCESS);
        assert_int_equal(atomic_load(&image_find(&track, aliasing)->unseen), round);
        assert_int_equal(atomic_load(&known->unseen), round);
        hook_DestroyImage(NULL, aliasing, NULL);
    }
    hook_DestroySwapchainKHR(NULL, swapchain, NULL);
}

/* VK_KHR_display_swapchain makes several at once, or none. */
static void swapchains_that_are_created_together_are_known(void **state)
{
    (void)state;
    VkSwapchainCreateInfoKHR infos[2] = {{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR}};
    VkSwapchainKHR swapchains[2];
    VkImage image;
    uint32_t count = 1;
    for (uint32_t i = 0; i < 2; i++) {
        infos[i] = infos[0];
        infos[i].imageFormat = i ? VK_FORMAT_B8G8R8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM;
        infos[i].imageExtent = (VkExtent2D){8 + i, 8};
        infos[i].imageArrayLayers = 1;
        infos[i].imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    }
    const uint64_t before = atomic_load(&track.counters.live_bytes);
    shared_result = VK_ERROR_INCOMPATIBLE_DISPLAY_KHR;
    assert_int_equal(hook_CreateSharedSwapchainsKHR(NULL, 2, infos, NULL, swapchains), shared_result);
    assert_null(swapchains[0]);
    assert_int_equal(atomic_load(&track.counters.live_bytes), before);
    shared_result = VK_SUCCESS;
    assert_int_equal(hook_CreateSharedSwapchainsKHR(NULL, 2, infos, NULL, swapchains), VK_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(hook_GetSwapchainImagesKHR(NULL, swapchains[i], &count, &image), VK_SUCCESS);
        const struct image *known = image_find(&track, image);
        assert_non_null(known);
        assert_true(known->swapchain);
        assert_int_equal(known->format, infos[i].imageFormat);
        assert_int_equal(known->extent.width, 8 + i);
    }
    for (uint32_t i = 0; i < 2; i++)
        hook_DestroySwapchainKHR(NULL, swapchains[i], NULL);
    assert_int_equal(atomic_load(&track.counters.live_bytes), before);
}

/* Memory of others: of this device, or of whoever imports or exports it. */
static void images_that_share_memory_are_unseen(void **state)
{
    (void)state;
    VkExternalMemoryImageCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
    const VkImageCreateFlags flags[] = {0, VK_IMAGE_CREATE_ALIAS_BIT, VK_IMAGE_CREATE_SPARSE_ALIASED_BIT};
    for (uint32_t i = 0; i < 6; i++) {
        const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                        .pNext = &external,
                                        .flags = flags[i % 3],
                                        .imageType = VK_IMAGE_TYPE_2D,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .extent = {8, 8, 1},
                                        .mipLevels = 1,
                                        .arrayLayers = 1,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
        VkImage image;
        external.handleTypes = i / 3 ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT : 0u;
        assert_int_equal(hook_CreateImage(NULL, &info, NULL, &image), VK_SUCCESS);
        assert_int_equal(atomic_load(&image_find(&track, image)->unseen), i > 0);
        assert_int_equal(image_find(&track, image)->shared, i > 0);
        hook_DestroyImage(NULL, image, NULL);
    }
}

/* What is chained says it in many ways; what nobody knows may say it. */
static void images_of_others_in_any_words_are_unseen(void **state)
{
    (void)state;
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkExternalMemoryImageCreateInfoNV nv = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO_NV};
    const VkBaseInStructure metal = {.sType = (VkStructureType)1000311007 /* IMPORT_METAL_TEXTURE_INFO_EXT */},
                            unknown = {.sType = (VkStructureType)1000999999};
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, .viewFormatCount = 1, .pViewFormats = &format};
    const VkImageCompressionControlEXT compression = {.sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT};
    const struct {
        const void *chain;
        VkExternalMemoryHandleTypeFlagsNV handles;
        bool unseen;
    } rows[] = {{&nv, 0, false},   {&nv, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT_NV, true},
                {&metal, 0, true}, {&unknown, 0, true},
                {&list, 0, false}, {&compression, 0, false},
                {NULL, 0, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                        .pNext = rows[i].chain,
                                        .imageType = VK_IMAGE_TYPE_2D,
                                        .format = format,
                                        .extent = {8, 8, 1},
                                        .mipLevels = 1,
                                        .arrayLayers = 1,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
        VkImage image;
        nv.handleTypes = rows[i].handles;
        assert_int_equal(hook_CreateImage(NULL, &info, NULL, &image), VK_SUCCESS);
        assert_int_equal(atomic_load(&image_find(&track, image)->unseen), rows[i].unseen);
        hook_DestroyImage(NULL, image, NULL);
    }
}

/* ---- Buffers ---- */

static void buffers_get_addresses_in_their_own_form(void **state)
{
    (void)state;
    enum {
        TEXELS = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
        OTHER = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
        ADDRESS = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
    };
    static const struct {
        VkFlags64 usage;
        bool changes, tracked;
    } rows[] = {{TEXELS, true, true},
                {TEXELS | ADDRESS, false, true},
                {OTHER, false, false},
                {TEXELS | UINT64_C(1) << ABOVE, true, true}};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            if (!wide && rows[i].usage >> 32)
                continue;
            const VkBufferUsageFlags2CreateInfoKHR usage = {
                .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR, .usage = rows[i].usage};
            const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                             .pNext = wide ? &usage : NULL,
                                             .size = 64,
                                             .usage = (VkBufferUsageFlags)(wide ? ~rows[i].usage : rows[i].usage)};
            VkBuffer buffer;
            assert_int_equal(hook_CreateBuffer(NULL, &info, NULL, &buffer), VK_SUCCESS);
            assert_int_equal(got.wide, wide);
            assert_true(got.usage == (rows[i].usage | (rows[i].changes ? (VkFlags64)ADDRESS : 0)));
            if (wide)
                assert_int_equal(got.narrow, info.usage);
            assert_int_equal(table_find(&subsystems.texel_buffers.buffers, HANDLE_KEY(buffer)) != NULL,
                             rows[i].tracked);
            hook_DestroyBuffer(NULL, buffer, NULL);
        }
    }
}

/* Memory that is shared gets no addresses (track_memory_test.c), and buffers with addresses must not lie in it. */
static void buffers_of_others_get_no_addresses(void **state)
{
    (void)state;
    const VkExternalMemoryBufferCreateInfo nobody = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
    const VkExternalMemoryBufferCreateInfo shared = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                     .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkBaseInStructure collection = {.sType = (VkStructureType)1000366005 /* VkBufferCollection...FUCHSIA */};
    const VkBaseInStructure dedicated = {.sType = VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_BUFFER_CREATE_INFO_NV};
    const struct {
        const void *chain;
        VkBufferCreateFlags flags;
        bool address;
    } rows[] = {{NULL, 0, true},         {NULL, VK_BUFFER_CREATE_PROTECTED_BIT, false},
                {&nobody, 0, true},      {&shared, 0, false},
                {&collection, 0, false}, {&dedicated, 0, false}};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                         .pNext = rows[i].chain,
                                         .flags = rows[i].flags,
                                         .size = 64,
                                         .usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
        VkBuffer buffer;
        assert_int_equal(hook_CreateBuffer(NULL, &info, NULL, &buffer), VK_SUCCESS);
        assert_int_equal((got.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0, rows[i].address);
        hook_DestroyBuffer(NULL, buffer, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(buffers_of_others_get_no_addresses, open_track, close_track),
        cmocka_unit_test_setup_teardown(images_become_mutable_in_their_own_form, open_track, close_track),
        cmocka_unit_test_setup_teardown(queries_are_of_the_image_that_is_made, open_track, close_track),
        cmocka_unit_test_setup_teardown(views_have_twins_by_their_own_usage, open_track, close_track),
        cmocka_unit_test_setup_teardown(images_of_swapchains_have_the_usage_of_either_form, open_track, close_track),
        cmocka_unit_test_setup_teardown(images_of_a_swapchain_are_unseen_once_they_have_an_alias, open_track,
                                        close_track),
        cmocka_unit_test_setup_teardown(images_of_others_in_any_words_are_unseen, open_track, close_track),
        cmocka_unit_test_setup_teardown(images_that_share_memory_are_unseen, open_track, close_track),
        cmocka_unit_test_setup_teardown(swapchains_that_are_created_together_are_known, open_track, close_track),
        cmocka_unit_test_setup_teardown(buffers_get_addresses_in_their_own_form, open_track, close_track),
    };
    return cmocka_run_group_tests_name("track_flags", tests, NULL, NULL);
}
