import { expect } from "chai";
import type { Isolation } from "../../core/rendering/index.js";
import { listenForLeaks } from "../support/canary.js";
import { networkVectors } from "../support/network-vectors.js";
import {
  ample,
  page,
  sharedRenderer,
  startRenderer,
} from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";
import { openUnguarded } from "../support/unguarded-browser.js";

/** Where less is shared the walls are the same: all ways are tried in a few documents. */
const apart: readonly Isolation[] = ["organization", "document"];
const DOCUMENTS = 6;

/** As many as were once found, at the least. */
const KNOWN_WAYS = 39;

const small = { widthPx: 300, type: "png", scale: 1 } as const;

/** How many ways work in a browser that nothing holds back, at the least: it proves that the canary hears. */
const OPEN_WAYS = 20;

async function hearsNothing(
  isolation: Isolation,
  documents: (vectors: [string, string][]) => [string, string][],
): Promise<void> {
  const renderer = await startRenderer({ isolation });
  const canary = await listenForLeaks();
  const vectors = Object.entries(networkVectors(canary.url));
  expect(vectors.length).to.be.at.least(KNOWN_WAYS);
  for (const [name, inside] of documents(vectors)) {
    const job = { html: page(inside), owner: "one", deadline: ample() };
    expect((await renderer.pdf(job)).pages, name).to.be.at.least(1);
    await renderer.screenshot({ ...job, ...small });
  }
  await renderer.stop();
  expect(canary.heard).to.deep.equal({ paths: [], connections: 0 });
  await canary.close();
}

describe("a document", () => {
  const folder = suiteFolder();

  it("reaches no server, whatever feature it uses", () =>
    hearsNothing("shared", (vectors) => vectors));

  for (const isolation of apart)
    it(`reaches no server by several features together (${isolation})`, () =>
      hearsNothing(isolation, (vectors) =>
        Array.from({ length: DOCUMENTS }, (_, turn) => {
          const own = vectors.filter((_way, at) => at % DOCUMENTS === turn);
          const insides = own.map(([, inside]) => inside);
          return [own.map(([name]) => name).join(), insides.join("\n")];
        }),
      ));

  it("would reach the server without the protection", async () => {
    const control = await listenForLeaks();
    const leaky = Object.values(networkVectors(control.url)).join("\n");
    await openUnguarded(
      page(leaky),
      folder,
      () => new Set(control.heard.paths).size >= OPEN_WAYS,
    );
    await control.close();
  });

  it("cannot read files of the machine", async () => {
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
