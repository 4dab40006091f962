// lessons.js: short guided pages, each a model with questions and sliders.

export const LESSONS = [];
