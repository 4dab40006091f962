// inspect.mjs: what a reader with weak eyes, or with a screen reader, would find wrong.

// Texts whose contrast with what lies behind them is below 4.5, or 3 for large ones (WCAG 2.1, 1.4.3).
export function contrasts(page) {
    return page.evaluate(() => {
        const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        // a colour in any notation, laid over an opaque one; there are few of them, so they are remembered
        const known = new Map();
        function over(colour, ground) {
            const key = `${colour} ${ground}`;
            if (!known.has(key)) known.set(key, laid(colour, ground));
            return known.get(key);
        }
        function laid(colour, ground) {
            context.fillStyle = `rgb(${ground.join(",")})`;
            context.fillRect(0, 0, 1, 1);
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
        }
        const luminance = (rgb) => {
            const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const grounds = new Map([[null, [255, 255, 255]]]);
        function ground(element) {
            if (!grounds.has(element))
                grounds.set(element, over(getComputedStyle(element).backgroundColor, ground(element.parentElement)));
            return grounds.get(element);
        }
        const poor = [];
        for (const element of document.querySelectorAll("#page *")) {
            const text = [...element.childNodes]
                .filter((node) => node.nodeType === 3 && node.textContent.trim())
                .map((node) => node.textContent.trim())
                .join(" ");
            if (
                !text ||
                !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
                element.closest(":disabled, [aria-hidden=true]")
            )
                continue;
            const style = getComputedStyle(element);
            const behind = ground(element);
            let opacity = 1;
            for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
            const front = over(style.color, behind).map((v, k) => v * opacity + behind[k] * (1 - opacity));
            const [a, b] = [luminance(front), luminance(behind)].sort((x, y) => y - x);
            const ratio = (a + 0.05) / (b + 0.05);
            const large =
                parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
            if (ratio < (large ? 3 : 4.5))
                poor.push(`${ratio.toFixed(2)} "${text.slice(0, 40)}" (${element.className || element.tagName})`);
        }
        return [...new Set(poor)];
    });
}

// Controls, pictures and regions that have no name.
export function names(page) {
    return page.evaluate(() => {
        const named = (element) =>
            element.getAttribute("aria-label") ||
            element.getAttribute("aria-labelledby") ||
            element.title ||
            element.textContent.trim() ||
            element.closest("label")?.textContent.trim();
        return [
            ...document.querySelectorAll(
                "button, select, input, [role=img], [role=region], [role=group], canvas:not([aria-hidden]):not(.plot canvas), section, nav",
            ),
        ]
            .filter((element) => !named(element))
            .map((element) => element.outerHTML.slice(0, 120));
    });
}
