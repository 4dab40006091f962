// usual.js: what a curve spans when its rare peaks are left out.
import { within } from "./data.js";

// Zero and what all but one in fifty of the values that are not zero stay within; null when there are too few of them.
export function usualRange(curves, from, to) {
    const sizes = { low: [], high: [] };
    for (const { xs, ys } of curves) {
        const [begin, end] = within(xs, from, to);
        for (let i = begin; i < end; i++)
            if (ys[i] > 0) sizes.high.push(ys[i]);
            else if (ys[i] < 0) sizes.low.push(-ys[i]);
    }
    const all = sizes.low.length + sizes.high.length;
    if (all < 50) return null;
    const most = (list) => (list.length < all / 50 ? 0 : list.sort((a, b) => a - b)[Math.floor(0.98 * (list.length - 1))]);
    const [low, high] = [most(sizes.low), most(sizes.high)];
    return low + high > 0 ? [-low, high] : null;
}
