// figures.mjs: the pictures of a scene: what it looks like, error against cost, motion.
const colours = { slipstick: '#0b57b0', bullet: '#c2410c', ode: '#15803d', box2d: '#a16207', mujoco: '#7e22ce', dart: '#0e7490', simbody: '#be185d', siconos: '#4d5560', chipmunk: '#65a30d' };
const spare = ['#111827', '#9f1239', '#047857'];
const colour = (name, k) => colours[name] ?? spare[k % spare.length];
const width = 420;
const height = 280;
const round = (x, digits = 2) => Number(x.toFixed(digits));

// The picture is the x-z plane; where a scene is flat in it and moves in x and y, the floor plan.
const degrees = (q) => (2 * Math.atan2(q[2], q[0]) * 180) / Math.PI;

function outlook(scene, film) {
    let box = [Infinity, Infinity, -Infinity, -Infinity];
    const grow = (x, z, r) => { box = [Math.min(box[0], x - r), Math.min(box[1], z - r), Math.max(box[2], x + r), Math.max(box[3], z + r)]; };
    scene.shapes.forEach((s, k) => {
        if (s[0] === 3) return;
        const reach = s[0] === 1 ? s[1] : Math.hypot(s[1], s[3]) / 2;
        grow(s[4], s[6], reach);
        for (const f of film ?? []) grow(f[7 * k], f[7 * k + 2], reach);
    });
    const size = Math.max((box[2] - box[0]) / width, (box[3] - box[1]) / height) * 1.15;
    const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    return { scale: 1 / size, x: (x) => width / 2 + (x - middle[0]) / size, y: (z) => height / 2 - (z - middle[1]) / size };
}

function body(s, k, view) {
    const place = `transform="translate(${round(view.x(s[4]))} ${round(view.y(s[6]))}) rotate(${round(degrees(s.slice(7)), 1)})" data-body="${k}"`;
    const look = 'fill="#cfe0f5" stroke="#0b57b0" stroke-width="0.8"';
    if (s[0] === 1) {
        const r = round(s[1] * view.scale);
        return `<g ${place}><circle r="${r}" ${look}/><path d="M0 0H${r}" stroke="#0b57b0" stroke-width="0.8"/></g>`;
    }
    const [w, h] = [s[1] * view.scale, s[3] * view.scale];
    return `<g ${place}><rect x="${round(-w / 2)}" y="${round(-h / 2)}" width="${round(w)}" height="${round(h)}" ${look}/></g>`;
}

// a half-space, seen from the side: its border, and a shade behind it
function plane(s, view) {
    const [x, y] = [view.x(s[4]), view.y(s[6])];
    const n = [s[1], -s[3]];
    const size = Math.hypot(...n);
    if (size < 0.3) return '';
    const [a, b] = [n[0] / size, n[1] / size];
    const far = 2000;
    const points = [[x - b * far, y + a * far], [x + b * far, y - a * far], [x + b * far - a * far, y - a * far - b * far], [x - b * far - a * far, y + a * far - b * far]];
    return `<polygon points="${points.map((p) => p.map((c) => round(c, 1)).join(',')).join(' ')}" fill="#e9e4dc" stroke="#8d7f6a"/>`;
}

/// What the scene looks like, with the motion that slipstick gives it.
export function picture(scene, runs) {
    if (!scene.shapes.length) return '';
    const film = runs.find((r) => r.name === 'slipstick' && r.run.film?.length)?.run.film;
    const view = outlook(scene, film);
    const frames = film?.map((f) => scene.shapes.flatMap((_, k) => [round(view.x(f[7 * k]), 1), round(view.y(f[7 * k + 2]), 1), round(degrees(f.slice(7 * k + 3)), 1)]));
    const large = scene.shapes.length > 1500;
    const drawn = scene.shapes.map((s, k) => (s[0] === 3 ? plane(s, view) : large ? dot(s, view) : body(s, k, view))).join('');
    return `<figure><svg viewBox="0 0 ${width} ${height}"${frames ? ` data-film='${JSON.stringify(frames)}'` : ''}>${drawn}</svg><figcaption>${frames ? 'The motion by slipstick, seen along y' : 'At the start, seen along y'}</figcaption></figure>`;
}

function dot(s, view) {
    const w = round(s[1] * view.scale);
    return `<rect x="${round(view.x(s[4]) - w / 2)}" y="${round(view.y(s[6]) - w / 2)}" width="${w}" height="${w}" fill="#9dbfe8"/>`;
}

const left = 48;
const bottom = 34;
const logTicks = (low, high) => Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, k) => Math.ceil(low) + k).filter((_, k, all) => k % Math.ceil(all.length / 6) === 0);

function legend(entries) {
    return entries.map((e, k) => `<text x="${left + 6 + (k % 4) * 92}" y="${14 + Math.floor(k / 4) * 13}" font-size="11" fill="${e.colour}">${e.name}</text>`).join('');
}

function engineLegend(lines) {
    return legend([...new Set(lines.map((l) => l.name))].map((name) => ({ name, colour: lines.find((l) => l.name === name).colour })));
}

/// Error against cost, both logarithmic; errors below 1e-9 are drawn there.
export function curve(scene, runs, cost) {
    const least = 1e-9;
    const lines = runs.map((r, k) => ({
        name: r.name, dashed: k > 0 && runs[k - 1].name === r.name, colour: colour(r.name, k),
        points: r.run.levels.filter((l) => l.done).map((l) => [Math.log10(Math.max(cost(scene, l), 1e-4)), Math.log10(Math.min(Math.max(l.error, least), 10))]).sort((a, b) => a[0] - b[0]),
    })).filter((l) => l.points.length);
    if (!lines.length) return '';
    const all = lines.flatMap((l) => l.points);
    const [x0, x1] = [Math.min(...all.map((p) => p[0])) - 0.2, Math.max(...all.map((p) => p[0])) + 0.2];
    const [y0, y1] = [Math.min(...all.map((p) => p[1]), Math.log10(scene.good)) - 0.3, Math.max(...all.map((p) => p[1]), Math.log10(scene.good)) + 0.5];
    const head = 14 + 13 * Math.ceil(new Set(lines.map((l) => l.name)).size / 4);
    const x = (v) => round(left + ((v - x0) / (x1 - x0)) * (width - left - 10));
    const y = (v) => round(height - bottom - ((v - y0) / (y1 - y0)) * (height - bottom - head));
    const ticks = logTicks(x0, x1).map((t) => `<path d="M${x(t)} ${head}V${height - bottom}" stroke="#eceff2"/><text x="${x(t)}" y="${height - bottom + 13}" text-anchor="middle">1e${t}</text>`).join('') +
        logTicks(y0, y1).map((t) => `<path d="M${left} ${y(t)}H${width - 10}" stroke="#eceff2"/><text x="${left - 4}" y="${y(t) + 3}" text-anchor="end">1e${t}</text>`).join('');
    const limit = y(Math.log10(scene.good));
    const drawn = lines.map((l) => `<polyline points="${l.points.map((p) => `${x(p[0])},${y(p[1])}`).join(' ')}" fill="none" stroke="${l.colour}" stroke-width="1.6"${l.dashed ? ' stroke-dasharray="4 3"' : ''}/>` +
        l.points.map((p) => `<circle cx="${x(p[0])}" cy="${y(p[1])}" r="2.6" fill="${l.dashed ? '#fff' : l.colour}" stroke="${l.colour}"/>`).join('')).join('');
    return `<figure><svg viewBox="0 0 ${width} ${height}" font-size="10" fill="#59636e">${ticks}<rect x="${left}" y="${limit}" width="${width - left - 10}" height="${Math.max(0, height - bottom - limit)}" fill="#d3f0d8" opacity="0.35"/>${drawn}${engineLegend(lines)}<text x="${(width + left) / 2}" y="${height - 6}" text-anchor="middle">ms of processor per s of motion</text><text transform="translate(11 ${height / 2}) rotate(-90)" text-anchor="middle">error</text></svg><figcaption>Error against cost; green: right</figcaption></figure>`;
}

/// The watched coordinate over time, at the usual step.
export function motion(scene, runs) {
    const lines = runs.map((r, k) => {
        const level = r.run.levels.find((l) => l.level === 1 && l.done);
        return { name: r.name, dashed: k > 0 && runs[k - 1].name === r.name, colour: colour(r.name, k), t: level?.t, x: level?.x };
    }).filter((l) => l.t?.length > 1);
    if (!lines.length) return '';
    // a run that goes astray must not squeeze the others into a line: the axis covers twice what slipstick covers, at least the middle half of all
    const sorted = lines.flatMap((l) => l.x).filter((v) => v !== null).sort((a, b) => a - b);
    const part = (p) => sorted[Math.round(p * (sorted.length - 1))];
    const span = Math.max(part(0.95) - part(0.05), 1e-3);
    const [y0, y1] = [Math.max(part(0), part(0.05) - 0.5 * span), Math.min(part(1), part(0.95) + 0.5 * span)].map((v, k) => v + (k ? 1 : -1) * 0.08 * span);
    const head = 14 + 13 * Math.ceil(new Set(lines.map((l) => l.name)).size / 4);
    const x = (v) => round(left + (v / scene.until) * (width - left - 10));
    const y = (v) => round(height - bottom - ((Math.min(Math.max(v, y0), y1) - y0) / (y1 - y0)) * (height - bottom - head));
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((p) => `<text x="${x(p * scene.until)}" y="${height - bottom + 13}" text-anchor="middle">${Number((p * scene.until).toPrecision(3))}</text>`).join('') +
        [0, 0.5, 1].map((p) => `<path d="M${left} ${y(y0 + p * (y1 - y0))}H${width - 10}" stroke="#eceff2"/><text x="${left - 4}" y="${y(y0 + p * (y1 - y0)) + 3}" text-anchor="end">${Number((y0 + p * (y1 - y0)).toPrecision(3))}</text>`).join('');
    const drawn = lines.reverse().map((l) => `<polyline points="${l.t.map((t, k) => (l.x[k] === null ? '' : `${x(t)},${y(l.x[k])}`)).join(' ')}" fill="none" stroke="${l.colour}" stroke-width="1.4"${l.dashed ? ' stroke-dasharray="4 3"' : ''}/>`).join('');
    return `<figure><svg viewBox="0 0 ${width} ${height}" font-size="10" fill="#59636e">${ticks}${drawn}${engineLegend(lines.reverse())}<text x="${(width + left) / 2}" y="${height - 6}" text-anchor="middle">t, s</text><text transform="translate(11 ${height / 2}) rotate(-90)" text-anchor="middle">${'xyz'[scene.axis]}, m</text></svg><figcaption>What is watched, over time, at the usual step</figcaption></figure>`;
}
