// report.test.mjs: reports as the program writes them, in a browser: the numbers on the page are those of the run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, open, out, picture, settle } from "./browser.mjs";
import { contrasts, names } from "./inspect.mjs";

const program = process.env.SLIPSTICK;
let browser;

before(async () => {
    mkdirSync(out, { recursive: true });
    browser = await launch();
});
after(() => browser?.close());

// slipstick ARGS --report FILE --json: the file and the object.
function report(name, ...args) {
    const file = path.join(out, `${name}.html`);
    const { status, stdout, stderr } = spawnSync(program, [...args, "--report", file, "--json"], {
        encoding: "utf8",
        maxBuffer: 1 << 26,
    });
    assert.ok(status === 0 || status === 1, `${args.join(" ")}: ${stderr}`);
    return { file, said: JSON.parse(stdout) };
}

// Opens a report in both themes, and fails on anything that is wrong in it.
async function look(name, file, body) {
    const { page, trouble, close } = await open(browser, file, { height: 2400 });
    try {
        assert.deepEqual(await names(page), []);
        await body(page);
        await page.screenshot({ path: path.join(out, `${name}.png`) });
        assert.deepEqual(await contrasts(page), []);
        await page.emulateMedia({ colorScheme: "dark" });
        await settle(page);
        assert.deepEqual(await contrasts(page), []);
        assert.deepEqual(trouble, []);
    } finally {
        await close();
    }
}

const count = (text) => Number(text.replaceAll("\u2009", ""));
const fact = (page, name) =>
    page
        .locator(".fact", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) })
        .locator("dd")
        .textContent();

// What every run must show, whatever the model.
async function checkRun(page, said) {
    assert.equal(await page.locator("h1").textContent(), said.model);
    assert.match(await fact(page, "Formulation"), new RegExp(said.formulation));
    assert.equal(count(await fact(page, "Steps")), said.steps);
    assert.equal(count(await fact(page, "Events")), said.events);
    assert.ok((await page.locator(".found li").count()) > 0);
    assert.ok((await page.locator("#plots .plot-row").count()) > 0);
    await page.keyboard.press("End");
    await settle(page);
    const end = Number((await page.locator(".clock .now").textContent()).replaceAll("−", "-"));
    assert.ok(Math.abs(end - said.state.t) <= 1e-3 * said.state.t, `${end} is not ${said.state.t}`);
}

async function checkMoves(page) {
    await page.keyboard.press("Home");
    await settle(page);
    const scene = await picture(page, ".stage-canvas");
    assert.ok(scene.painted > 500, "nothing is drawn");
    await page.keyboard.press("Shift+ArrowRight");
    for (let k = 0; k < 20; k++) await page.keyboard.press("Shift+ArrowRight");
    await settle(page);
    assert.notEqual((await picture(page, ".stage-canvas")).sum, scene.sum, "the animation stands still");
}

test("slider-crank: time stepping, impacts, energies", async () => {
    const { file, said } = report("slider-crank", "run", "flores/slider-crank", "--until", "0.05");
    await look("slider-crank", file, async (page) => {
        await checkRun(page, said);
        await checkMoves(page);
        await page.locator(".kind", { hasText: "impact" }).click();
        assert.ok((await page.locator(".events tbody tr").count()) > 0);
        assert.match(await page.locator(".ledger-table").textContent(), /impact/);
        assert.equal(await page.locator(".legs tbody tr").count(), 4);
    });
});

test("sphere: contacts that give way, drawn in space", async () => {
    const { file, said } = report("sphere", "run", "kikuuwe/sphere", "--until", "0.2");
    await look("sphere", file, async (page) => {
        await checkRun(page, said);
        await checkMoves(page);
        assert.equal(await page.locator(".band .piece.trusted").count(), 1); // green up to the horizon only
        assert.equal(await page.locator(".band .piece.doubtful").count(), said.trust === "doubtful" ? 1 : 0);
        assert.equal(await page.locator(".trust-word").textContent(), said.trust);
    });
});

test("heap: of hundreds of states the first are shown, and forces between bodies at the press of a button", async () => {
    const { file, said } = report("heap", "run", "many-body/heap", "--until", "0.4", "--no-companion");
    await look("heap", file, async (page) => {
        await checkRun(page, said);
        const states = page.locator(".pairs", { has: page.locator("h3", { hasText: "State at the end" }) });
        const total = Object.keys(said.state).length;
        assert.ok(total > 300);
        assert.equal(await states.locator("tr:visible").count(), 24);
        assert.equal(await states.locator("summary").textContent(), `${total - 24} more`);
        await states.locator("summary").click();
        assert.equal(await states.locator("tr:visible").count(), total);
        const forces = page.locator(".stage-tools button", { hasText: "Forces" });
        assert.equal(await forces.getAttribute("aria-pressed"), "false");
        const bodies = (await picture(page, ".stage-canvas")).sum;
        await forces.click();
        await settle(page);
        assert.equal(await forces.getAttribute("aria-pressed"), "true");
        assert.notEqual((await picture(page, ".stage-canvas")).sum, bodies);
    });
});

test("rod: a verdict on the rigid contact", async () => {
    const { file, said } = report("rod", "run", "song/rod-case1");
    await look("rod", file, async (page) => {
        await checkRun(page, said);
        await checkMoves(page);
        assert.equal(await page.locator(".trust-word").textContent(), said.trust);
        assert.match(await fact(page, "Rigid contacts"), new RegExp(said.verdict.worst));
        assert.ok((await page.locator(`.band .piece.${said.verdict.worst}`).count()) > 0);
    });
});

test("rod of case 2: several solutions are said first and seen in the band", async () => {
    const { file, said } = report("rod2", "run", "song/rod-case2");
    await look("rod2", file, async (page) => {
        assert.equal(said.verdict.worst, "ambiguous");
        assert.ok((await page.locator(".band .piece.ambiguous").count()) > 0);
        assert.match(await page.locator(".verdict-card").textContent(), /3 solutions/);
    });
});

test("two masses and a conveyor: an inclusion, without energies", async () => {
    const { file, said } = report("conveyor", "run", "xiong/two-masses-conveyor");
    await look("conveyor", file, async (page) => {
        await checkRun(page, said);
        await checkMoves(page);
        assert.match(await page.locator("#energy").textContent(), /no masses/);
    });
});

test("table: forces of the legs with their bounds", async () => {
    const { file } = report("table", "run", "classics/table", "-f", "gauss", "--until", "0.05");
    await look("table", file, async (page) => {
        assert.equal(await page.locator(".legs tbody tr").count(), 4);
        assert.equal(await page.locator(".legs .whisker").count(), 4);
        assert.match(await page.locator(".legs").textContent(), /not unique/);
    });
});

test("comparison: every formulation that ran can be focused", async () => {
    const { file, said } = report("compare", "compare", "song/rod-case1");
    const ran = said.formulations.filter((entry) => entry.applies).map((entry) => entry.formulation);
    await look("compare", file, async (page) => {
        assert.equal(await page.locator(".comparison tbody tr").count(), said.formulations.length);
        assert.deepEqual((await page.locator(".chip button").allTextContents()).sort(), [...ran].sort()); // the one to be trusted comes first
        for (const name of ran) {
            await page.locator(".chip button", { hasText: new RegExp(`^${name}$`) }).click();
            assert.match(await fact(page, "Formulation"), new RegExp(`^${name}$`));
        }
    });
});

test("map of domains", async () => {
    const { file } = report("map", "analyze", "gomez/painleve-rod", "--map", "th=0.1:3.04:40,th'=-2.5:2.5:31");
    await look("map", file, async (page) => {
        assert.ok((await page.locator(".map-legend li").count()) >= 3);
        assert.ok((await picture(page, "#map canvas")).painted > 10000);
    });
});

test("fit: parameters, data over model", async () => {
    const data = path.join(out, "line.csv");
    const model = path.join(out, "line.yaml");
    writeFileSync(data, "t,x\n1,2.01\n2,3.98\n3,6.01\n4,8.02\n5,9.98\n");
    writeFileSync(
        model,
        "slipstick: 1\nname: line\nparameters: {v: 1}\ncoordinates: {x: {start: 0, rate: v}}\nenergy: {kinetic: 0.5*x'^2}\nrun: {formulation: lcp, until: 10}\n",
    );
    const { file, said } = report("fit", "fit", model, data, "--free", "v");
    assert.ok(Math.abs(said.value[0] - 109.98 / 55) < 1e-6);
    await look("fit", file, async (page) => {
        assert.match(await page.locator("#parameters").textContent(), /1\.99963/);
        assert.equal(await page.locator("#fit .plot").count(), 2);
    });
});

test("a run of a million steps is a report of a few megabytes", async () => {
    const { file, said } = report("long", "run", "flores/slider-crank", "--step", "2e-7");
    assert.ok(said.steps >= 1e6 * 0.99);
    assert.ok(statSync(file).size < 8e6, `${statSync(file).size} bytes`);
    await look("long", file, (page) => checkRun(page, said));
});

test("a sweep: every run with its verdict and its command", async () => {
    const model = path.join(out, "ball.yaml");
    writeFileSync(
        model,
        "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\nforces: {y: -9.81}\n" +
            "contacts: {floor: {gap: y, restitution: e}}\nrun: {until: 1}\n",
    );
    const args = ["sweep", model, "-f", "lcp", "--distribution", "h=uniform:0.5:2", "--random", "40", "--strobe", "0.1"];
    const { file, said } = report("sweep", ...args, "--over", "e=0.5,7");
    assert.equal(said.refused, 40);
    await look("sweep", file, async (page) => {
        assert.match(await page.locator(".first").textContent(), /40 of 80 runs are trusted, 40 could not begin/);
        // half of the runs have no answer: a probability lies between what the others say and what these could
        assert.match(await page.locator("#distribution .map-readout").textContent(), /between 0\.2\d* and 0\.7\d* whatever the 40 runs/);
        const command = await page.locator(".run-details code").textContent();
        assert.match(command, /^slipstick run '.*ball.yaml' -f lcp .*--set 'e=7' --set 'h=[0-9.]+'$/);
        assert.equal(await page.locator("#bands canvas").count(), 1);
    });
    const grid = report("sweep-map", "sweep", model, "-f", "lcp", "--over", "e=0.3:0.8:6", "--over", "h=1:2:5");
    await look("sweep-map", grid.file, async (page) => {
        assert.match(await page.locator("#diagram .note").textContent(), /30 runs; all are trusted/);
        await page.locator("#diagram canvas").click({ position: { x: 70, y: 380 } }); // the lowest cell at the left
        assert.match(await page.locator(".run-details code").textContent(), /--set 'e=0.3' --set 'h=1'$/);
    });
});

test("a branch of cycles: diagram, multipliers, the motion; a special point shows its orbit", async () => {
    const model = path.join(out, "oscillator.yaml");
    writeFileSync(
        model,
        "slipstick: 1\nname: Impact oscillator\nparameters: {z: 0.05, w: 1.7, c: 0.5, r: 0.8}\ncoordinates: {x: {}}\n" +
            "energy: {kinetic: x'^2/2, potential: x^2/2}\nforces: {x: cos(w*t) - 2*z*x'}\n" +
            "contacts: {wall: {gap: c - x, restitution: r}}\nrun: {until: 200}\n",
    );
    const { file, said } = report("cycle", "cycle", model, "--period", "2*pi/w", "--along", "w=1.7:2");
    await look("cycle", file, async (page) => {
        assert.equal(await page.locator("#branches canvas").count(), 1);
        assert.equal(await page.locator("#multipliers canvas").count(), 1);
        assert.equal(await page.locator("#orbit canvas").count(), 1);
        const all = [said, ...said.branches].flatMap((branch) => branch.points).filter((point) => point.special);
        assert.equal(await page.locator("#special tbody tr").count(), all.length);
        const fold = all.find((point) => point.special === "fold");
        await page.locator("#special button", { hasText: "fold" }).click();
        const shown = await page.locator(".facts-table tr", { has: page.locator("th", { hasText: /^w$/ }) }).locator("td").textContent();
        assert.ok(Math.abs(Number(shown) - fold.value) < 1e-8);
    });
});
