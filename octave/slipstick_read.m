## r = slipstick_read (DIRECTORY)
##
## What `slipstick run ... -o DIRECTORY` wrote, as a structure:
##
##   r.names    names of the columns, {"t", "x", "x'"}
##   r.data     one row per recorded time
##   r.t        the times, s
##   r.column   a function: r.column ("x'") is a column by its name
##   r.events   a structure array with t, element, kind, text
##   r.summary  summary.json, where jsondecode is there (Octave 7 and later), else []
##
## Example:
##
##   system ("slipstick run bouncing-ball -o out");
##   r = slipstick_read ("out");
##   plot (r.t, r.column ("y"));
function r = slipstick_read (directory)
  if (nargin != 1 || ! ischar (directory))
    error ("slipstick_read: the directory of a run is needed");
  endif
  text = fileread (fullfile (directory, "trajectory.csv"));
  lines = strsplit (strtrim (text), "\n");
  lines = lines(! strncmp (lines, "#", 1));  # a line that a killed run did not finish
  r.names = strsplit (strtrim (lines{1}), ",");
  rows = sprintf ("%s,", lines{2:end});
  r.data = reshape (sscanf (strrep (rows, ",", " "), "%f"), numel (r.names), [])';
  r.t = r.data(:, 1);
  r.column = @(name) column (r.names, r.data, name);
  r.events = events (fullfile (directory, "events.csv"));
  r.summary = [];
  if (exist ("jsondecode"))
    r.summary = jsondecode (fileread (fullfile (directory, "summary.json")));
  endif
endfunction

function values = column (names, data, name)
  k = find (strcmp (names, name));
  if (isempty (k))
    error ("slipstick_read: there is no column '%s'; there are %s", name, strjoin (names, ", "));
  endif
  values = data(:, k);
endfunction

## t,element,kind,text,numbers: a text may hold commas and stands in quotes then
function found = events (path)
  found = struct ("t", {}, "element", {}, "kind", {}, "text", {});
  if (! exist (path, "file"))
    return;
  endif
  lines = strsplit (strtrim (fileread (path)), "\n");
  for k = 2:numel (lines)
    if (strncmp (lines{k}, "#", 1))
      continue;
    endif
    fields = regexp (lines{k}, '^([^,]*),([^,]*),([^,]*),("(?:[^"]|"")*"|[^,]*)', "tokens", "once");
    text = fields{4};
    if (strncmp (text, "\"", 1))
      text = strrep (text(2:end-1), "\"\"", "\"");
    endif
    found(end + 1) = struct ("t", str2double (fields{1}), "element", fields{2}, "kind", fields{3}, "text", text);
  endfor
endfunction
