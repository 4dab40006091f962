// share.js: a model and its settings in the fragment of a link: deflated JSON in the letters of base64url. What comes back is taken
// apart member by member; anything that is not as it should be is left out.

const PREFIX = "m=";
const MOST = 1 << 20; // characters of a model's text that a link may carry

async function through(stream, bytes) {
    const piped = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

function letters(bytes) {
    let text = "";
    for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function unlettered(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

export async function toFragment(state) {
    const bytes = new TextEncoder().encode(JSON.stringify(state));
    return PREFIX + letters(await through(new CompressionStream("deflate-raw"), bytes));
}

const text = (value, most) => (typeof value === "string" && value.length <= most ? value : null);
const positive = (value) => (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0);
const SETTING = /^[\w.'[\]-]{1,200}$/;

// Only what a link may hold, with its type; null when there is nothing of use.
export function checked(raw) {
    if (!raw || typeof raw !== "object") return null;
    const sets = {};
    for (const [key, value] of Object.entries(raw.sets ?? {}).slice(0, 200))
        if (SETTING.test(key) && typeof value === "number" && Number.isFinite(value)) sets[key] = value;
    return {
        model: text(raw.model, 200),
        text: text(raw.text, MOST),
        sets,
        formulation: text(raw.formulation, 40) ?? "",
        step: positive(raw.step),
        until: positive(raw.until),
        all: raw.all === true,
        t: positive(raw.t),
    };
}

export async function fromFragment(fragment) {
    const given = fragment.replace(/^#/, "");
    try {
        if (given.startsWith("model=")) return checked({ model: decodeURIComponent(given.slice(6)) });
        if (!given.startsWith(PREFIX)) return null;
        const bytes = await through(new DecompressionStream("deflate-raw"), unlettered(given.slice(PREFIX.length)));
        return bytes.length > 4 * MOST ? null : checked(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
        return null; // a link that was cut off on its way
    }
}
