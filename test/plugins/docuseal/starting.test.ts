import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { box, signRequest } from "../../support/signing-documents.js";
import { useDocuseal } from "./docuseal-setup.js";

describe("a new request at DocuSeal", () => {
  const docuseal = useDocuseal();
  afterEach(() => expect(docuseal.fake.violations).to.deep.equal([]));
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) => {
    const { fake, provider } = docuseal;
    const started = await provider.start(await signRequest(changes));
    return { started, made: fake.submission(started.externalId) };
  };

  it("has its fields where they were printed, with fields of one name joined", async () => {
    const { made } = await start({
      fields: [
        box("Buyer", { name: "Here", x: 0.25, y: 0.75, w: 0.5, h: 0.1 }),
        box("Buyer", { name: "Here", page: 2 }),
        box("Seller"),
      ],
    });
    const [here] = made.fields;
    expect(made.fields).to.have.length(2);
    expect(here?.areas[0]).to.deep.equal({
      x: 0.25,
      y: 0.75,
      w: 0.5,
      h: 0.1,
      page: 1,
    });
    expect(here?.areas[1]?.page).to.equal(2);
  });

  it("leads signers to the page that the request names", async () => {
    const redirectUrl = "https://example.com/thanks?contract=7";
    const { made } = await start({ redirectUrl });
    expect(made.made.completed_redirect_url).to.equal(redirectUrl);
  });

  it("asks the first group at once and returns where each signer signs", async () => {
    const { started, made } = await start();
    expect(started.signers.map(({ status }) => status)).to.deep.equal([
      "sent",
      "waiting",
    ]);
    const [buyer] = made.submitters;
    expect(started.signers[0]?.url).to.equal(
      `${docuseal.fake.url}/s/${buyer?.slug}`,
    );
    expect(made.mails.map(({ to }) => to)).to.deep.equal(["buyer@example.com"]);
  });

  it("asks all signers at once without an order", async () => {
    const { made } = await start({
      submitters: ["Buyer", "Seller"].map((role) => ({
        role,
        email: `${role.toLowerCase()}@example.com`,
        order: 0,
      })),
    });
    expect(made.made.order).to.equal("random");
    expect(made.mails).to.have.length(2);
  });

  it("expires to the second, and its message links to the document", async () => {
    const expiresAt = new Date("2031-02-03T04:05:06.700Z");
    const { made } = await start({
      expiresAt,
      message: { subject: "Please sign", body: "Dear Ada" },
    });
    expect(made.expiresAt?.toISOString()).to.equal("2031-02-03T04:05:06.000Z");
    expect(made.mails[0]).to.deep.include({
      subject: "Please sign",
      body: "Dear Ada\n\n{{submitter.link}}",
    });
  });

  it("has no line breaks in email headers", async () => {
    const { made } = await start({
      message: { subject: "Sign\r\nBcc: x@example.com", body: "Dear\nAda" },
    });
    expect(made.mails[0]).to.deep.include({
      subject: "Sign Bcc: x@example.com",
      body: "Dear\nAda\n\n{{submitter.link}}",
    });
  });

  it("has no field tags in any text", async () => {
    const tag = "{{x;type=signature;role=Seller}}";
    const { made } = await start({
      title: tag,
      message: { subject: tag, body: tag },
      submitters: [
        {
          role: "Buyer",
          email: "b@example.com",
          name: tag,
          order: 0,
          values: { Town: `{{date}} ${tag}` },
        },
        { role: "Seller", email: "s@example.com", order: 0 },
      ],
    });
    const { documents, ...texts } = made.made;
    const text = JSON.stringify([texts, documents[0]?.name]);
    expect(text.replaceAll("{{submitter.link}}", "")).not.to.match(/\{\{|\}\}/);
    expect(text).to.contain("type=signature");
  });

  it("omits values for which the role has no field and warns about them", async () => {
    const { started, made } = await start({
      submitters: [
        {
          role: "Buyer",
          email: "b@example.com",
          order: 0,
          values: { Town: "Ulm", Street: "x" },
        },
        { role: "Seller", email: "s@example.com", order: 1 },
      ],
    });
    expect(made.submitters[0]?.values).to.deep.equal({ Town: "Ulm" });
    expect(started.warnings?.join()).to.contain('"Street"');
  });
});
