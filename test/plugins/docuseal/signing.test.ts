import { expect } from "chai";
import { describe, it } from "mocha";
import { findPlatformError } from "../../../core/integrations/host/index.js";
import { pdfText } from "../../support/read-pdf.js";
import { signRequest } from "../../support/signing-documents.js";
import { useDocuseal } from "./docuseal-setup.js";

describe("a request at DocuSeal", () => {
  const docuseal = useDocuseal();
  const start = async (changes: Parameters<typeof signRequest>[0] = {}) =>
    (await docuseal.provider.start(await signRequest(changes))).externalId;
  const getStatus = async (id: string) => {
    const { status, signers } = await docuseal.provider.status(id);
    return [status, ...signers.map((signer) => signer.status)];
  };

  it("passes from signer to signer until it is completed", async () => {
    const { fake } = docuseal;
    const id = await start();
    expect(await getStatus(id)).to.deep.equal(["pending", "sent", "waiting"]);
    await fake.open(id, "Buyer");
    expect(await getStatus(id)).to.deep.equal(["pending", "opened", "waiting"]);
    await fake.complete(id, "Buyer");
    expect(await getStatus(id)).to.deep.equal(["pending", "completed", "sent"]);
    await fake.complete(id, "Seller");
    expect(await getStatus(id)).to.deep.equal([
      "completed",
      "completed",
      "completed",
    ]);
  });

  it("is declined with the signer's reason", async () => {
    const id = await start();
    await docuseal.fake.decline(id, "Buyer", "Too dear");
    const { status, signers } = await docuseal.provider.status(id);
    expect(status).to.equal("declined");
    expect(signers[0]).to.include({ status: "declined", reason: "Too dear" });
  });

  it("is downloaded with its audit trail, even after the first links have expired", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await fake.complete(id, "Buyer", { Town: "Ulm" });
    await fake.complete(id, "Seller");
    for (const laterMs of [0, 41 * 60_000]) {
      fake.server.clock.advance(laterMs);
      const [signed, audit, ...more] = await provider.download(id);
      expect(more).to.deep.equal([]);
      expect(await pdfText(signed?.bytes ?? new Uint8Array())).to.contain(
        "Ulm",
      );
      expect(audit?.label).to.equal("audit");
    }
  });

  it("is downloaded from the storage to which its links redirect", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await fake.complete(id, "Buyer");
    await fake.complete(id, "Seller");
    fake.hasStorage = true;
    const files = await provider.download(id);
    fake.hasStorage = false;
    expect(files).to.have.length(2);
  });

  it("can be canceled more than once", async () => {
    const { provider } = docuseal;
    const id = await start();
    await provider.cancel(id);
    await provider.cancel(id);
    expect((await provider.status(id)).status).to.equal("canceled");
  });

  it("reminds only the signers whose turn it is", async () => {
    const { fake, provider } = docuseal;
    const id = await start();
    await provider.resend(id);
    expect(
      fake.submission(id).mails.map(({ to, kind }) => [to, kind]),
    ).to.deep.equal([
      ["buyer@example.com", "request"],
      ["buyer@example.com", "reminder"],
    ]);
    expect(fake.violations).to.deep.equal([]);
  });

  it("expires at its time", async () => {
    const { fake } = docuseal;
    const expiresAt = new Date(fake.server.clock.now.getTime() + 60_000);
    const id = await start({ expiresAt });
    fake.server.clock.advance(61_000);
    expect((await getStatus(id))[0]).to.equal("expired");
  });

  it("is not found after it was deleted there", async () => {
    const error: unknown = await docuseal.provider
      .status("999999")
      .catch((thrown: unknown) => thrown);
    expect(findPlatformError(error)?.code).to.equal("not_found");
  });
});
