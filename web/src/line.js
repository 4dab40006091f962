// line.js: the path of a curve with very many points. Where several points fall on one column of pixels, the path goes
// through the first, the least, the greatest and the last of them: nothing that could be seen is left out.
import { within } from "./data.js";

// xs not decreasing; px, py take values to pixels. Numbers that are not finite break the curve, or are passed over where
// a quantity is known at some of the times only (`span`). Returns a Path2D.
export function curve(xs, ys, from, to, px, py, span = false) {
    const path = new Path2D();
    let [begin, end] = within(xs, from, to);
    while (span && begin > 0 && !Number.isFinite(ys[begin])) begin--;
    while (span && end < xs.length && !Number.isFinite(ys[end - 1])) end++;
    let column = NaN;
    let first = 0,
        low = 0,
        high = 0,
        last = 0;
    let pen = false;

    function put(x, y) {
        if (pen) path.lineTo(x, y);
        else path.moveTo(x, y);
        pen = true;
    }
    function flush() {
        if (Number.isNaN(column)) return;
        put(column, first);
        if (high > low) {
            put(column, low);
            put(column, high);
        }
        if (last !== first) put(column, last);
    }
    // sparse points keep their exact place, crowded ones share a column
    const crowded = end - begin > 2 * Math.abs(px(to) - px(from));
    for (let i = begin; i < end; i++) {
        const value = ys[i];
        if (!Number.isFinite(value)) {
            if (span) continue;
            flush();
            column = NaN;
            pen = false;
            continue;
        }
        const x = crowded ? Math.round(px(xs[i])) : px(xs[i]);
        const y = py(value);
        if (x !== column) {
            flush();
            [column, first, low, high, last] = [x, y, y, y, y];
        } else {
            if (y < low) low = y;
            if (y > high) high = y;
            last = y;
        }
    }
    flush();
    // a lone sample is a dot, since a line of no length is not drawn
    if (end - begin === 1 && pen) path.arc(column, first, 2, 0, 2 * Math.PI);
    return path;
}
