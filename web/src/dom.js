// dom.js: making elements.

// h("td", { class: "number", onclick: f }, "text", child, [more], null)
export function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(props ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (key === "style") element.style.cssText = value;
        else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

// A part of the page: heading, a sentence about it, its tools at the right, then its contents.
export function section(id, title, { note = null, tools = null } = {}, ...children) {
    return h(
        "section",
        { id, "aria-labelledby": `${id}-title` },
        h(
            "div",
            { class: "section-head" },
            h("h2", { id: `${id}-title` }, title),
            note && h("p", { class: "note" }, note),
            tools && h("div", { class: "tools" }, tools),
        ),
        children,
    );
}

// A piece of a line as it is drawn in the plots: its colour and its dashes.
export function lineKey(colour, dash) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [name, value] of Object.entries({ class: "line-key", viewBox: "0 0 30 8", "aria-hidden": true }))
        svg.setAttribute(name, value);
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({ x1: 0, x2: 30, y1: 4, y2: 4, "stroke-dasharray": dash.join(" ") }))
        line.setAttribute(name, value);
    line.style.stroke = colour;
    svg.append(line);
    return svg;
}

// A table from rows of cells; a cell is text, or an element. A heading with a `title` explains itself on demand.
export function table(head, rows, props = {}) {
    return h(
        "table",
        props,
        head &&
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    head.map((cell) =>
                        h(
                            "th",
                            { scope: "col", class: cell.number ? "number" : null },
                            cell.title ? h("abbr", { title: cell.title, tabindex: 0 }, cell.text) : (cell.text ?? cell),
                        ),
                    ),
                ),
            ),
        h("tbody", {}, rows),
    );
}

// A heading of a column of numbers.
export const numeric = (text, title) => ({ text, title, number: true });

// A button that says in words what its sign stands for.
export const tool = (sign, label, act) => h("button", { type: "button", title: label, "aria-label": label, onclick: act }, sign);

// A choice among names; changed(k) gets the number of the one that is taken.
export function select(label, names, chosen, changed) {
    return h(
        "select",
        { "aria-label": label, onchange: (event) => changed(Number(event.target.value)) },
        names.map((name, k) => h("option", { value: k, selected: k === chosen }, name)),
    );
}

export const empty = (text) => h("p", { class: "empty" }, text);

// A canvas that is as sharp as the screen and as wide as its parent; paint(context, width, height) in CSS pixels.
export function canvas({ height, label, paint, class: name = "chart" }) {
    const element = h("canvas", { class: name, role: "img", "aria-label": label });
    element.style.height = `${height}px`;
    const context = element.getContext("2d");
    let width = 0;
    function draw() {
        if (!width) return;
        const scale = globalThis.devicePixelRatio || 1;
        const tall = element.clientHeight || height;
        if (element.width !== Math.round(width * scale) || element.height !== Math.round(tall * scale)) {
            element.width = Math.round(width * scale);
            element.height = Math.round(tall * scale);
        }
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, tall);
        paint(context, width, tall);
    }
    new ResizeObserver(([entry]) => {
        width = entry.contentRect.width;
        draw();
    }).observe(element);
    return { element, draw };
}
