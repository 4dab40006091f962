/// files.c: result files hold whole lines at every moment, wherever a process is killed or a disk ends.
#define _POSIX_C_SOURCE 200809L
#include "simulation/run/line_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "test.h"

enum { PAGE = 4096, ROWS = 300, COLUMNS = 3 };
static const char *path; // of the parent: children write the same file

// ------------------------------------------------------- a system that ends the process, or is full, at a
// byte

static long long ends_at = -1; // bytes of all writes after which the process ends, at the border of a page
static long long full_at = -1; // bytes after which the disk is full
static long long so_far;

ssize_t __real_write(int file, const void *bytes, size_t count);
ssize_t __real_pwrite(int file, const void *bytes, size_t count, off_t at);
ssize_t __wrap_write(int file, const void *bytes, size_t count);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t at);

// what Linux does to a process that is killed: what was copied up to the border of a page stays
ssize_t __wrap_write(int file, const void *bytes, size_t count)
{
    if (ends_at >= 0 && so_far + (long long)count > ends_at) {
        const off_t at = lseek(file, 0, SEEK_CUR);
        const size_t room = (size_t)(PAGE - at % PAGE);
        if (count > room) {
            if (__real_write(file, bytes, room) < 0) _exit(1);
            _exit(0);
        }
    }
    if (full_at >= 0 && so_far + (long long)count > full_at) {
        const ssize_t rest = (ssize_t)(full_at - so_far);
        if (rest > 0 && __real_write(file, bytes, (size_t)rest) != rest) return -1;
        so_far += rest;
        if (rest > 0) return rest;
        errno = ENOSPC;
        return -1;
    }
    const ssize_t done = __real_write(file, bytes, count);
    so_far += done > 0 ? done : 0;
    return done;
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t at)
{
    if (ends_at >= 0 && so_far >= ends_at) _exit(0);
    return __real_pwrite(file, bytes, count, at);
}

// ------------------------------------------------------------------------------------------------ lines

static int write_rows(bool wide)
{
    char buffer[8192];
    slip_line_file lines;
    if (!slip_line_file_open(&lines, path, buffer, sizeof buffer)) return errno;
    slip_line_file_text(&lines, "t,x,y");
    for (int k = 0; k < ROWS; k++) {
        slip_line_file_numbers(&lines, (double[COLUMNS]){ k / 7.0, -k / 3.0, 1e-5 * k }, COLUMNS);
        if (wide && k == ROWS / 2) { // longer than a page, and than the buffer
            char *text = malloc(20001);
            assert_non_null(text);
            memset(text, '7', 20000);
            memcpy(text, "1,2,", 4);
            text[20000] = '\0';
            slip_line_file_text(&lines, text);
            free(text);
        }
    }
    slip_line_file_close(&lines);
    return lines.failed;
}

static char *read_all(size_t *size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = malloc(100000);
    assert_non_null(text);
    *size = fread(text, 1, 99999, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

// whole lines of the file as it should be, and behind them at most one that begins with #
static void expect_beginning(const char *whole, const char *text, size_t size, bool comment_allowed)
{
    size_t same = 0;
    while (same < size && text[same] == whole[same]) same++;
    assert_true(same == 0 || text[same - 1] == '\n');
    if (same == size) return;
    assert_true(comment_allowed);
    assert_int_equal(text[same], '#');
    const char *end = strchr(text + same, '\n');
    assert_true(!end || end == text + size - 1);
}

static void lines_are_whole_wherever_a_process_is_killed(void **unused)
{
    (void)unused;
    for (int wide = 0; wide < 2; wide++) {
        size_t size, now;
        int comments = 0;
        assert_int_equal(write_rows(wide), 0);
        char *whole = read_all(&size);
        assert_null(strchr(whole, '#'));
        for (long long at = 0; at < (long long)size; at += 149) {
            const pid_t child = fork();
            if (child == 0) {
                ends_at = at, so_far = 0;
                write_rows(wide);
                _exit(0);
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            char *text = read_all(&now);
            expect_beginning(whole, text, now, true);
            comments += strchr(text, '#') != NULL;
            free(text);
        }
        assert_true(comments > 5); // the test reached what it is about
        free(whole);
    }
    remove(path);
}

static void a_full_disk_leaves_whole_lines(void **unused)
{
    (void)unused;
    for (int wide = 0; wide < 2; wide++) {
        size_t size, now;
        assert_int_equal(write_rows(wide), 0);
        char *whole = read_all(&size);
        for (long long at = 0; at < (long long)size; at += 29) {
            full_at = at, so_far = 0;
            assert_int_equal(write_rows(wide), ENOSPC);
            full_at = -1;
            char *text = read_all(&now);
            expect_beginning(whole, text, now, false);
            free(text);
        }
        free(whole);
    }
    remove(path);
}

int main(void)
{
    path = scratch_path(".csv");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_whole_wherever_a_process_is_killed),
        cmocka_unit_test(a_full_disk_leaves_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
