// page.mjs: the results of a benchmark as one page that needs nothing else.
import { curve, motion, picture } from './figures.mjs';

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const usual = 1; // the level of the usual step
const short = (x) => (x === null || x === undefined ? '-' : x === 0 ? '0' : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e4 ? String(Number(x.toPrecision(2))) : x.toExponential(0).replace('e+', 'e'));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// ms of the processor per second of motion
const cost = (scene, level) => Math.max(1000 * Math.min(...level.times), 1e-4) / scene.until;

// "right", "near" (within ten times what counts as right), "wrong", or "failed"
function word(scene, level) {
    if (!level?.done) return 'failed';
    return level.error <= scene.good ? 'right' : level.error <= 10 * scene.good ? 'near' : 'wrong';
}

// What everything below asks for: runs by scene and column, and the cheapest right one of each engine.
function digest(results) {
    const columns = [];
    for (const engine of results.engines) {
        const profiles = [...new Set(results.runs.filter((r) => r.engine === engine.name).map((r) => r.profile))];
        if (!engine.installed) columns.push({ engine, profile: '', key: engine.name });
        for (const profile of profiles) columns.push({ engine, profile, key: `${engine.name}/${profile}` });
    }
    const runs = new Map(results.runs.map((r) => [`${r.scene}/${r.engine}/${r.profile}`, r]));
    const at = (scene, column) => runs.get(`${scene.name}/${column.engine.name}/${column.profile}`);
    const level = (scene, column, k = usual) => at(scene, column)?.levels.find((l) => l.level === k);
    const cheapest = (scene, engine) => {
        const costs = results.runs.filter((r) => r.scene === scene.name && r.engine === engine)
            .flatMap((r) => r.levels.filter((l) => word(scene, l) === 'right').map((l) => cost(scene, l)));
        return costs.length ? Math.min(...costs) : null;
    };
    const scenes = results.scenes.filter((s) => results.runs.some((r) => r.scene === s.name));
    return { columns, at, level, cheapest, scenes };
}

const absence = (engine) => (engine.built ? 'not run' : 'not installed');

function heading(column) {
    const missing = column.engine.installed ? '' : ' missing';
    return `<th class="engine${missing}">${escape(column.engine.name)}<small>${escape(column.profile || absence(column.engine))}</small></th>`;
}

function errorCell(scene, column, d) {
    if (!column.engine.installed) return '<td class="missing"></td>';
    const run = d.at(scene, column);
    if (!run) return '<td class="none"></td>';
    const l = d.level(scene, column);
    if (l.done) return `<td class="${word(scene, l)}">${short(l.error)}</td>`;
    const cannot = /planar scenes only|not supported|no contact/.test(l.message);
    return `<td class="${cannot ? 'none' : 'failed'}" title="${escape(l.message)}">${cannot ? 'n/a' : 'failed'}</td>`;
}

function errorTable(d) {
    const rows = d.scenes.map((s) => `<tr><th><a href="#${s.name}">${escape(s.title)}</a></th>${d.columns.map((c) => errorCell(s, c, d)).join('')}</tr>`);
    const count = (c, w) => d.scenes.filter((s) => d.level(s, c) && word(s, d.level(s, c)) === w).length;
    const totals = d.columns.map((c) => `<td class="total">${c.engine.installed ? `${count(c, 'right')} of ${d.scenes.filter((s) => d.level(s, c) && !/planar scenes only|not supported|no contact/.test(d.level(s, c).message ?? '')).length}` : ''}</td>`).join('');
    return `<div class="wide"><table class="glance"><thead><tr><th>scene</th>${d.columns.map(heading).join('')}</tr></thead>
<tbody><tr><th>right, of those it can run</th>${totals}</tr>${rows.join('')}</tbody></table></div>`;
}

// the ratio of the cheapest right run of another engine to slipstick's
function costTable(d, engines) {
    const others = engines.filter((e) => e.name !== 'slipstick');
    const rows = d.scenes.map((s) => {
        const own = d.cheapest(s, 'slipstick');
        const cells = others.map((e) => {
            if (!e.installed) return '<td class="missing"></td>';
            const other = d.cheapest(s, e.name);
            if (other === null) return `<td class="none">${own === null ? '-' : 'never right'}</td>`;
            if (own === null) return '<td class="loss">only it</td>';
            const ratio = own / other;
            return `<td class="${ratio > 1.5 ? 'loss' : ratio < 1 / 1.5 ? 'win' : 'even'}">${ratio >= 1 ? `${short(ratio)} x slower` : `${short(1 / ratio)} x faster`}</td>`;
        });
        return `<tr><th><a href="#${s.name}">${escape(s.title)}</a></th><td>${own === null ? 'never right' : short(own)}</td>${cells.join('')}</tr>`;
    });
    return `<div class="wide"><table class="glance"><thead><tr><th>scene</th><th>slipstick<small>ms per s</small></th>${others.map((e) => `<th class="${e.installed ? '' : 'missing'}">against ${escape(e.name)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

// scenes on which slipstick is beaten, and those on which it beats all others, by the same rule
function verdicts(d, engines) {
    const losses = [];
    const wins = [];
    for (const s of d.scenes) {
        const own = d.cheapest(s, 'slipstick');
        const others = engines.filter((e) => e.installed && e.name !== 'slipstick').map((e) => ({ name: e.name, cost: d.cheapest(s, e.name) })).filter((o) => o.cost !== null);
        const best = others.sort((a, b) => a.cost - b.cost)[0];
        const link = `<a href="#${s.name}">${escape(s.title)}</a>`;
        if (best && (own === null || own > 1.5 * best.cost))
            losses.push({ by: own === null ? Infinity : own / best.cost, html: `<li>${link}: ${own === null ? 'not right within the time' : `${short(own / best.cost)} times slower than ${escape(best.name)}`}</li>` });
        else if (own !== null && (!best || best.cost > 1.5 * own))
            wins.push({ by: best ? best.cost / own : Infinity, html: `<li>${link}: ${best ? `${short(best.cost / own)} times faster than ${escape(best.name)}, the next` : 'no other engine is right'}</li>` });
    }
    const list = (items) => items.sort((a, b) => b.by - a.by).map((i) => i.html).join('') || '<li>none</li>';
    return `<div class="pair"><section><h3>Where slipstick loses: ${losses.length} of ${d.scenes.length}</h3><ul>${list(losses)}</ul></section>
<section><h3>Where it wins: ${wins.length} of ${d.scenes.length}</h3><ul>${list(wins)}</ul></section></div>`;
}

function measureTable(d) {
    const done = (c) => d.scenes.map((s) => ({ s, r: d.at(s, c), l: d.level(s, c) })).filter((x) => x.l?.done);
    const worst = (list) => (list.length ? Math.max(...list) : null);
    const rows = [
        ['deepest overlap, m, median', (x) => median(x.map((y) => y.l.penetration))],
        ['deepest overlap, m, worst', (x) => worst(x.map((y) => y.l.penetration))],
        ['energy made, worst', (x) => worst(x.map((y) => y.l.energy).filter((e) => e !== null))],
        ['momentum lost, worst', (x) => worst(x.map((y) => y.l.momentum).filter((e) => e !== null))],
        ['a second run has other bits', (x) => `${x.filter((y) => !y.r.same_bits).length} of ${x.length}`],
        ['two threads give other bits', (x) => (x.some((y) => 'same_bits_on_threads' in y.r) ? `${x.filter((y) => !y.r.same_bits_on_threads).length} of ${x.length}` : 'one thread')],
        ['time of a step, us, median', (x) => median(x.map((y) => (1e6 * Math.min(...y.l.times)) / y.l.steps))],
        ['spread of three times, median', (x) => `${short(100 * median(x.filter((y) => y.l.times.length > 1).map((y) => Math.max(...y.l.times) / Math.max(Math.min(...y.l.times), 1e-9) - 1)))} %`],
        ['time to create, ms, median', (x) => 1000 * median(x.map((y) => y.l.create))],
        ['memory, MB, median', (x) => median(x.map((y) => y.l.memory)) / 1024],
        ['memory, MB, most', (x) => worst(x.map((y) => y.l.memory)) / 1024],
    ];
    const body = rows.map(([title, of]) => `<tr><th>${title}</th>${d.columns.map((c) => {
        if (!c.engine.installed) return '<td class="missing"></td>';
        const value = done(c).length ? of(done(c)) : null;
        return `<td>${typeof value === 'string' ? value : short(value)}</td>`;
    }).join('')}</tr>`);
    const lines = `<tr><th>lines of the adapter</th>${d.columns.map((c) => `<td>${c.engine.lines || '-'}</td>`).join('')}</tr>`;
    return `<div class="wide"><table class="glance"><thead><tr><th>at the usual step</th>${d.columns.map(heading).join('')}</tr></thead><tbody>${body.join('')}${lines}</tbody></table></div>`;
}

function sceneSection(scene, d) {
    const shown = d.columns.filter((c) => d.at(scene, c));
    const rows = shown.map((c) => {
        const l = d.level(scene, c);
        const name = `${escape(c.engine.name)} <small>${escape(c.profile)}</small>`;
        if (!l.done) return `<tr><th>${name}</th><td colspan="7" class="failed">${escape(l.message)}</td></tr>`;
        const spread = l.times.length > 1 ? ` <small>to ${short((1000 * Math.max(...l.times)) / scene.until)}</small>` : '';
        return `<tr><th>${name}</th><td>${Number(l.value.toPrecision(6))}</td><td class="${word(scene, l)}">${short(l.error)}</td><td>${short(l.penetration)}</td><td>${short(l.energy)}</td><td>${short(l.momentum)}</td><td>${short(cost(scene, l))}${spread}</td><td>${short(l.memory / 1024)}</td></tr>`;
    });
    const runs = shown.map((c) => ({ name: c.engine.name, profile: c.profile, run: d.at(scene, c) }));
    return `<section class="scene" id="${scene.name}"><h3>${escape(scene.title)}</h3>
<p>${escape(scene.about)}</p>
<p><b>Truth:</b> ${Number(scene.truth.toPrecision(7))}. ${escape(scene.source)}. Right is within ${short(100 * scene.good)} % of ${Number(scene.scale.toPrecision(3))}. ${scene.fair ? `<b>Fairness:</b> ${escape(scene.fair)}.` : ''}</p>
<div class="figures">${picture(scene, runs)}${curve(scene, runs, cost)}${motion(scene, runs)}</div>
<details><summary>numbers at the usual step</summary><div class="wide"><table><thead><tr><th>engine</th><th>measured</th><th>error</th><th>overlap, m</th><th>energy made</th><th>momentum lost</th><th>ms per s</th><th>MB</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details></section>`;
}

const style = `
:root { color-scheme: light; --ink: #1b1f24; --soft: #59636e; --line: #d8dee4; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); margin: 0 auto; max-width: 1320px; padding: 16px; }
h1 { font-size: 26px; line-height: 1.2; } h2 { margin-top: 40px; } h3 { margin: 0 0 6px; }
p { max-width: 78ch; } small { color: var(--soft); font-weight: 400; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; position: sticky; left: 0; background: #fff; z-index: 1; }
thead th { vertical-align: bottom; } th small { display: block; } tbody th { font-weight: 500; } tbody th small { display: inline; }
.right { background: #d3f0d8; } .near { background: #fdf0c2; } .wrong { background: #fbd5d0; } .failed { background: #5b2330; color: #fff; text-align: left; white-space: normal; }
.missing { background: #e3e6ea; color: #7b838c; } .none { color: #7b838c; } .total { font-weight: 600; }
.loss { background: #fbd5d0; } .win { background: #d3f0d8; } .even { background: #fff; }
.key span { padding: 2px 8px; margin-right: 6px; border-radius: 4px; display: inline-block; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: 16px; }
.pair section { border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px; } .pair ul { margin: 0; padding-left: 18px; }
.scene { border-top: 2px solid var(--line); padding: 18px 0 8px; scroll-margin-top: 8px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 12px; margin-bottom: 8px; }
figure { margin: 0; } figcaption { font-size: 12px; color: var(--soft); } svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
pre { overflow-x: auto; background: #f6f8fa; padding: 10px; border-radius: 6px; font-size: 12px; }
details { margin: 6px 0; } summary { cursor: pointer; color: #0b57b0; } a { color: #0b57b0; }`;

// plays the films that are on the screen
const script = `
for (const svg of document.querySelectorAll('svg[data-film]')) {
  const frames = JSON.parse(svg.dataset.film), bodies = svg.querySelectorAll('[data-body]');
  let k = 0, timer = null;
  const show = () => { const f = frames[k++ % frames.length]; bodies.forEach((b) => { const i = 3 * Number(b.dataset.body);
    b.setAttribute('transform', 'translate(' + f[i] + ' ' + f[i + 1] + ') rotate(' + f[i + 2] + ')'); }); };
  new IntersectionObserver(([e]) => { clearInterval(timer); if (e.isIntersecting) timer = setInterval(show, 90); }).observe(svg);
}`;

/// The page; `codes` has the source of each adapter by name.
export function page(results, codes) {
    const d = digest(results);
    const m = results.machine;
    const versions = results.engines.filter((e) => e.installed).map((e) => `${e.name} ${e.version}`).join(', ');
    const missing = results.engines.filter((e) => !e.installed).map((e) => `${e.name} ${absence(e)}`).join(', ');
    const adapters = results.engines.map((e) => `<details><summary>${escape(e.name)}: ${e.lines} lines of ${escape(e.language ?? (e.file?.endsWith('pp') ? 'C++' : 'C'))}</summary><pre>${escape(codes[e.name])}</pre></details>`);
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Benchmark: friction and impact with known answers</title><style>${style}</style>
<h1>Friction and impact with known answers</h1>
<p>${d.scenes.length} scenes whose answer is known in closed form, run by ${results.engines.filter((e) => e.installed).length} engines, each at its defaults and as its manual recommends. Everything on this page is made by one command, <code>make benchmark</code>, in the source tree of slipstick, whose authors wrote it: run it yourself, and change what you find unfair in <code>bench/engines/settings.txt</code>.</p>
<p><b>Made</b> ${results.made} on ${escape(m.processor)}, ${m.processors} processors, ${m.memory} GB, ${escape(m.system)}. <b>Engines:</b> ${escape(versions)}${missing ? `; ${escape(missing)}` : ''}. Times are of the processor, in one run on this machine, and mean something as ratios only.</p>
<h2>Losses and wins</h2>
<p>The cheapest run of each engine that is right, over its profiles and four steps or tolerances. A factor of 1.5 or less counts as neither.</p>
${verdicts(d, results.engines)}
<h2>Error at the usual step</h2>
<p class="key"><span class="right">right</span><span class="near">within ten times</span><span class="wrong">wrong</span><span class="failed">failed, crashed or too slow</span><span class="missing">not installed or not run</span> n/a: the engine does not have what the scene needs. Errors are relative to the scale of each scene.</p>
${errorTable(d)}
<h2>Cost of a right answer</h2>
<p>Processor time of slipstick per second of motion, in ms, for its cheapest right run, and how it compares with the cheapest right run of the others.</p>
${costTable(d, results.engines)}
<h2>Other measures</h2>
${measureTable(d)}
<h2>Scenes</h2>
<p>In each curve of cost against error, down and to the left is better; a line joins the steps or tolerances of one engine, its defaults solid, the other profile dashed.</p>
${d.scenes.map((s) => sceneSection(s, d)).join('\n')}
<h2>Settings</h2><pre>${escape(results.settings)}</pre>
<h2>Adapters</h2>${adapters.join('\n')}
<script>${script}</script></html>
`;
}
