import { expect } from "chai";
import { recordingLog } from "../support/recording-log.js";
import { ample, page, startRenderer } from "../support/renderer.js";

/** What the log says at the start, and whether the browser is sandboxed once it has printed. */
async function started(sandbox: "off" | "auto") {
  const { log, text } = recordingLog();
  const renderer = await startRenderer({ sandbox, pages: 1, log });
  const job = { html: page("x"), deadline: ample() };
  const { pages } = await renderer.pdf(job);
  const { browser } = renderer.health();
  await renderer.stop();
  const line = text()
    .split("\n")
    .find((one) => one.includes("browser started"));
  return { pages, line, isSandboxed: browser?.isSandboxed };
}

describe("the browser's sandbox", () => {
  it("is off when the setting says so, and printing works", async () => {
    const { pages, line, isSandboxed } = await started("off");
    expect(pages).to.equal(1);
    expect(isSandboxed).to.equal(false);
    expect(line).to.include("sandbox OFF");
  });

  it("is logged at the start, with the browser's user", async () => {
    const { line, isSandboxed } = await started("auto");
    expect(line).to.include(`sandbox ${isSandboxed ? "on" : "OFF"}`);
    const isRoot = process.getuid?.() === 0;
    expect(line?.includes('"uid":')).to.equal(isRoot);
  });
});
