// lesson_panel.js: a lesson beside the model: what to do, what to ask, and what to see.
import { h } from "../src/dom.js";
import { LESSONS } from "./lessons.js";
import { texts } from "./texts.js";

export function lessonPanel(session) {
    const element = h("section", { class: "panel lesson", hidden: true, "aria-label": texts.lesson });
    const choice = h(
        "select",
        { "aria-label": texts.lessons, onchange: () => show(Number(choice.value)) },
        h("option", { value: -1 }, texts.lessons),
        LESSONS.map(({ title }, k) => h("option", { value: k }, `${k + 1}. ${title}`)),
    );
    function act({ sets = {}, formulation, all }) {
        session.change({
            sets: { ...session.state.sets, ...sets },
            ...(formulation === undefined ? {} : { formulation }),
            ...(all === undefined ? {} : { all }),
        });
        session.tell("opened");
    }
    function show(k) {
        const lesson = LESSONS[k];
        element.hidden = !lesson;
        choice.value = lesson ? k : -1;
        if (!lesson) return;
        history.replaceState(null, "", `#lesson=${encodeURIComponent(lesson.id)}`);
        element.replaceChildren(
            h("h2", {}, `${k + 1}. ${lesson.title}`),
            ...lesson.text.map((paragraph) => h("p", {}, paragraph)),
            h(
                "div",
                { class: "steps" },
                lesson.steps.map(({ label, ...what }) => h("button", { type: "button", onclick: () => act(what) }, label)),
            ),
            h("details", { class: "folded" }, h("summary", {}, `${texts.question}: ${lesson.question}`), h("p", {}, lesson.answer)),
            h("p", {}, lesson.verdict),
            h(
                "div",
                { class: "steps" },
                k > 0 && h("button", { type: "button", class: "quiet", onclick: () => show(k - 1) }, texts.previousLesson),
                k + 1 < LESSONS.length && h("button", { type: "button", onclick: () => show(k + 1) }, texts.nextLesson),
                h("button", { type: "button", class: "quiet", onclick: () => show(-1) }, texts.leaveLesson),
            ),
        );
        session.open(`/models/lessons/${lesson.id}.yaml`, lesson.model);
    }
    return { element, choice, open: (id) => show(LESSONS.findIndex((lesson) => lesson.id === id)) };
}
