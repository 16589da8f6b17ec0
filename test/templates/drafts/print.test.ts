import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import {
  Document,
  RecentPayload,
} from "../../../core/storage/database/index.js";
import { readError } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { definitionWithText } from "../../support/draft-client.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { printingBy } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

const printNothing = (visitor: TestVisitor) =>
  visitor.send("POST", "/studio/api/drafts/print", {});

describe("printing a draft", () => {
  useFixedTime();
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

  it("is rate-limited so that programs cannot replace documents by prints", async () => {
    const one = await newVisitor(service, "editor");
    for (let made = 0; made < 120; made++)
      expect((await printNothing(one)).status).to.equal(400);
    const answer = await printNothing(one);
    expect(answer.status).to.equal(429);
    expect(answer.headers.get("retry-after")).to.match(/^\d+$/);
    expect(await readError(answer)).to.contain("120 requests in a minute");
    const other = await newVisitor(service, "editor", one.organizationId);
    expect((await printNothing(other)).status).to.equal(400);
  });

  it("requires the permission to create documents", async () => {
    const viewer = await newVisitor(service, "viewer");
    const answer = await printNothing(viewer);
    expect(await readError(answer)).to.contain("requires the role editor");
  });
});

describe("a browser that cancels its request for a print", () => {
  const dropped = new AbortController();
  let end: (reason: string) => void;
  const ended = new Promise<string>((resolve) => (end = resolve));
  const service = useService({
    replace: printingBy(
      ({ deadline }) =>
        new Promise((_resolve, reject) => {
          deadline.signal.addEventListener("abort", () => {
            end(String(deadline.signal.reason));
            reject(deadline.error("printing"));
          });
          dropped.abort();
        }),
    ),
  });

  it("ends the print", async () => {
    const visitor = await newVisitor(service, "editor");
    const response = await fetch(`${service.url}/studio/api/drafts/print`, {
      method: "POST",
      headers: {
        cookie: visitor.cookie,
        "x-platen-app": "studio",
        "content-type": "application/json",
      },
      body: JSON.stringify({ definition: definitionWithText("Hello") }),
      signal: dropped.signal,
    }).catch((error: unknown) => String(error));
    expect(response).to.contain("AbortError");
    expect(await ended).to.contain("client closed the connection");
  });
});
