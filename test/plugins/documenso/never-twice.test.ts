import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import {
  isAmbiguous,
  findPlatformError,
} from "../../../core/integrations/host/index.js";
import { box, signRequest } from "../../support/signing-documents.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { useProvider } from "../../support/esign.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";

const failed = (error: unknown) => error;
const calls = {
  create: /envelope\/create$/,
  distribute: /envelope\/distribute$/,
  "the state": /GET .*envelope\/envelope_/,
};

describe("a start at Documenso that fails halfway", () => {
  const documenso = useProvider(documensoPlugin, () => FakeDocumenso.start());
  afterEach(() => documenso.fake.server.faults.clear());

  for (const [name, call] of Object.entries(calls))
    for (const fault of ["lost", "silent", "bad-gateway", "reset"] as const)
      it(`is completed by the next one without a duplicate: ${name}, ${fault}`, async () => {
        const { fake, provider } = documenso;
        const before = fake.envelopes.length;
        const request = await signRequest();
        fake.server.faults.next(call, fault);
        const error: unknown = await provider
          .start(request, { timeoutMs: 1500 })
          .catch(failed);
        expect(isAmbiguous(error)).to.equal(true);
        await fake.server.waitUntilSettled();
        const found =
          (await provider.find(request.requestId)) ??
          (await provider.start(request));
        expect(fake.envelopes).to.have.length(before + 1);
        const only = fake.envelope(found.externalId);
        expect(only.status).to.equal("PENDING");
        expect(only.mails).to.deep.equal([
          { to: "buyer@example.com", kind: "request" },
        ]);
      });

  it("does not find a draft that was never sent", async () => {
    const { fake, provider } = documenso;
    const request = await signRequest();
    fake.server.faults.next(calls.distribute, "stall");
    await provider.start(request, { timeoutMs: 300 }).catch(failed);
    expect(await provider.find(request.requestId)).to.equal(null);
  });

  it("leaves nothing behind when Documenso refuses to send it", async () => {
    const { fake, provider } = documenso;
    const before = fake.envelopes.length;
    const fields = [box("Buyer"), box("Seller", { type: "text" })];
    const error: unknown = await provider
      .start(await signRequest({ fields }))
      .catch(failed);
    expect(isAmbiguous(error)).to.equal(false);
    expect(findPlatformError(error)?.message).to.contain("no signature field");
    expect(fake.envelopes).to.have.length(before);
    expect(fake.violations).to.deep.equal([]);
  });
});
