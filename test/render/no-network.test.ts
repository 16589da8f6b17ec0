import { expect } from "chai";
import { listenForLeaks } from "../support/canary.js";
import { networkVectors } from "../support/network-vectors.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";
import { openUnguarded } from "../support/unguarded-browser.js";

/** How many ways work in a browser that nothing holds back, at the least: it proves that the canary hears. */
const OPEN_WAYS = 20;

describe("a document", () => {
  const folder = suiteFolder();

  it("reaches nobody over the network, by whatever way it tries", async () => {
    const renderer = await sharedRenderer();
    const canary = await listenForLeaks();
    const vectors = Object.entries(networkVectors(canary.url));
    for (const [name, inside] of vectors) {
      const html = page(inside);
      const { pages } = await renderer.pdf({ html, deadline: ample() });
      expect(pages, name).to.be.at.least(1);
      await renderer.screenshot({
        html,
        widthPx: 300,
        type: "png",
        scale: 1,
        deadline: ample(),
      });
    }
    const control = await listenForLeaks();
    const leaky = Object.values(networkVectors(control.url)).join("\n");
    await openUnguarded(
      page(leaky),
      folder,
      () => new Set(control.heard.paths).size >= OPEN_WAYS,
    );
    expect(canary.heard).to.deep.equal({ paths: [], connections: 0 });
    await Promise.all([canary.close(), control.close()]);
  });

  it("reads no file of the machine", async () => {
    const renderer = await sharedRenderer();
    const print = async (file: string) => {
      const sources = ["iframe src", "embed src", "img src", "object data"];
      const html = page(
        sources.map((source) => `<${source}="file://${file}">`).join("<br>"),
      );
      return (await renderer.pdf({ html, deadline: ample() })).bytes.length;
    };
    expect(await print("/etc/os-release")).to.equal(await print("/nowhere/x"));
  });
});
