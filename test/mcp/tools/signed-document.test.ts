import { expect } from "chai";
import { useEsign } from "../../support/esign.js";
import {
  toolClient,
  getToolResult,
  getToolError,
} from "../../support/tool-client.js";

const submitters = [{ role: "Buyer", email: "{{ root.mail }}" }];
const field = { type: "sign-field", field: "signature", name: "Signature" };
const definition = {
  schema: [{ id: "root", fields: [], connection: { submitters } }],
  components: [{ ...field, submitter: "Buyer" }],
};

describe("render_document with sendForSignature", () => {
  const harness = useEsign();

  /** Publishes the template and returns a function that renders it for signature, with or without settings. */
  const publishTemplate = async () => {
    const { service, caller, connectionId } = harness;
    const templateId = await caller.publish({ definition });
    const client = await toolClient(service, caller);
    return (esignSettings?: object) =>
      client.callTool({
        name: "render_document",
        arguments: {
          templateId,
          formats: ["pdf"],
          data: { mail: "buyer@example.com" },
          sendForSignature: true,
          esignConnection: connectionId,
          ...(esignSettings && { esignSettings }),
        },
      });
  };

  it("sends the PDF to the signers of the template, or to those of one document, and returns the status", async () => {
    const render = await publishTemplate();
    const { signature, pdf } = getToolResult(await render());
    expect(pdf).to.include.keys("url", "sizeBytes");
    expect(signature).to.include.keys("id", "status");
    expect(JSON.stringify(signature)).to.contain("buyer@example.com");
    const other = getToolResult(
      await render({
        submitters: [{ role: "Buyer", email: "other@example.com" }],
        expiresAt: "2099-01-31",
        message: { subject: "Please sign" },
      }),
    );
    expect(JSON.stringify(other["signature"]))
      .to.contain("other@example.com")
      .and.not.contain("buyer@example.com");
  });

  it("names every wrong signing setting by its argument and sends nothing", async () => {
    const render = await publishTemplate();
    const rejected = async (esignSettings: object) =>
      getToolError(await render(esignSettings)).problems.map(
        ({ path }) => path,
      );
    const one = { role: "Buyer", email: "b@example.com" };
    for (const [settings, ...paths] of [
      [
        { submitters: [one, one], expiresAt: "2001-01-31" },
        "submitters[1].role",
        "expiresAt",
      ],
      [{ submitters: [{ ...one, role: "Seller" }] }, "submitters[0].role"],
      [{ submitters: [{ ...one, email: "b" }] }, "submitters[0].email"],
      [{ signers: [one] }, "signers"],
    ] as const)
      expect(await rejected(settings)).to.deep.equal(
        paths.map((path) => `esignSettings.${path}`),
      );
  });
});
