import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { addAsset, renamedFont } from "../../support/assets.js";
import { fontNames, pdfText } from "../../support/read-pdf.js";
import { publish } from "../../support/store.js";

const signature = { "font-family": "'acme hands'" };
const inBody = { type: "text", text: "Yours, Zoë", style: signature };
const inHeader = {
  components: [{ type: "text", text: "Header hand", style: signature }],
};
const definition = (more: object) => ({ schema: [], components: [], ...more });

describe("an organization's font", () => {
  const service = useService();
  let caller: TestCaller;
  let stranger: TestCaller;

  before(async () => {
    caller = await newCaller(service);
    stranger = await newCaller(service);
    const font = await renamedFont();
    const added = await addAsset(service, caller, "hands.ttf", font);
    expect(added).to.include({ assetType: "font", mimeType: "font/ttf" });
    expect(added.details).to.deep.equal({
      family: "Acme Hands",
      weight: "400",
      style: "normal",
    });
  });

  async function getPdf(who: TestCaller, more: object): Promise<Buffer> {
    const templateId = await publish(service.store, who, {
      definition: definition(more),
    });
    const { result } = await exported(who, { templateId, formats: ["pdf"] });
    const file = await fetch(result.pdf?.url ?? "");
    return Buffer.from(await file.arrayBuffer());
  }

  for (const [place, more] of [
    ["text", { components: [inBody] }],
    ["a header", { page: { header: inHeader } }],
    [
      "a named style",
      {
        styles: { hand: signature },
        components: [{ type: "text", text: "By class", class: "hand" }],
      },
    ],
  ] as const)
    it(`is used in ${place} that names its family, ignoring case`, async () => {
      const names = fontNames(await getPdf(caller, more));
      expect(names.join()).to.match(/AcmeHands|GreatVibes/);
    });

  it("is included in the html of documents that name it and in no others", async () => {
    for (const [components, times] of [
      [[inBody], 1],
      [[{ type: "text", text: "plain" }], 0],
    ] as const) {
      const templateId = await publish(service.store, caller, {
        definition: definition({ components }),
      });
      const { result } = await exported(caller, {
        templateId,
        formats: ["html"],
      });
      const faces = (result.html?.htmlDocument ?? "").match(/@font-face/g);
      expect(faces ?? []).to.have.length(times);
    }
  });

  it("is not available to other organizations", async () => {
    const pdf = await getPdf(stranger, { components: [inBody] });
    expect(fontNames(pdf).join()).not.to.match(/AcmeHands|GreatVibes/);
    expect(await pdfText(pdf)).to.contain("Yours, Zoë");
  });
});
