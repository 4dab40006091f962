import uPlot from "uplot";

export function start(three) {
    const data = JSON.parse(document.getElementById("slipstick-data").textContent);
    document.getElementById("page").textContent = `${data.title} ${typeof uPlot} ${three ? three.REVISION : ""}`;
}
