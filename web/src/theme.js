// theme.js: light, dark, or as the system has it. Remembered where the browser lets a file remember.
import { h } from "./dom.js";
import { forgetColours } from "./colours.js";

const NAMES = ["auto", "light", "dark"];
const KEY = "slipstick-theme";

function remembered() {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}

function remember(name) {
    try {
        localStorage.setItem(KEY, name);
    } catch {
        /* a file may have no storage */
    }
}

export function themeButton(view) {
    let name = NAMES.includes(remembered()) ? remembered() : "auto";
    const button = h("button", {
        type: "button",
        class: "quiet",
        onclick: () => choose(NAMES[(NAMES.indexOf(name) + 1) % NAMES.length]),
    });

    function apply() {
        if (name === "auto") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = name;
        button.replaceChildren(`Theme: ${name}`);
        button.setAttribute("aria-label", `colour theme, now ${name}; press to change`);
        forgetColours();
        view.tell("theme");
    }
    function choose(next) {
        name = next;
        remember(name);
        apply();
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
    // paper is light; what is painted on canvas has to be painted again for it
    const paper = matchMedia("print");
    paper.addEventListener("change", apply);
    apply();
    return { button, next: () => button.click() };
}
