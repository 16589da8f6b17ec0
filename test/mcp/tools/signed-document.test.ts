import { expect } from "chai";
import { describe, it } from "mocha";
import { useEsign } from "../../support/esign.js";
import { publish } from "../../support/store.js";
import { toolClient, answerIn } from "../../support/tool-client.js";

const submitters = [{ role: "Buyer", email: "{{ root.mail }}" }];
const field = { type: "sign-field", field: "signature", name: "Signature" };
const definition = {
  schema: [{ id: "root", fields: [], connection: { submitters } }],
  components: [{ ...field, submitter: "Buyer" }],
};

describe("render_document with sendForSignature", () => {
  const bench = useEsign();

  it("sends the PDF to its signers and returns the status", async () => {
    const { service, caller, connectionId } = bench;
    const templateId = await publish(service.store, caller, { definition });
    const client = await toolClient(service, caller);
    const result = await client.callTool({
      name: "render_document",
      arguments: {
        templateId,
        formats: ["pdf"],
        data: { mail: "buyer@example.com" },
        sendForSignature: true,
        esignConnection: connectionId,
      },
    });
    const { signature, pdf } = answerIn(result);
    expect(pdf).to.include.keys("url", "sizeBytes");
    expect(signature).to.include.keys("id", "status");
    expect(JSON.stringify(signature)).to.contain("buyer@example.com");
  });
});
