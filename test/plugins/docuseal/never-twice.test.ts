import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { isAmbiguous } from "../../../core/integrations/host/index.js";
import { signRequest } from "../../support/signing-documents.js";
import { useDocuseal } from "./docuseal-setup.js";

const call = /^POST .*\/submissions\/pdf$/;
const failed = (error: unknown) => error;

describe("a start at DocuSeal without a response", () => {
  const docuseal = useDocuseal();
  afterEach(() => docuseal.fake.server.faults.clear());

  const after = ["lost", "silent", "bad-gateway"] as const;
  for (const fault of after)
    it(`is found when it had its effect (${fault})`, async () => {
      const { fake, provider } = docuseal;
      const request = await signRequest();
      const before = fake.submissions.length;
      fake.server.faults.next(call, fault);
      const error: unknown = await provider
        .start(request, { timeoutMs: 1500 })
        .catch(failed);
      expect(isAmbiguous(error)).to.equal(true);
      await fake.server.waitUntilSettled();
      const found = await provider.find(request.requestId);
      expect(found?.externalId).to.equal(String(fake.submissions.at(-1)?.id));
      expect(found?.signers.map(({ role }) => role)).to.deep.equal([
        "Buyer",
        "Seller",
      ]);
      expect(fake.submissions).to.have.length(before + 1);
    });

  const without = ["reset", "stall", "html"] as const;
  for (const fault of without)
    it(`is not found when it had no effect (${fault})`, async () => {
      const { fake, provider } = docuseal;
      const request = await signRequest();
      fake.server.faults.next(call, fault);
      const error: unknown = await provider
        .start(request, { timeoutMs: 1500 })
        .catch(failed);
      expect(isAmbiguous(error)).to.equal(true);
      expect(await provider.find(request.requestId)).to.equal(null);
    });

  it("is found later when DocuSeal is slow", async () => {
    const { fake, provider } = docuseal;
    const request = await signRequest();
    fake.server.faults.next(call, "late");
    await provider.start(request, { timeoutMs: 1500 }).catch(failed);
    expect(await provider.find(request.requestId)).to.equal(null);
    await fake.server.catchUp();
    expect(await provider.find(request.requestId)).not.to.equal(null);
  });

  it("leaves one submission each after a hundred starts", async () => {
    const { fake, provider } = docuseal;
    const before = fake.submissions.length;
    const requests = await Promise.all(
      Array.from({ length: 100 }, () => signRequest()),
    );
    fake.server.faults.next(call, "lost", 100);
    const ids = await Promise.all(
      requests.map(async (request) => {
        const error: unknown = await provider.start(request).catch(failed);
        expect(isAmbiguous(error)).to.equal(true);
        return (await provider.find(request.requestId))?.externalId;
      }),
    );
    expect(new Set(ids).size).to.equal(100);
    expect(fake.submissions).to.have.length(before + 100);
  });
});
