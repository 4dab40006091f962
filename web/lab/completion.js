// completion.js: what may be written at a place: keys of the section around it, names of parts, functions and parameters in formulas.

const indent = (line) => line.length - line.trimStart().length;
const KEY = /^\s*(?:- )?([A-Za-z_][\w' .-]*?)\s*:/;

// The keys around a place, outermost first: by indentation, then by braces within the line.
export function pathAt(lines, row, column) {
    const path = [];
    const own = lines[row] ?? "";
    let limit = own.slice(0, column).trim() === "" ? column : indent(own);
    for (let k = row - 1; k >= 0 && limit > 0; k--) {
        const line = lines[k];
        if (!line.trim() || line.trim().startsWith("#") || indent(line) >= limit) continue;
        const key = KEY.exec(line)?.[1];
        if (key) path.unshift(key);
        limit = indent(line);
    }
    const before = own.slice(0, column);
    const open = []; // keys whose braces are open
    let last = null;
    for (const match of before.matchAll(/[{}[\],]|[A-Za-z_][\w' .-]*?(?=\s*:)/g)) {
        const [token] = match;
        if (token === "{" || token === "[") open.push(last);
        else if (token === "}" || token === "]") open.pop();
        else if (token === ",") last = open.at(-1);
        else last = token;
    }
    return [...path, ...open.filter((key) => key !== null && key !== undefined)];
}

// Whether "contacts.*.friction" fits ["contacts", "floor"], and which key comes next.
function nextKey(pattern, path) {
    const parts = pattern.split(".");
    if (parts.length !== path.length + 1) return null;
    return path.every((name, k) => parts[k] === "*" || parts[k] === name) ? parts.at(-1) : null;
}

const CHOICES = { formulation: "formulations", integrator: "integrators", solver: "solvers", impact: "impacts", law: "laws" };

// knowledge: { language, names() }: what engine.c says of the language, and names that the model has
export function completions({ language, names }) {
    return (context) => {
        const word = context.matchBefore(/[A-Za-z_][\w']*/);
        if (!word && !context.explicit) return null;
        const line = context.state.doc.lineAt(context.pos);
        const column = (word?.from ?? context.pos) - line.from;
        const lines = context.state.doc.toString().split("\n");
        const before = lines[line.number - 1].slice(0, column);
        const from = word?.from ?? context.pos;
        const asValue = /([A-Za-z_]\w*)\s*:\s*$/.exec(before);
        const options = [];
        if (asValue && CHOICES[asValue[1]])
            for (const { name, summary } of language[CHOICES[asValue[1]]] ?? []) options.push({ label: name, detail: summary });
        else if (/(^|[{,])\s*(- )?$/.test(before)) {
            const path = pathAt(lines, line.number - 1, column);
            for (const { path: pattern, type, meaning } of language.keys) {
                const key = nextKey(pattern, path);
                if (key && key !== "*") options.push({ label: key, detail: type, info: meaning, apply: `${key}: ` });
            }
        }
        if (!options.length && !/(^|[{,])\s*(- )?$/.test(before)) {
            for (const name of names()) options.push({ label: name, boost: 1 });
            for (const { name, summary } of language.functions ?? []) options.push({ label: name, detail: summary });
        }
        return options.length ? { from, options, validFor: /^[\w']*$/ } : null;
    };
}
