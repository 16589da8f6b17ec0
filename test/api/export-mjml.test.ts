import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const remote = "https://images.example/a.png?size=1&crop=2";
const content = [
  { type: "text", text: "Dear {{ root.name }}" },
  { type: "image", src: "{{ root.picture }}", alt: "A picture" },
];
const schema = [{ id: "root", fields: [] }];
const email = {
  schema,
  email: { subject: "Hello" },
  components: [
    { type: "section", components: [{ type: "column", components: content }] },
  ],
};
const data = { name: "Åsa & Co", picture: remote };

describe("the format mjml", () => {
  const service = useService();
  let caller: TestCaller;
  let ofEmail: string;
  let ofDocument: string;

  before(async () => {
    caller = await newCaller(service);
    ofEmail = await publish(service.store, caller, {
      templateType: "email",
      definition: email,
    });
    ofDocument = await publish(service.store, caller, {
      definition: { schema, components: content },
    });
  });

  it("returns an email's source with the merged data", async () => {
    const { result, document } = await exported(caller, {
      templateId: ofEmail,
      formats: ["mjml"],
      data,
    });
    expect(result.mjml).to.include({ mimeType: "text/mjml", url: "" });
    expect(result.mjml?.mjmlDocument)
      .to.match(/^<mjml/)
      .and.contain("Dear Åsa &amp; Co")
      .and.not.contain("{{");
    const [output] = document.outputs;
    expect(output).to.include({
      label: "mjml",
      checksum: result.mjml?.checksum,
    });
    const stored = await (await fetch(output?.url ?? "")).text();
    expect(stored).to.equal(result.mjml?.mjmlDocument);
  });

  it("returns a document's source too", async () => {
    const { result } = await exported(caller, {
      templateId: ofDocument,
      formats: ["mjml"],
      data,
    });
    expect(result.mjml?.mjmlDocument).to.contain("Dear Åsa &amp; Co");
  });

  it("leaves remote images to the recipient and reports none", async () => {
    const { result, headers } = await exported(caller, {
      templateId: ofEmail,
      formats: ["mjml", "html"],
      data,
    });
    const address = remote.replace("&", "&amp;");
    expect(result.mjml?.mjmlDocument).to.contain(address);
    expect(result.html?.htmlDocument).to.contain(address);
    expect(headers.get("x-render-warnings")).to.equal("0");
  });

  it("reports remote images when the email is also printed", async () => {
    const { headers } = await exported(caller, {
      templateId: ofEmail,
      formats: ["mjml", "pdf"],
      data,
    });
    expect(headers.get("x-render-warnings")).to.equal("1");
  });
});
