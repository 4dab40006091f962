// editor.js: the model as text, with its colours, completion, and mistakes under their places.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completions } from "./completion.js";
import { texts } from "./texts.js";

// Keys, numbers with their units, comments, quoted text: as much of YAML and of formulas as colours need.
const language = StreamLanguage.define({
    name: "slipstick",
    token(stream) {
        if (stream.eatSpace()) return null;
        if (stream.match(/^#.*/)) return "comment";
        if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
        if (stream.match(/^[A-Za-z_][\w'. -]*?(?=\s*:(?:\s|$))/)) return "propertyName";
        if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return "number";
        if (stream.match(/^[A-Za-z_][\w']*/)) return "variableName";
        stream.next();
        return "operator";
    },
});

const colours = HighlightStyle.define([
    { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
    { tag: tags.propertyName, color: "var(--accent)" },
    { tag: tags.number, color: "var(--good)" },
    { tag: tags.string, color: "var(--warn)" },
]);

const theme = EditorView.theme({
    "&": { backgroundColor: "var(--panel)", color: "var(--ink)", fontSize: "12.5px" },
    "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--muted)", border: "none" },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
    ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "var(--accent-fill) !important" },
    ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-fill)", color: "var(--ink)" },
    ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "60ch" },
    ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
});

// Where a message points to, as places in the text.
export function placeOf(doc, { line, column, length }) {
    if (!(line >= 1) || line > doc.lines) return { from: 0, to: Math.min(doc.length, doc.lines ? doc.line(1).length : 0) };
    const { from, to } = doc.line(line);
    const start = Math.min(to, from + Math.max(0, column - 1));
    return { from: start, to: Math.min(to, start + Math.max(1, length)) };
}

const DELAY = 120; // ms after the last key

export function editor(text, changed) {
    const words = new Compartment();
    let timer = null;
    let silent = false; // a text that was put there, not typed
    const view = new EditorView({
        state: EditorState.create({
            doc: text,
            extensions: [
                lineNumbers(),
                history(),
                highlightActiveLine(),
                bracketMatching(),
                language,
                syntaxHighlighting(colours),
                theme,
                lintGutter(),
                words.of([]),
                keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
                EditorView.contentAttributes.of({ "aria-label": texts.editorLabel, spellcheck: "false" }),
                EditorView.updateListener.of((update) => {
                    if (!update.docChanged || silent) return;
                    clearTimeout(timer);
                    timer = setTimeout(() => changed(view.state.doc.toString()), DELAY);
                }),
            ],
        }),
    });
    return {
        element: view.dom,
        view,
        get text() {
            return view.state.doc.toString();
        },
        set(next) {
            if (next === view.state.doc.toString()) return;
            clearTimeout(timer);
            silent = true;
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, selection: { anchor: 0 } });
            silent = false;
        },
        // messages with line, column, length, severity, text, hint
        mark(messages) {
            const { doc } = view.state;
            const all = messages
                .map((one) => ({
                    ...placeOf(doc, one),
                    severity: one.severity === "note" ? "info" : one.severity,
                    message: one.hint ? `${one.text}\n${one.hint}` : one.text,
                }))
                .sort((a, b) => a.from - b.from);
            view.dispatch(setDiagnostics(view.state, all));
        },
        goTo(message) {
            const { from, to } = placeOf(view.state.doc, message);
            view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
            view.focus();
        },
        complete(knowledge) {
            view.dispatch({ effects: words.reconfigure(autocompletion({ override: [completions(knowledge)], icons: false })) });
        },
    };
}
