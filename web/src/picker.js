// picker.js: which channels are plotted. Models may have hundreds, so there is a search, and groups to take as a whole.
import { h } from "./dom.js";

const GROUPS = {
    coordinates: "Coordinates",
    rates: "Rates",
    states: "States of elements",
    recorded: "Recorded",
    energy: "Energy",
    contacts: "Contacts",
};

export function picker(channels, chosen, changed) {
    const summary = h("summary", {});
    const search = h("input", {
        type: "search",
        placeholder: "Search channels",
        "aria-label": "search channels",
        oninput: () => filter(),
    });
    const boxes = [];

    function group(name) {
        const members = channels.filter((channel) => (GROUPS[channel.group] ? channel.group : "recorded") === name);
        if (!members.length) return null;
        const rows = members.map((channel) => {
            const box = h("input", { type: "checkbox", onchange: () => set([channel.name], box.checked) });
            const row = h(
                "label",
                { class: "pick" },
                box,
                channel.name,
                channel.unit && h("span", { class: "unit" }, channel.unit),
            );
            boxes.push({ channel, box, row });
            return row;
        });
        const visible = () =>
            boxes.filter(({ row, channel }) => members.includes(channel) && !row.hidden).map(({ channel }) => channel.name);
        return h(
            "fieldset",
            {},
            h(
                "legend",
                {},
                GROUPS[name],
                h("button", { type: "button", class: "link", onclick: () => set(visible(), true) }, "all"),
                h("button", { type: "button", class: "link", onclick: () => set(visible(), false) }, "none"),
            ),
            rows,
        );
    }
    function set(names, on) {
        for (const name of names)
            if (on) chosen.add(name);
            else chosen.delete(name);
        changed();
    }
    function filter() {
        const words = search.value.trim().toLowerCase();
        for (const { channel, row } of boxes) row.hidden = words !== "" && !channel.name.toLowerCase().includes(words);
    }
    function update() {
        summary.textContent = `Channels ${chosen.size} of ${channels.length}`;
        for (const { channel, box } of boxes) box.checked = chosen.has(channel.name);
    }
    const panel = h("div", { class: "menu" }, channels.length > 12 && search, Object.keys(GROUPS).map(group));
    const element = h("details", { class: "dropdown" }, summary, panel);
    // it closes like a menu: by Escape, or when one goes elsewhere
    element.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        element.open = false;
        summary.focus();
        event.stopPropagation();
    });
    document.addEventListener("pointerdown", (event) => {
        if (!element.contains(event.target)) element.open = false;
    });
    update();
    return { element, update };
}
