import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import {
  isAmbiguous,
  findPlatformError,
} from "../../../core/integrations/host/index.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { signRequest } from "../../support/signing-documents.js";
import { connectedEsign } from "../../support/esign.js";
import { useDocuseal } from "./docuseal-setup.js";

const failed = (error: unknown) => error;

describe("errors from DocuSeal", () => {
  const docuseal = useDocuseal();
  afterEach(() => {
    docuseal.fake.edition = "pro";
    docuseal.fake.isForbidden = false;
  });
  /** What a start is refused with; it has left nothing. */
  const rejection = async (provider = docuseal.provider) => {
    const before = docuseal.fake.submissions.length;
    const request = await signRequest();
    const error: unknown = await provider.start(request).catch(failed);
    expect(isAmbiguous(error)).to.equal(false);
    expect(docuseal.fake.submissions).to.have.length(before);
    const { code, message } = findPlatformError(error) ?? {};
    return { code, message };
  };

  it("name the free edition when it lacks the feature", async () => {
    docuseal.fake.edition = "free";
    const { code, message } = await rejection();
    expect(code).to.equal("unsupported");
    expect(message).to.contain("Pro Edition").and.contain("free edition");
  });

  it("report an invalid key without revealing it", async () => {
    const { url } = docuseal.fake;
    const apiKey = "nobody knows this one";
    const { code, message } = await rejection(
      connectedEsign(docusealPlugin, { url, apiKey }),
    );
    expect(code).to.equal("auth");
    expect(message).to.contain("API key").and.not.contain(apiKey);
  });

  it("are forbidden for a key without permission", async () => {
    docuseal.fake.isForbidden = true;
    expect((await rejection()).code).to.equal("forbidden");
  });

  it("include DocuSeal's own message for invalid requests", async () => {
    const { fake, provider } = docuseal;
    const bytes = new TextEncoder().encode("no pdf");
    const pdf = { name: "x", bytes, pages: 2 };
    const error: unknown = await provider
      .start(await signRequest({ pdf }))
      .catch(failed);
    expect(findPlatformError(error)?.code).to.equal("invalid_field");
    expect(String(error)).to.contain("The file is no PDF");
    expect(fake.violations).to.deep.equal([]);
  });

  it("are retried after the wait for a rate limit, and then reported", async () => {
    const { fake, provider } = docuseal;
    const pdf = /\/submissions\/pdf$/;
    fake.server.faults.tooMany(pdf, 2);
    const started = await provider.start(await signRequest());
    expect(started.externalId).not.to.equal("");
    fake.server.faults.tooMany(pdf, 4);
    expect((await rejection()).code).to.equal("rate_limited");
  });
});
