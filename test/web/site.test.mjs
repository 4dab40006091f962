// site.test.mjs: the documentation as a web site: every link leads somewhere, the search finds, and nothing is fetched.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, out, settle } from "./browser.mjs";

const site = path.join(out, "site");
const generator = fileURLToPath(new URL("../../tools/site/site.mjs", import.meta.url));
let browser;

// the generator fails when a link leads nowhere; reports of all models would take minutes
const made = spawnSync(process.execPath, [generator, "--out", site, "--no-reports"], { encoding: "utf8" });

before(async () => {
    browser = await launch();
});
after(() => browser?.close());

async function onPage(file, options, body) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const trouble = [];
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(path.join(site, file)).href);
    await settle(page);
    await body(page);
    assert.deepEqual(trouble, []);
    await context.close();
}

test("every link of every page leads somewhere", () => assert.equal(made.status, 0, made.stderr));

test("the search finds the section about the horizon", () =>
    onPage("index.html", {}, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("horizon");
        assert.match(await page.locator("#results a").first().getAttribute("href"), /trust\.html#the-horizon/);
        await page.keyboard.press("Enter");
        await page.waitForURL(/trust\.html#the-horizon/);
        await page.locator("#search").fill("no such words anywhere");
        assert.equal(await page.locator("#results").textContent(), "Nothing found.");
    }));

test("dark follows the system, and the button", () =>
    onPage("docs/theory.html", { colorScheme: "dark" }, async (page) => {
        const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await ground();
        await page.locator("#theme").click();
        assert.notEqual(await ground(), dark);
        assert.ok((await page.locator("math").count()) > 10, "formulas are drawn");
    }));

test("a phone shows the text first and the contents on demand", () =>
    onPage("docs/model.html", { viewport: { width: 390, height: 844 } }, async (page) => {
        assert.equal(await page.locator("nav").isVisible(), false);
        await page.locator("#menu").click();
        assert.equal(await page.locator("nav").isVisible(), true);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    }));
