// browser.mjs: Debian's Chromium under Playwright, and pages that are watched while they are open.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const SKIPPED = 77; // what ctest takes for "skipped"

export const modules = process.env.SLIPSTICK_WEB_MODULES;
export const pages = process.env.SLIPSTICK_PAGES;
export const out = process.env.SLIPSTICK_WEB_OUT;

const PLACES = process.env.SLIPSTICK_CHROMIUM
    ? [process.env.SLIPSTICK_CHROMIUM]
    : [
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      ];
const FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
];

// Ends the test as skipped, and says why, where there is no browser.
export function requireBrowser() {
    const found = PLACES.find((place) => existsSync(place));
    if (found) return found;
    console.log("skipped: no Chromium on this machine (tools/setup.sh browser installs it)");
    return process.exit(SKIPPED);
}

// The same where there is no Pandoc, which the site is made with.
export function requirePandoc() {
    if (spawnSync("pandoc", ["--version"]).status === 0) return;
    console.log("skipped: no pandoc on this machine (tools/setup.sh site installs it)");
    process.exit(SKIPPED);
}

export async function launch() {
    const { chromium } = createRequire(path.join(modules, "x.js"))("playwright-core");
    return chromium.launch({ executablePath: requireBrowser(), headless: true, args: FLAGS });
}

// WebGL on a machine without graphics grumbles about its speed; that is no fault of the page.
const harmless = (text) => text.includes("GL Driver Message") || text.includes("GPU stall");

// Opens a file. `trouble` collects what must not be: messages, errors, requests for anything but the file itself.
export async function open(browser, file, { scheme = "light", width = 1366, height = 850, init = null, media = null } = {}) {
    const context = await browser.newContext({
        colorScheme: scheme,
        viewport: { width, height },
        deviceScaleFactor: 1,
        reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120000); // machines that test are busy
    const trouble = [];
    const address = pathToFileURL(file).href;
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !harmless(message.text()))
            trouble.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
    page.on("request", (request) => {
        if (request.url() !== address && !request.url().startsWith("data:")) trouble.push(`request: ${request.url()}`);
    });
    if (init) await page.addInitScript(init);
    if (media) await page.emulateMedia({ media });
    await page.goto(address);
    await settle(page);
    return { page, trouble, close: () => context.close() };
}

// Two painted frames: observers have told what they saw, and what they asked for is drawn.
export function settle(page) {
    return page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))),
    );
}

// What is on a canvas, as a short number; equal pictures have equal ones.
export function picture(page, selector) {
    return page.evaluate((which) => {
        const source = document.querySelector(which);
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [source.width, source.height];
        const context = copy.getContext("2d");
        context.drawImage(source, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        let sum = 2166136261;
        let painted = 0;
        for (let i = 0; i < data.length; i += 4) {
            sum = Math.imul(sum ^ (data[i] | (data[i + 1] << 8) | (data[i + 2] << 16)), 16777619);
            if (data[i + 3] > 0) painted++;
        }
        return { sum, painted };
    }, selector);
}
