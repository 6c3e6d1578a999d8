/* SPDX-License-Identifier: MIT */
/* The page: one self-contained HTML file, pictures as PNG in data URIs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "differential/report.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Differential suite</title><style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24;"
    "background:#fff}\n"
    "table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .9rem;text-align:right;border-bottom:1px solid "
    "#d8dde3}\nth:first-child,td:first-child{text-align:left}\n.bad{color:#b00020;font-weight:600}.odd{color:#8a5a00}\n"
    "article{border:1px solid #d8dde3;border-radius:6px;padding:.8rem 1rem;margin:1rem 0}\n"
    "article h3{margin:0 0 .3rem;font-size:1rem}article p{margin:.2rem 0;overflow-wrap:anywhere}\n"
    ".row{display:flex;gap:1rem;flex-wrap:wrap;margin-top:.6rem}figure{margin:0}\n"
    "figcaption{font-size:.85rem;color:#555}img{image-rendering:pixelated;width:224px;height:224px;border:1px solid "
    "#999;display:block}\n"
    ".none{width:224px;height:224px;border:1px dashed #999;display:flex;align-items:center;justify-content:center;"
    "color:#777;font-size:.85rem;text-align:center}\n"
    "</style></head><body>\n";

static void write_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

static void write_base64(FILE *file, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t left = (uint32_t)(size - i), word = (uint32_t)bytes[i] << 16;
        word |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= left > 2 ? bytes[i + 2] : 0u;
        fputc(digits[word >> 18], file);
        fputc(digits[word >> 12 & 63], file);
        fputc(left > 1 ? digits[word >> 6 & 63] : '=', file);
        fputc(left > 2 ? digits[word & 63] : '=', file);
    }
}

/* GL's first row is at the bottom; so is the pictures'. */
static void write_picture(FILE *file, const char *caption, const uint8_t *rgb)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = CASE_GRID, .height = CASE_GRID, .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = harness_alloc(size, 1);
    if (!png_image_write_to_memory(&image, bytes, &size, 0, rgb, -(png_int_32)(CASE_GRID * 3), NULL))
        harness_fail("cannot make a PNG: %s", image.message);
    fprintf(file, "<figure><img alt=\"%s\" src=\"data:image/png;base64,", caption);
    write_base64(file, bytes, size);
    fprintf(file, "\"><figcaption>%s</figcaption></figure>\n", caption);
    free(bytes);
}

static void write_missing(FILE *file, const char *caption, const char *why)
{
    fprintf(file, "<figure><div class=\"none\">%s</div><figcaption>%s</figcaption></figure>\n", why, caption);
}

static void write_case(FILE *file, const struct report_picture *picture)
{
    const struct judgement *judgement = &picture->judgement;
    bool failed = judgement->verdict == VERDICT_FAILED;
    char text[1024];
    case_describe(&picture->one, text, sizeof(text));
    fprintf(file, "<article><h3 class=\"%s\">%s: %s</h3><p>", failed ? "bad" : "odd", family_name(picture->one.family),
            failed ? "failed" : "a driver deviates");
    write_text(file, text);
    fprintf(file, "</p><p>Tier %d. First at pixel %u, %u. ", judgement->tier, judgement->first % CASE_GRID,
            judgement->first / CASE_GRID);
    if (failed)
        write_text(file, judgement->why);
    else
        fprintf(file, "Values off: OpenGL %u, Vulkan driver %u. ", judgement->gl_deviates.count,
                judgement->vulkan_deviates.count);
    if (!failed && judgement->gl_deviates.count && judgement->gl)
        write_text(file, judgement->gl->evidence);
    if (!failed && judgement->vulkan_deviates.count && judgement->vulkan)
        write_text(file, judgement->vulkan->evidence);
    fputs("</p><div class=\"row\">\n", file);
    if (judgement->reference_alone)
        write_missing(file, "OpenGL", "cannot express it here");
    else
        write_picture(file, "OpenGL", picture->pixels[0]);
    write_picture(file, "Vulkan with the layer", picture->pixels[1]);
    if (judgement->has_reference)
        write_picture(file, "Reference sampler", picture->pixels[2]);
    else
        write_missing(file, "Reference sampler", "does not model it");
    write_picture(file,
                  judgement->reference_alone ? "Vulkan and reference: difference times 4"
                                             : "Vulkan and OpenGL: difference times 4",
                  picture->pixels[3]);
    fputs("</div></article>\n", file);
}

static void write_row(FILE *file, const char *name, const struct report_family *family)
{
    fprintf(file,
            "<tr><td>%s</td><td>%u</td><td class=\"%s\">%u</td><td class=\"%s\">%u</td><td>%u</td><td>%u / %u / %u</td>"
            "</tr>\n",
            name, family->total - family->failed - family->deviating, family->failed ? "bad" : "", family->failed,
            family->deviating ? "odd" : "", family->deviating, family->reference_alone, family->tiers[0],
            family->tiers[1], family->tiers[2]);
}

void report_write_page(const struct report *report, const char *path)
{
    struct report_family sum = report_total(report);
    FILE *file = fopen(path, "w");
    if (!file)
        harness_fail("cannot write %s", path);
    fputs(head, file);
    fprintf(file, "<h1>Differential suite: ");
    write_text(file, report->profile);
    fputs("</h1><p>Vulkan: ", file);
    write_text(file, report->driver);
    fputs("<br>OpenGL: ", file);
    write_text(file, report->gl);
    fprintf(file,
            "<br>%u cases of %zu values each in %.1f s, seed %u; %u more have no place on this device.</p>\n<table>"
            "<tr><th>Family</th><th>passed</th><th>failed</th><th>deviating driver</th><th>reference alone</th><th>"
            "drawn by tier 0 / 1 / 2</th></tr>\n",
            sum.total, VOICES_VALUES, report->seconds, report->seed, report->skipped);
    for (int i = 0; i < FAMILIES; i++)
        if (report->families[i].total)
            write_row(file, family_name((enum family)i), &report->families[i]);
    write_row(file, "all", &sum);
    fputs("</table>\n", file);
    fputs(report->picture_count ? "<h2>Cases that fail or deviate</h2>\n" : "<p>Nothing fails or deviates.</p>\n",
          file);
    for (int failed = 1; failed >= 0; failed--)
        for (size_t i = 0; i < report->picture_count; i++)
            if ((report->pictures[i].judgement.verdict == VERDICT_FAILED) == failed)
                write_case(file, &report->pictures[i]);
    fputs("</body></html>\n", file);
    if (fclose(file) != 0)
        harness_fail("cannot write %s", path);
}
