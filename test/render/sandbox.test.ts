import { expect } from "chai";
import { recordingLog } from "../support/recording-log.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("the browser's sandbox", () => {
  it("is off when the setting says so, and printing works", async () => {
    const renderer = await startRenderer({ sandbox: "off", pages: 1 });
    const job = { html: page("x"), deadline: ample() };
    expect(renderer.health().browser?.isSandboxed).to.equal(false);
    expect((await renderer.pdf(job)).pages).to.equal(1);
    await renderer.stop();
  });

  for (const [sandbox, words] of [
    ["off", "sandbox OFF"],
    ["auto", "sandbox o"],
  ] as const)
    it(`is told by the log at the start, with the browser's user (${sandbox})`, async () => {
      const { log, text } = recordingLog();
      const renderer = await startRenderer({ sandbox, pages: 1, log });
      await renderer.stop();
      const line = text()
        .split("\n")
        .find((one) => one.includes("browser started"));
      expect(line?.toLowerCase()).to.include(words.toLowerCase());
      const isRoot = process.getuid?.() === 0;
      expect(line?.includes('"uid":')).to.equal(isRoot);
    });
});
