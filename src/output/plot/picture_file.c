/// output/plot/picture_file.c: a picture as a file.
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "output/plot/picture.h"

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcmp(path + length - tail, end) == 0;
}

slip_status slip_picture_check_name(const char *path, slip_error *error)
{
    if (ends_in(path, ".svg") || ends_in(path, ".png")) return SLIP_OK;
    return slip_fail(error, SLIP_BAD_ARGUMENT, path, "a picture ends in .svg or .png");
}

static slip_status write_png(const slip_picture *p, const char *path, slip_error *error)
{
    enum { SCALE = 2 };
    int width = (int)(SCALE * p->width), height = (int)(SCALE * p->height);
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    slip_text out = { 0 };
    if (rgb && slip_raster(p, SCALE, rgb, width, height))
        slip_png(&out, rgb, width, height);
    else
        out.failed = true;
    free(rgb);
    slip_status status = SLIP_OK;
    int code = out.failed ? 0 : slip_file_write_atomic_bytes(path, out.data, out.length);
    if (out.failed) status = slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    if (code) status = slip_fail(error, SLIP_IO, path, "%s", strerror(code));
    slip_text_destroy(&out);
    return status;
}

slip_status slip_picture_write(const char *path, const slip_picture *picture, const char *title,
                               slip_error *error)
{
    if (picture->failed) return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    if (!ends_in(path, ".svg")) return write_png(picture, path, error);
    slip_text out = { 0 };
    slip_svg(&out, picture, title);
    return slip_text_write(&out, path, error);
}
