// derived.js: bands from derivatives that a run carried along: where a quantity goes when the parameters are others by a little.

export const SHARE = 0.01; // of each parameter

const known = new WeakMap();

// Of each parameter the change of a channel; those that a run was not differentiated to, and starts, have none.
function slopes(run, name) {
    const parameters = run.summary.settings?.parameters ?? {};
    return (run.summary.sensitivity?.to ?? []).flatMap((to) => {
        const channel = run.channel(`d(${name})/d(${to})`);
        return channel && parameters[to] ? [{ to, values: channel.values, by: SHARE * Math.abs(parameters[to]) }] : [];
    });
}

function find(run, channel) {
    const parts = slopes(run, channel.name);
    if (!parts.length) return null;
    const width = channel.values.map((_, i) => parts.reduce((sum, { values, by }) => sum + by * Math.abs(values[i]), 0));
    return {
        above: channel.values.map((value, i) => value + width[i]),
        below: channel.values.map((value, i) => value - width[i]),
        names: parts.map(({ to }) => to),
    };
}

// { above, below, names } of a channel, null without derivatives: all parameters at the unfavourable ends, to first order.
export function bandOf(run, channel) {
    if (!run.summary.sensitivity) return null;
    if (!known.has(channel)) known.set(channel, find(run, channel));
    return known.get(channel);
}
