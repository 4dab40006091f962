// site.js: search, theme, contents. It works from disk: the index is a script, and nothing is fetched.
(() => {
    const up = document.body.dataset.up;
    const input = document.getElementById("search");
    const list = document.getElementById("results");
    const MOST = 12;

    const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_'.-]+/gu) ?? [];
    const escape = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    const index = (globalThis.slipstickIndex ?? []).map((entry) => ({
        ...entry,
        low: entry.text.toLowerCase(),
        lowHead: entry.head.toLowerCase(),
        lowTitle: entry.title.toLowerCase(),
    }));

    // Every word must occur; headings count most, then titles, then how often it stands in the text.
    function score(entry, wanted) {
        let sum = 0;
        for (const word of wanted) {
            const inText = Math.min(4, entry.low.split(word).length - 1);
            const found = 8 * entry.lowHead.includes(word) + 3 * entry.lowTitle.includes(word) + inText;
            if (!found) return 0;
            sum += found;
        }
        return sum + 6 * entry.lowHead.startsWith(wanted.join(" "));
    }

    function excerpt(entry, wanted) {
        const at = Math.max(0, Math.min(...wanted.map((word) => entry.low.indexOf(word)).filter((place) => place >= 0), Infinity));
        const from = Number.isFinite(at) ? Math.max(0, at - 50) : 0;
        const text = escape(entry.text.slice(from, from + 150));
        const pattern = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
        return `${from ? "…" : ""}${text.replace(new RegExp(pattern, "gi"), "<mark>$&</mark>")}…`;
    }

    function search() {
        const wanted = words(input.value);
        list.hidden = !wanted.length;
        if (!wanted.length) return;
        const found = index
            .map((entry) => ({ entry, points: score(entry, wanted) }))
            .filter(({ points }) => points > 0)
            .sort((a, b) => b.points - a.points)
            .slice(0, MOST);
        list.innerHTML = found.length
            ? found
                  .map(
                      ({ entry }) =>
                          `<li><a href="${up}/${entry.page}${entry.id ? `#${entry.id}` : ""}"><strong>${escape(entry.head)}</strong> <span class="where">${escape(entry.title)}</span><br>${excerpt(entry, wanted)}</a></li>`,
                  )
                  .join("")
            : '<li class="none">Nothing found.</li>';
    }

    function move(way) {
        const links = [...list.querySelectorAll("a")];
        const at = links.findIndex((link) => link.getAttribute("aria-selected"));
        links[at]?.removeAttribute("aria-selected");
        const next = links[Math.min(links.length - 1, Math.max(0, at + way))];
        next?.setAttribute("aria-selected", "true");
        next?.scrollIntoView({ block: "nearest" });
    }

    input.addEventListener("input", search);
    input.addEventListener("focus", search);
    input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            move(event.key === "ArrowDown" ? 1 : -1);
        } else if (event.key === "Enter") {
            const link = list.querySelector('a[aria-selected="true"]') ?? list.querySelector("a");
            if (link) location.href = link.href;
        } else if (event.key === "Escape") {
            list.hidden = true;
            input.blur();
        }
    });
    document.addEventListener("pointerdown", (event) => {
        if (!event.target.closest(".search")) list.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.target.matches("input, textarea")) return;
        event.preventDefault();
        input.focus();
    });
    list.addEventListener("click", () => {
        list.hidden = true;
    });

    const root = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    document.getElementById("theme").addEventListener("click", () => {
        const now = root.dataset.theme || (dark.matches ? "dark" : "light");
        root.dataset.theme = now === "dark" ? "light" : "dark";
        try {
            localStorage.setItem("slipstick-theme", root.dataset.theme);
        } catch {
            // a page from disk may not be allowed to remember
        }
    });

    const menu = document.getElementById("menu");
    const nav = document.getElementById("nav");
    menu.addEventListener("click", () => menu.setAttribute("aria-expanded", nav.classList.toggle("open")));
    nav.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });

    for (const heading of document.querySelectorAll("main :is(h2, h3, h4)[id]")) {
        const link = document.createElement("a");
        Object.assign(link, { className: "anchor", href: `#${heading.id}`, textContent: "#", ariaLabel: "link to this section" });
        heading.append(link);
    }
})();
