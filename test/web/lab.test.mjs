// lab.test.mjs: the laboratory as the program writes it, in a browser: typing, mistakes, sliders, links, hostile models, every shipped model.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open, out, settle } from "./browser.mjs";
import { contrasts, names } from "./inspect.mjs";
import { native } from "./samebits.mjs";

const program = process.env.SLIPSTICK;
const models = fileURLToPath(new URL("../../models", import.meta.url));
const MOST = 1.5e6; // bytes of a laboratory without models
let browser;

before(async () => {
    mkdirSync(out, { recursive: true });
    browser = await launch();
});
after(() => browser?.close());

function lab(name, ...args) {
    const file = path.join(out, `${name}.html`);
    const { status, stderr } = spawnSync(program, ["lab", ...args, "-o", file, "-q"], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return file;
}

// Opens a laboratory and waits for its first run; afterwards nothing may have gone wrong in it.
async function inLab(file, body, options = {}) {
    const { page, trouble, close } = await open(browser, file, { width: 1440, height: 900, ...options });
    try {
        await page.waitForSelector("#page[data-ready]");
        await idle(page);
        await body(page);
        assert.deepEqual(
            trouble.filter((one) => !one.startsWith("request: blob:")),
            [],
        );
    } finally {
        await close();
    }
}

// Nothing is computed any more, and nothing will be.
const idle = (page) => page.waitForFunction(() => /Computed|mistake|cannot run/.test(document.querySelector(".status-line")?.textContent));
const status = (page) => page.locator(".status-line > span").textContent();
const value = (page, key) => page.locator(`[data-key="${key}"] .value-field`);

async function type(page, text) {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(text);
}

const BALL = `slipstick: 1
name: Ball
parameters: {h: 1 m, e: 0.5}
coordinates: {y: {start: h}}
mass: {y: 1}
forces: {y: -9.81}
contacts: {floor: {gap: y, restitution: e}}
run: {until: 1}
draw: {ball: {circle: [0, y, 0.05]}}
`;

const ball = () => {
    mkdirSync(out, { recursive: true });
    const file = path.join(out, "ball.yaml");
    writeFileSync(file, BALL);
    return lab("ball", file);
};

// seconds that two resolutions of one number may differ by: rows of a run are that far apart
const firstImpact = (page) => page.locator("table.events tbody tr").first().locator("td, th").first().textContent();

test("a laboratory without models is small, opens with one of its own, and is readable in both themes", async () => {
    const file = lab("empty");
    assert.ok(statSync(file).size <= MOST, `${statSync(file).size} bytes`);
    await inLab(file, async (page) => {
        assert.match(await page.locator(".trust-word").textContent(), /trusted/);
        assert.deepEqual(await names(page), []);
        assert.deepEqual(await contrasts(page), []);
        await page.emulateMedia({ colorScheme: "dark" });
        await settle(page);
        assert.deepEqual(await contrasts(page), []);
    });
});

test("mistakes are shown at their places as one types, and the last good picture stays", () =>
    inLab(ball(), async (page) => {
        await type(page, BALL.replace("mass:", "mas:"));
        await page.waitForSelector(".messages .error");
        assert.match(await page.locator(".messages").textContent(), /line 5, column 1.*unknown key 'mas'.*did you mean 'mass'/);
        assert.equal(await page.locator(".cm-lintRange-error").first().textContent(), "mas");
        assert.equal(await page.locator("#page.lab-stale").count(), 1);
        assert.ok((await page.locator(".stage canvas").count()) > 0);
        await type(page, BALL.replace("until: 1", "until: 2"));
        await page.waitForFunction(() => document.querySelector(".clock .of")?.textContent.includes("2.000"));
        assert.equal(await page.locator("#page.lab-stale").count(), 0);
        assert.equal(await page.locator(".messages li").count(), 0);
    }));

test("sliders run the model again: a ball from 0.5 m strikes after sqrt(2 h / g)", () =>
    inLab(ball(), async (page) => {
        const strikes = async (h) => {
            const wanted = Math.sqrt((2 * h) / 9.81);
            await page.waitForFunction(
                (t) => Math.abs(Number(document.querySelector("table.events tbody tr button")?.textContent.replace(/[^\d.]/g, "")) - t) < 2e-3,
                wanted,
            );
        };
        await strikes(1);
        await value(page, "h").fill("0.5");
        await strikes(0.5);
        await page.locator('[data-key="h"] .value-slider').focus();
        await page.keyboard.press("Home"); // the lower end is 0: it lies on the floor
        await page.keyboard.press("End"); // the upper end is twice the model's
        await strikes(2);
        await page.locator('[data-key="h"] button').click();
        await strikes(1);
        assert.equal(await value(page, "h").inputValue(), "1");
        assert.ok(await firstImpact(page));
    }));

test("a value that the model forbids is a message, not an end", () =>
    inLab(ball(), async (page) => {
        await value(page, "e").fill("1.5");
        await page.waitForSelector(".messages .error");
        assert.match(await page.locator(".messages").textContent(), /restitution/);
        await value(page, "e").fill("0.25");
        await page.waitForFunction(() => !document.querySelector(".messages li"));
    }));

test("a link holds the model and its settings, and a broken one does no harm", async () => {
    const file = ball();
    let link;
    await inLab(file, async (page) => {
        await type(page, BALL.replace("name: Ball", "name: Other ball"));
        await value(page, "h").fill("0.7");
        await page.waitForFunction(() => document.title.startsWith("Other ball"));
        await page.getByRole("button", { name: "Share" }).click();
        await page.waitForFunction(() => location.hash.length > 20);
        link = new URL(page.url()).hash;
    });
    await inLab(file, async (page) => {
        for (const [hash, title, height] of [
            [link, "Other ball", "0.7"],
            [`${link.slice(0, 60)}%00`, "Ball", "1"],
            ["#m=AAAA", "Ball", "1"],
            ["#model=<img src=x>", "Ball", "1"],
        ]) {
            await page.evaluate((next) => (location.hash = next), hash);
            await page.waitForFunction((wanted) => document.title.startsWith(wanted), title);
            await page.waitForFunction((wanted) => document.querySelector('[data-key="h"] .value-field')?.value === wanted, height);
        }
    });
});

test("hostile models are text, never markup", async () => {
    const evil = "</script><img src=x onerror=alert(1)><b>bold</b>";
    const text = BALL.replace("name: Ball", `name: "${evil}"\nabout: "${evil}"`).replace("run:", `# ${evil}\nrun:`);
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, "evil.yaml"), text);
    await inLab(lab("evil", path.join(out, "evil.yaml")), async (page) => {
        assert.ok((await page.title()).startsWith(evil));
        await type(page, text.replace("mass:", `"${evil.replaceAll('"', "")}":`));
        await page.waitForSelector(".messages .error");
        assert.equal(await page.locator("img, #page b").count(), 0);
    });
});

test("all formulations lie over each other with one click", () =>
    inLab(ball(), async (page) => {
        await page.getByRole("button", { name: "All formulations" }).click();
        await page.waitForSelector("#comparison");
        assert.ok((await page.locator(".chip").count()) >= 7);
    }));

test("a sweep grows: impacts of a ball over its restitution", () =>
    inLab(ball(), async (page) => {
        await page.locator("#sweep select").first().selectOption({ label: "e" });
        await page.locator('#sweep input[aria-label="runs"]').fill("12");
        await page.locator("#sweep button").click();
        await page.waitForFunction(() => /^12 of 12 runs/.test(document.querySelector("#sweep [role=status]")?.textContent));
    }));

test("why: forces, cone and alternatives at the moment", () =>
    inLab(lab("rod", "song/rod-case2"), async (page) => {
        await page.getByRole("button", { name: "What else could happen?" }).click();
        await page.waitForFunction(() => /3 solutions/.test(document.querySelector(".why-more")?.textContent));
        assert.match(await page.locator(".trust-word").textContent(), /doubtful/);
    }));

test("on a phone nothing is wider than the screen, and the order is verdict, motion, sliders, text", () =>
    inLab(
        ball(),
        async (page) => {
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
            const tops = await Promise.all(
                [".verdict-card", ".stage", ".transport", ".values", ".editor", "main"].map(
                    async (one) => (await page.locator(one).first().boundingBox()).y,
                ),
            );
            assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
            await page.screenshot({ path: path.join(out, "phone.png") });
        },
        { width: 390, height: 844 },
    ));

test("every shipped model runs in the browser", async () => {
    await inLab(lab("all", "--shipped"), async (page) => {
        const files = await page.locator(".model-choice option").evaluateAll((all) => all.map((one) => one.value));
        assert.ok(files.length > 70);
        const trouble = [];
        for (const file of files) {
            await page.evaluate((wanted) => {
                document.querySelector(".status-line > span").textContent = "";
                location.hash = `model=${encodeURIComponent(wanted)}`;
            }, file);
            await page.waitForFunction(() => /Computed|mistake|cannot run|broke|Stopped/.test(document.querySelector(".status-line > span")?.textContent));
            const said = await status(page);
            if (!said.startsWith("Computed")) trouble.push(`${file}: ${said}`);
        }
        assert.deepEqual(trouble, []);
    });
});

test("a trajectory that is taken away has the bytes of the program", () =>
    inLab(lab("stick-slip", "xiong/stick-slip"), async (page) => {
        await page.locator("summary", { hasText: "Download" }).click();
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name: "Trajectory (.csv)" }).click(),
        ]);
        const wanted = native(program, models, "xiong/stick-slip.yaml")["trajectory.csv"];
        assert.equal(readFileSync(await download.path(), "utf8"), wanted);
    }));
