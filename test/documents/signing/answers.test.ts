import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { Document } from "../../../core/storage/database/index.js";
import { readError, replies } from "../../support/caller.js";
import {
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";

const schema = [
  {
    id: "root",
    fields: [],
    connection: {
      esignConnection: "template's",
      submitters: [{ role: "Buyer", email: "{{ root.mail }}" }],
    },
  },
];
const template = { schema, components: [signField("Signature")] };
const data = { mail: "b@example.com" };

describe("a request to have a document signed", () => {
  const { signing, request, caller, service } = useDocumentsToSign();
  const documents = () => service.store.read.count(Document);
  const post = async (body: object, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: {
        "x-api-key": caller().key,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(await request(template, { data, ...body })),
    });
  afterEach(() => {
    signing.onPrepare = signing.onComplete = signing.onStart = () => {};
  });

  it("passes on what the request, the template and the record define", async () => {
    const esignSettings = {
      submitters: [{ role: "Buyer", email: "c@example.com", order: 2 }],
      expiresAt: "2090-01-01",
      message: { subject: "Sign" },
    };
    const body = { esignConnection: "mine", esignSettings };
    const { signature } = await replies.exported(await post(body));
    expect(signature).to.include({ provider: "stand-in", status: "pending" });
    expect(signing.requests.at(-1)).to.deep.include({
      esignConnection: "mine",
      esignSettings,
      connection: schema[0]?.connection,
    });
    const [submitter] = signing.orders.at(-1)?.submitters ?? [];
    expect(submitter).to.include({ role: "Buyer", email: data.mail });
  });

  it("uses the PDF's title, or else the template's", async () => {
    await replies.exported(await post({}));
    expect(signing.documents.at(-1)).to.include({ title: "Letter" });
    const titled = { ...template, pdf: { title: "Contract {{ root.mail }}" } };
    const body = await request(titled, { data });
    await replies.exported(await caller().post("/api/export", body));
    expect(signing.documents.at(-1)).to.include({
      title: "Contract b@example.com",
    });
  });

  for (const step of ["onPrepare", "onComplete"] as const)
    it(`leaves nothing behind when it is rejected (${step})`, async () => {
      const before = await documents();
      signing[step] = () => {
        throw new PlatenError("invalid_request", "Nobody can sign this.");
      };
      const response = await post({});
      expect(response.status).to.equal(400);
      expect(response.headers.get("x-document-id")).to.equal(null);
      expect(await readError(response)).to.equal("Nobody can sign this.");
      expect(await documents()).to.equal(before);
    });

  it("succeeds even when the signing does not start at once", async () => {
    signing.onStart = () => {
      throw new Error("a fault");
    };
    const { pdf, signature } = await replies.exported(await post({}));
    expect(signature?.status).to.equal("starting");
    expect(pdf?.sizeBytes).to.be.greaterThan(0);
  });

  it("is sent once when the request is repeated", async () => {
    const body = await request(template, { data });
    const sent = signing.documents.length;
    const again = async () => {
      const headers = { "idempotency-key": "k1" };
      return replies.exported(await post(body, headers));
    };
    const { signature, ...first } = await again();
    const { signature: later, ...second } = await again();
    expect(second).to.eql(first);
    expect(later?.id).to.equal(signature?.id);
    expect(signing.documents.length - sent).to.equal(1);
  });
});
