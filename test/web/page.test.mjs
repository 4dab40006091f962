// page.test.mjs: the report page in a real browser, on reports made up by samples.mjs. Screenshots go to the build directory.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, open, out, pages, picture, settle } from "./browser.mjs";
import { contrasts, names } from "./inspect.mjs";
import { samples, writeSample } from "./samples.mjs";

let browser;
const files = {};

before(async () => {
    mkdirSync(out, { recursive: true });
    for (const [name, make] of Object.entries(samples)) files[name] = writeSample(name, make(), pages, out);
    browser = await launch();
});
after(() => browser?.close());

// One page per test, closed whatever happens; anything that went wrong in it fails the test.
function onPage(title, sample, options, body) {
    test(title, async () => {
        const { page, trouble, close } = await open(browser, files[sample], options);
        try {
            await body(page);
            assert.deepEqual(trouble, []);
        } finally {
            await close();
        }
    });
}

const clock = (page) => page.locator(".clock .now").textContent().then(Number);
const windows = (page) =>
    page.locator("#plots .plot").evaluateAll((all) => all.map((plot) => plot.getAttribute("aria-label").replace(/^.*?, /, "")));
const press = async (page, key) => {
    await page.keyboard.press(key);
    await settle(page);
};

// Drags over a plot, from and to as shares of its width.
async function drag(page, plot, from, to) {
    await plot.scrollIntoViewIfNeeded();
    await settle(page);
    const box = await plot.locator(".u-over").boundingBox();
    await page.mouse.move(box.x + from * box.width, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + ((from + to) / 2) * box.width, box.y + box.height / 2);
    await page.mouse.move(box.x + to * box.width, box.y + box.height / 2);
    await page.mouse.up();
    await settle(page);
}

for (const sample of Object.keys(samples)) {
    onPage(`${sample}: light, dark and narrow`, sample, {}, async (page) => {
        assert.equal(await page.locator(".fatal").count(), 0);
        assert.deepEqual(await names(page), [], "controls and pictures without a name");
        for (const [scheme, width] of [
            ["light", 1366],
            ["dark", 1366],
            ["light", 390],
        ]) {
            await page.emulateMedia({ colorScheme: scheme });
            await page.setViewportSize({ width, height: 2400 });
            await settle(page);
            const sideways = await page.evaluate(
                () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            assert.equal(sideways, 0, `the page scrolls sideways at ${width} px`);
            await page.screenshot({ path: path.join(out, `${sample}-${scheme}-${width}.png`) });
            assert.deepEqual(await contrasts(page), [], `text that is hard to read, ${scheme}`);
        }
    });
}

onPage("what was run, and what to read first", "run", {}, async (page) => {
    assert.equal(await page.locator("h1").textContent(), "Sample slider");
    assert.equal(await page.locator(".trust-word").textContent(), "doubtful");
    assert.match(await page.locator(".trust-from").textContent(), /0\.7 s/); // before the horizon, which is at 1.5 s
    assert.match(await page.locator(".verdict-card").getAttribute("class"), /tone-warn/);
    assert.equal(await page.locator(".summary > .found li").count(), 4);
    assert.match(await page.locator(".command code").textContent(), /slipstick run sample\/slider/);
    assert.match(await page.locator(".facts").textContent(), /moreau.*lemke.*0\.001 s/s);
    assert.equal(await page.locator("#model pre").isVisible(), false); // long, so collapsed
    await page.locator("#model summary").click();
    assert.match(await page.locator("#model pre").textContent(), /slipstick: 1/);
});

onPage("the band shows every verdict, even one of an instant", "run", {}, async (page) => {
    const found = await page
        .locator(".band .piece")
        .evaluateAll((all) => all.map((piece) => [piece.className, piece.getBoundingClientRect().width]));
    assert.deepEqual(
        found.map(([name]) => name.replace("piece ", "")),
        ["trusted", "ambiguous", "unstable", "inconsistent", "doubtful", "unknown"],
    );
    assert.ok(
        found.every(([, width]) => width >= 2),
        JSON.stringify(found),
    );
    assert.match(await page.locator(".band").getAttribute("aria-label"), /inconsistent/);
});

onPage("the band fades at the horizon", "run", {}, async (page) => {
    const [band, beyond] = await page
        .locator(".band, .band .beyond")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]));
    assert.ok(Math.abs((beyond[0] - band[0]) / (band[1] - band[0]) - 0.75) < 0.01, "1.5 s of 2 s");
    assert.equal(beyond[1], band[1]);
});

for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
])
    onPage(`verdict, mechanism and play on the first screen, ${width} px`, "run", { width, height }, async (page) => {
        const boxes = await page
            .locator(".verdict-card, .stage-canvas, .play, .summary")
            .evaluateAll((all) => Object.fromEntries(all.map((one) => [one.className.split(" ")[0], one.getBoundingClientRect().toJSON()])));
        for (const part of ["verdict-card", "stage-canvas", "play"])
            assert.ok(boxes[part].bottom <= height, `${part} ends at ${boxes[part].bottom} of ${height} px`);
        assert.ok(boxes["stage-canvas"].bottom <= boxes.play.top, "nothing covers the mechanism");
        if (width < 900)
            assert.ok(
                boxes["verdict-card"].bottom <= boxes["stage-canvas"].top && boxes["stage-canvas"].bottom <= boxes.summary.top,
                "verdict, mechanism, the rest",
            );
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await settle(page);
        const play = await page.locator(".play").boundingBox();
        assert.ok(play.y >= 0 && play.y + play.height <= height, "play is in sight at the end too");
    });

onPage("plots zoom together, by mouse and back", "run", {}, async (page) => {
    const plots = page.locator("#plots .plot");
    assert.equal(await plots.count(), 3);
    assert.deepEqual([...new Set(await windows(page))], ["0 to 2 s"]);
    const before_ = await picture(page, "#plots .plot-row:nth-child(2) canvas");
    await drag(page, plots.first(), 0.25, 0.5);
    const zoomed = new Set(await windows(page));
    assert.equal(zoomed.size, 1, "plots show different windows");
    const [from, , to] = [...zoomed][0].split(" ");
    assert.ok(Math.abs(Number(from) - 0.5) < 0.01 && Math.abs(Number(to) - 1) < 0.01, [...zoomed][0]);
    assert.notEqual((await picture(page, "#plots .plot-row:nth-child(2) canvas")).sum, before_.sum);
    assert.equal(await page.locator(".zoom-window").isVisible(), true);
    await plots.nth(1).locator(".u-over").dblclick();
    await settle(page);
    assert.deepEqual([...new Set(await windows(page))], ["0 to 2 s"]);
    assert.equal((await picture(page, "#plots .plot-row:nth-child(2) canvas")).sum, before_.sum);
});

onPage("a click on a plot sets the moment, the pointer reads values", "run", {}, async (page) => {
    const over = page.locator("#plots .plot").first().locator(".u-over");
    await over.scrollIntoViewIfNeeded();
    await settle(page);
    const box = await over.boundingBox();
    await page.mouse.click(box.x + 0.75 * box.width, box.y + 20);
    await settle(page);
    assert.ok(Math.abs((await clock(page)) - 1.5) < 0.01);
    const read = () => page.locator("#plots .readout").first().textContent();
    const atMoment = await read();
    await page.mouse.move(box.x + 0.1 * box.width, box.y + 20);
    await settle(page);
    assert.notEqual(await read(), atMoment);
    assert.ok(await page.locator(".hoverline").nth(1).isVisible(), "the other plots show where the pointer is");
});

onPage("scrubbing moves the mechanism, the playheads and the tables", "run", {}, async (page) => {
    const scene = await picture(page, ".stage-canvas");
    assert.ok(scene.painted > 5000, "something is drawn");
    const head = () =>
        page
            .locator("#plots .playhead")
            .first()
            .evaluate((line) => line.style.transform);
    const [place, legs, ledger] = [
        await head(),
        await page.locator(".legs").textContent(),
        await page.locator(".ledger-table").textContent(),
    ];
    await page.locator(".scrub").evaluate((slider) => {
        slider.value = 1500;
        slider.dispatchEvent(new Event("input"));
    });
    await settle(page);
    assert.ok(Math.abs((await clock(page)) - 0.3) < 1e-3);
    assert.notEqual((await picture(page, ".stage-canvas")).sum, scene.sum);
    assert.notEqual(await head(), place);
    assert.notEqual(await page.locator(".legs").textContent(), legs);
    assert.notEqual(await page.locator(".ledger-table").textContent(), ledger);
    assert.match(await page.locator(".legs tr", { hasText: "upper" }).textContent(), /not unique/);
    assert.match(await page.locator(".legs tr", { hasText: "lower" }).textContent(), /open.*unique/);
});

onPage("keys: frames, ends, events, speed, zoom", "run", {}, async (page) => {
    const frame = 2 / 400;
    await press(page, "ArrowRight");
    assert.ok(Math.abs((await clock(page)) - frame) < 1e-9);
    await press(page, "Shift+ArrowRight");
    assert.ok(Math.abs((await clock(page)) - 11 * frame) < 1e-3);
    await press(page, "ArrowLeft");
    assert.ok(Math.abs((await clock(page)) - 10 * frame) < 1e-3);
    await press(page, "End");
    assert.equal(await clock(page), 2);
    await press(page, "Home");
    assert.equal(await clock(page), 0);
    await press(page, "n");
    assert.ok(Math.abs((await clock(page)) - 1 / 12) < 1e-3);
    await press(page, "n");
    await press(page, "p");
    assert.ok(Math.abs((await clock(page)) - 1 / 12) < 1e-3);
    const speed = () => page.locator(".speed select").inputValue();
    const first = Number(await speed());
    await press(page, ".");
    assert.ok(Number(await speed()) > first);
    await press(page, ",");
    await press(page, ",");
    assert.ok(Number(await speed()) < first);
    await press(page, "+");
    assert.notEqual((await windows(page))[0], "0 to 2 s");
    const window = (await windows(page))[0];
    await press(page, "]");
    assert.notEqual((await windows(page))[0], window);
    // the playhead stands where the moment is in the window
    await page.locator(".scrub").evaluate((slider) => {
        slider.value = 2500;
        slider.dispatchEvent(new Event("input"));
    });
    const [from, , to] = (await windows(page))[0].split(" ");
    const [place, width] = await page
        .locator("#plots .playhead")
        .first()
        .evaluate((line) => [new DOMMatrix(line.style.transform).m41, line.parentElement.clientWidth]);
    assert.ok(
        Math.abs(place / width - (0.5 - from) / (to - from)) < 0.005,
        `${place} of ${width} px for 0.5 in ${from} to ${to}`,
    );
    await press(page, "0");
    assert.equal((await windows(page))[0], "0 to 2 s");
});

onPage("space plays and pauses, and the end stops it", "run", {}, async (page) => {
    await press(page, "Space");
    assert.equal(await page.locator(".play").getAttribute("aria-label"), "pause");
    await page.waitForFunction(() => Number(document.querySelector(".clock .now").textContent) > 0.02);
    await press(page, "Space");
    const stopped = await clock(page);
    await settle(page);
    assert.equal(await clock(page), stopped);
    await press(page, "End");
    await press(page, "ArrowLeft");
    await press(page, "Space");
    await page.waitForFunction(() => document.querySelector(".play").getAttribute("aria-label") === "play");
    assert.equal(await clock(page), 2);
});

onPage("keys stay with the field that is typed into", "run", {}, async (page) => {
    await page.locator("#events input").focus();
    await page.keyboard.type("n 0.t");
    await settle(page);
    assert.equal(await clock(page), 0);
    assert.equal(await page.locator("#events input").inputValue(), "n 0.t");
    assert.match(await page.locator("#events").textContent(), /No event fits the filter/);
});

onPage("help and theme by key", "run", { scheme: "light" }, async (page) => {
    await press(page, "?");
    assert.equal(await page.locator("dialog.help").isVisible(), true);
    await press(page, "Escape");
    assert.equal(await page.locator("dialog.help").isVisible(), false);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await press(page, "t"); // auto -> light
    assert.equal(await ground(), light);
    await press(page, "t"); // light -> dark
    assert.notEqual(await ground(), light);
    assert.deepEqual(await contrasts(page), []);
});

onPage("Tab goes through everything in order, and shows where it is", "run", {}, async (page) => {
    const seen = [];
    for (let k = 0; k < 70; k++) {
        await page.keyboard.press("Tab");
        const now = await page.evaluate(() => {
            const element = document.activeElement;
            if (!element || element === document.body) return null;
            const style = getComputedStyle(element);
            const all = [...document.querySelectorAll("*")];
            return {
                place: all.indexOf(element),
                what: element.outerHTML.slice(0, 80),
                outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
            };
        });
        if (!now) break;
        seen.push(now);
    }
    assert.ok(seen.length > 25, `${seen.length} stops`);
    assert.deepEqual(
        seen.filter(({ outline }) => !outline).map(({ what }) => what),
        [],
        "focus that cannot be seen",
    );
    const cut = seen.findIndex(({ place }, k) => k > 0 && place < seen[k - 1].place);
    assert.ok(cut < 0, `focus jumps back at ${seen[cut]?.what}`);
    assert.equal(await page.locator("[tabindex]:not([tabindex='0']):not([tabindex='-1'])").count(), 0);
});

onPage("formulations: focus, overlay, hide", "compare", {}, async (page) => {
    assert.equal(await page.locator(".chip").count(), 3);
    assert.equal(await page.locator(".chip.active").textContent(), "moreau");
    assert.ok((await page.locator(".band .piece").count()) > 0);
    assert.equal(await page.locator("#plots .plot-row").first().locator(".readout > span").count(), 3);
    const scene = await picture(page, ".stage-canvas");
    await page.locator("#plots .plot-row").first().scrollIntoViewIfNeeded();
    await settle(page);
    const plot = await picture(page, "#plots .plot-row canvas");
    await press(page, "2");
    assert.equal(await page.locator(".chip.active").textContent(), "dai");
    assert.equal(await page.locator(".band .piece").getAttribute("class"), "piece trusted");
    assert.equal(await page.locator(".band .beyond").count(), 1);
    assert.match(await page.locator(".band-key").textContent(), /beyond the horizon/);
    assert.match(await page.locator(".comparison tr.chosen").textContent(), /dai/);
    assert.notEqual((await picture(page, ".stage-canvas")).sum, scene.sum);
    await page.locator(".comparison button", { hasText: "moreau" }).click();
    assert.equal(await page.locator(".chip.active").textContent(), "moreau");
    await page.locator(".chip", { hasText: "hunt-crossley" }).locator("input").uncheck();
    await settle(page);
    assert.notEqual((await picture(page, "#plots .plot-row canvas")).sum, plot.sum);
    assert.equal(await page.locator("#plots .plot-row").first().locator(".readout > span").count(), 2);
    assert.match(await page.locator(".comparison .not-applied").textContent(), /gauss.*two directions/);
});

onPage("events: filter by word and kind, go to one", "run", {}, async (page) => {
    const rows = page.locator(".events tbody tr");
    assert.equal(await rows.count(), 12);
    await page.locator(".kind", { hasText: "impact" }).click();
    assert.equal(await rows.count(), 3);
    await page.locator("#events input").fill("lower");
    assert.equal(await rows.count(), 1);
    await rows.first().locator("button").click();
    await settle(page);
    assert.ok(Math.abs((await clock(page)) - (2 * 5.5) / 12) < 1e-3);
    assert.equal(await page.locator(".events tr.current").count(), 1);
});

onPage("channels are chosen, searched and removed", "big", {}, async (page) => {
    assert.equal(await page.locator("#plots .plot-row").count(), 8);
    await page.locator("#plots .dropdown summary").click();
    await page.locator(".menu input[type=search]").fill("n4");
    assert.equal(await page.locator(".pick:visible").count(), 11); // N4, N40 ... N49
    await page.locator(".pick:visible", { hasText: "N47" }).locator("input").check();
    assert.equal(await page.locator("#plots .plot-row[data-channel=N47]").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu").isVisible(), false);
    await page.locator("#plots .plot-row[data-channel=N47] .remove").click();
    assert.equal(await page.locator("#plots .plot-row").count(), 8);
});

// Work is counted, not time: points of paths, and elements.
const counting = () => {
    globalThis.work = 0;
    for (const type of [Path2D, CanvasRenderingContext2D]) {
        const { lineTo } = type.prototype;
        type.prototype.lineTo = function counted(x, y) {
            globalThis.work++;
            lineTo.call(this, x, y);
        };
    }
};

onPage("a million samples cost no more than the screen can show", "big", { init: counting }, async (page) => {
    const work = () => page.evaluate(() => globalThis.work);
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok(elements < 4000, `${elements} elements`);
    const loaded = await work();
    assert.ok(loaded < 60000, `${loaded} points drawn to load`);
    await press(page, "ArrowRight");
    const step = (await work()) - loaded;
    assert.ok(step < 2000, `${step} points drawn for one frame`);
    assert.equal(await page.locator(".events tbody tr").count(), 200);
    assert.match(await page.locator("#events .note").textContent(), /first 5.000 of 81.234/);
    assert.match(await page.locator("#plots .note").textContent(), /no peak is lost/);
    assert.ok((await page.locator(".band .piece").count()) <= 240);
});

onPage("nothing recorded is said, not drawn", "nothing", {}, async (page) => {
    assert.match(await page.locator("#plots").textContent(), /No sample was recorded: the mass matrix is singular/);
    assert.equal(await page.locator(".plot").count(), 0);
    assert.equal(await page.locator(".play").isDisabled(), true);
    assert.match(await page.locator(".facts").textContent(), /unsolved/);
    for (const key of ["Space", "ArrowRight", "End", "n", "+", "0"]) await press(page, key);
});

onPage("one sample is a dot", "single", {}, async (page) => {
    assert.equal(await page.locator("#plots .plot-row").count(), 3);
    assert.match(await page.locator("#plots .note").textContent(), /One sample/);
    for (const key of ["Space", "ArrowRight", "End", "+", "0"]) await press(page, key);
});

onPage("space turns and moves", "space", {}, async (page) => {
    const scene = await picture(page, ".stage-canvas");
    assert.ok(scene.painted > 5000);
    await press(page, "End");
    const end = await picture(page, ".stage-canvas");
    assert.notEqual(end.sum, scene.sum);
    await page.locator(".stage-tools button", { hasText: "Top" }).click();
    await settle(page);
    assert.notEqual((await picture(page, ".stage-canvas")).sum, end.sum);
});

onPage("a map has a legend, and tells what is under the pointer", "map", {}, async (page) => {
    assert.equal(await page.locator(".map-legend li").count(), 5);
    assert.match(await page.locator(".map-legend").textContent(), /several: the contact problem allows more than one motion/);
    const box = await page.locator("#map canvas").boundingBox();
    await page.mouse.move(box.x + 62 + 0.3 * (box.width - 74), box.y + 10 + 0.6 * (box.height - 50));
    assert.match(await page.locator(".map-readout").textContent(), /th = 0\.9.*, th' = −0\.5.*: none/);
    assert.match(await page.locator(".borders").textContent(), /0\.6523581/);
});

onPage("a fit shows data over model, residuals below, both zoomed as one", "fit", {}, async (page) => {
    assert.equal(await page.locator("#fit .plot").count(), 2);
    assert.match(await page.locator("#parameters").textContent(), /mu.*0\.115085/s);
    await drag(page, page.locator("#fit .plot").first(), 0.2, 0.4);
    const shown = await page
        .locator("#fit .plot")
        .evaluateAll((all) => all.map((plot) => plot.getAttribute("aria-label").replace(/^.*, /, "")));
    assert.equal(shown[0], shown[1]);
    assert.notEqual(shown[0], "0 to 5.98 s");
});

onPage("solutions at a state", "state", {}, async (page) => {
    assert.equal(await page.locator(".solutions tbody tr").count(), 2);
    assert.match(await page.locator("#solutions").textContent(), /ambiguous.*slides backward/s);
});

onPage("on paper", "run", { media: "print", width: 1000 }, async (page) => {
    assert.equal(await page.locator(".transport").isVisible(), false);
    await page.pdf({ path: path.join(out, "run.pdf"), format: "A4", printBackground: true });
});

test("text is text, whatever is in it", async () => {
    const data = samples.run();
    const evil = `</script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'">`;
    Object.assign(data, { title: evil, about: evil, command: evil, model: { file: evil, text: evil } });
    data.runs[0].events[0].text = evil;
    const { page, trouble, close } = await open(browser, writeSample("evil", data, pages, out));
    assert.equal(await page.locator("h1").textContent(), evil);
    assert.ok(!(await page.title()).startsWith("taken"));
    assert.deepEqual(trouble, []);
    await close();
});

test("a page without data, or with data of another format, says so", async () => {
    const { page, trouble, close } = await open(browser, path.join(pages, "page.html"));
    assert.match(await page.locator("[role=alert]").textContent(), /there is no data in it/);
    assert.equal(trouble.length, 1);
    await close();
    const later = await open(browser, writeSample("later", { ...samples.run(), format: 2 }, pages, out));
    assert.match(await later.page.locator("[role=alert]").textContent(), /format 2/);
    await later.close();
});
