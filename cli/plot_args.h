/// view_args.h: options that plot and animate share: a part of the run, and a size.
#ifndef SLIPSTICK_CLI_VIEW_ARGS_H
#define SLIPSTICK_CLI_VIEW_ARGS_H

#include "args.h"

/// --from and --to, which stay as they are when not given. False, with a message, when they are no times.
bool cli_view_times(const cli_args *args, double *from, double *to);

/// --size WxH, the same. Whether that is a possible size is for others to say.
bool cli_view_size(const cli_args *args, int *width, int *height);

#endif
