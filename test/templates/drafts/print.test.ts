import { expect } from "chai";
import sharp from "sharp";
import { Document } from "../../../core/storage/database/index.js";
import { readError } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { definitionWithText } from "../../support/draft-client.js";
import { plain } from "../../support/image-gallery.js";
import { useMailServer } from "../../support/mail-server.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { printingBy } from "../../support/renderer.js";
import { useService, TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
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

const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  email: { subject: "Hello {{ root.name }}", preheader: "Only in the inbox" },
  components: [
    { type: "text", text: "Dear {{ root.name }}, tea & cake" },
    { type: "button", text: "Open", href: "https://x.example/?a=1&b=2" },
    { type: "qrcode", value: "A-1" },
    {
      type: "image",
      src: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>",
      alt: "Logo",
    },
    {
      type: "social",
      items: [{ network: "linkedin", href: "https://l.example" }],
    },
  ],
  sample: { name: "Sample" },
};

const send = (visitor: TestVisitor, body: object = { definition }) =>
  visitor.send("POST", "/studio/api/drafts/send-test", body);

describe("a test of an email template", () => {
  const server = useMailServer();
  const folder = suiteFolder();
  let service: TestService;
  let visitor: TestVisitor;
  before(async () => {
    const mail = { smtpUrl: server.url, from: "Platen <p@example.com>" };
    service = new TestService(folder, { config: { mail } });
    await service.start();
    visitor = await newVisitor(service, "editor");
  });
  after(() => service.stop());

  it("is sent to one's own address alone, with the sample and a subject that says so", async () => {
    const mail = server.next();
    const body = {
      definition,
      to: "other@example.com",
      address: "x@y.example",
    };
    const answer = await send(visitor, body);
    expect(await answer.json()).to.eql({ address: visitor.email });
    const { to, text } = await mail;
    expect(to).to.eql([visitor.email]);
    expect(text)
      .to.include("Subject: [Test] Hello Sample")
      .and.to.include("From: Platen <p@example.com>");
    expect(await service.store.read.countBy(Document, {})).to.equal(0);
  });

  it("shows the record that was chosen", async () => {
    const mail = server.next();
    await send(visitor, { definition, data: { name: "Ada" } });
    expect((await mail).text).to.include("Dear Ada, tea &amp; cake");
  });

  it("has its words as plain text too, with the URLs of its links", async () => {
    const mail = server.next();
    await send(visitor);
    const { text } = await mail;
    expect(text).to.include("multipart/alternative");
    const part = /text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(text)?.[1] ?? "";
    expect(part).to.include("Dear Sample, tea & cake");
    expect(part).to.include("Open: https://x.example/?a=1&b=2");
    expect(part).to.include("LinkedIn: https://l.example");
    expect(part).not.to.include("inbox");
  });

  it("has its images attached, drawings as PNG, so that every mailbox shows them", async () => {
    const photo = await plain("teal").jpeg().toBuffer();
    const src = `data:image/jpeg;base64,${photo.toString("base64")}`;
    const image = { type: "image", src, alt: "Photo" };
    const components = [...definition.components, image];
    const mail = server.next();
    await send(visitor, { definition: { ...definition, components } });
    const { text, source } = await mail;
    const shown = [...text.matchAll(/src="cid:([^"]+)"/g)].map(([, id]) => id);
    expect(text).not.to.include("/cdn/").and.not.to.include('src="data:');
    const parts = source.split(/\r\n--[^\r\n]+\r\n/);
    const attached = shown.map(async (id) => {
      const part = parts.find((one) => one.includes(`<${id}>`)) ?? "";
      const [head = "", base64 = ""] = part.split("\r\n\r\n");
      const bytes = Buffer.from(base64, "base64");
      const { format } = await sharp(bytes).metadata();
      const [name] = /inline; filename=\S+/.exec(head) ?? [];
      return [/image\/\w+/.exec(head)?.[0], format, name].join(" ");
    });
    expect(await Promise.all(attached)).to.deep.equal([
      "image/png png inline; filename=image-1.png",
      "image/png png inline; filename=image-2.png",
      "image/png png inline; filename=image-3.png",
      "image/jpeg jpeg inline; filename=image-4.jpg",
    ]);
  });

  it("is refused with the server's reply when the server does not take it", async () => {
    const refused = await newVisitor(service, "editor");
    server.refused.add(refused.email);
    const answer = await send(refused);
    expect(answer.status).to.equal(503);
    expect(await readError(answer)).to.match(
      /^The mail server did not take the email: .*550 No such mailbox here/,
    );
  });

  it("is limited to a few in a minute", async () => {
    const one = await newVisitor(service, "editor");
    let answer = await send(one, { definition: null });
    for (let made = 1; made <= 12 && answer.status === 400; made++)
      answer = await send(one, { definition: null });
    expect(answer.status).to.equal(429);
  });
});
