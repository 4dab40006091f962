// unpack.js: the only script of the page that is not packed: it unpacks the others.

async function unpack(id) {
    const text = atob(document.getElementById(id).textContent.trim());
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}

async function begin() {
    try {
        const code = await (await unpack("slipstick-script")).text();
        const script = document.createElement("script");
        script.dataset.unpacked = "";
        script.textContent = code;
        window.slipstickEngine = document.getElementById("slipstick-engine")
            ? unpack("slipstick-engine").then((response) => response.arrayBuffer())
            : null;
        document.body.append(script);
    } catch (error) {
        document.getElementById("page").textContent = `This browser cannot unpack the laboratory: ${error.message}`;
    }
}
begin();
