#include "plot_args.h"

#include <stdlib.h>

#include "model_files.h"

static bool fail(const cli_args *args, const char *name, const char *wanted)
{
    cli_report_usage(args, "--%s wants %s, got '%.80s'", name, wanted, cli_args_text(args, name));
    return false;
}

static bool read_time(const cli_args *args, const char *name, double *time)
{
    if (!cli_args_has(args, name) || cli_read_time(cli_args_text(args, name), time)) return true;
    return fail(args, name, "a time, as in 0.5 or 20ms");
}

bool cli_view_times(const cli_args *args, double *from, double *to)
{
    return read_time(args, "from", from) && read_time(args, "to", to);
}

bool cli_view_size(const cli_args *args, int *width, int *height)
{
    enum { LARGEST = 1000000 };
    if (!cli_args_has(args, "size")) return true;
    char *end;
    const long w = strtol(cli_args_text(args, "size"), &end, 10);
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < 1 || h < 1 || w > LARGEST || h > LARGEST) return fail(args, "size", "WxH, as in 640x480");
    *width = (int)w, *height = (int)h;
    return true;
}
