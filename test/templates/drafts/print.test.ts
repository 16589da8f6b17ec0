import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import {
  Document,
  RecentPayload,
} from "../../../core/storage/database/index.js";
import { readError } from "../../support/caller.js";
import { definitionWithText } from "../../support/draft-client.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

describe("printing a draft", () => {
  const service = useService();
  let visitor: TestVisitor;
  before(async () => {
    visitor = await newVisitor(service, "editor");
  });
  const print = (body: object) =>
    visitor.send("POST", "/studio/api/drafts/print", body);
  const fetchBytes = async (body: object) =>
    new Uint8Array(await (await print(body)).arrayBuffer());
  const definition = {
    ...definitionWithText("Hello {{ root.name }}"),
    sample: { name: "Sample" },
    pdf: { title: "A title" },
  };

  it("returns the same PDF as a document, with its sample or other data, and its properties", async () => {
    const sampled = await pdfFacts(await fetchBytes({ definition }));
    expect(sampled.pages[0]).to.contain("Hello Sample");
    expect(sampled.info).to.include({ Title: "A title" });
    const data = { name: "Ada" };
    const facts = await pdfFacts(await fetchBytes({ definition, data }));
    expect(facts.pages[0]).to.contain("Hello Ada");
  });

  it("is not signed, so that it needs no certificate", async () => {
    const signed = { ...definition, pdf: { sign: true } };
    const bytes = await fetchBytes({ definition: signed });
    expect((await pdfFacts(bytes)).pages[0]).to.contain("Hello Sample");
    expect(Buffer.from(bytes).includes("/Sig")).to.equal(false);
  });

  it("returns html in a sandbox that is not cached", async () => {
    const answer = await print({ definition, format: "html" });
    expect(await answer.text()).to.contain("Hello Sample");
    const { headers } = answer;
    expect(headers.get("content-security-policy")).to.contain("sandbox");
    expect(headers.get("cache-control")).to.equal("no-store");
  });

  it("renders an email as in a window of that width", async () => {
    const email = { ...definitionWithText("Hello"), email: { subject: "S" } };
    const body = { templateType: "email", definition: email };
    const png = await fetchBytes({ ...body, format: "png", widthPx: 390 });
    expect(await sharp(png).metadata()).to.include({ width: 390 });
    expect((await print(body)).headers.get("content-type")).to.contain("html");
  });

  it("rejects a draft with problems and lists them", async () => {
    const answer = await print({
      definition: definitionWithText("{{ root. }}"),
    });
    expect(answer.status).to.equal(400);
    expect(await readError(answer)).to.contain("$.components[0].text");
  });

  it("stores no document and no payload", async () => {
    const { organizationId } = visitor;
    for (const entity of [Document, RecentPayload])
      expect(
        await service.store.read.countBy(entity, { organizationId }),
      ).to.equal(0);
  });
});
