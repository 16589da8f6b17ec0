import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type EsignProvider,
  PlatformError,
} from "../../../core/plugin-api/index.js";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import type { EsignCredentials } from "../../../plugins/lib/esign-server.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { startDocuseal } from "../docuseal/docuseal-setup.js";

type Provider = EsignProvider<EsignCredentials>;

const correct = docusealPlugin;

/** Mistakes that authors make, and part of the title of the check that detects each. */
const mistakes: Readonly<Record<string, [Partial<Provider>, string]>> = {
  "never finds the requests that it has started": [
    { find: () => Promise.resolve(null) },
    "a lost reply at any request results in exactly one",
  ],
  "reports a lost reply as a refusal": [
    {
      start: (context, request) =>
        correct.start(context, request).catch(() => {
          throw new PlatformError("invalid_field", "no.");
        }),
    },
    "a lost reply at any request results in exactly one",
  ],
  "counts the order of signers from 1": [
    {
      start: (context, request) =>
        correct.start(context, {
          ...request,
          submitters: request.submitters.map((one) => ({
            ...one,
            order: one.order + 1,
          })),
        }),
    },
    "signers with order 0 are asked first",
  ],
  "accepts every notice": [
    { parseNotice: () => ({ externalId: "1002" }) },
    "missing or wrong proof",
  ],
  "bypasses the rate limit": [
    {
      status: async (context, id) => {
        await fetch(`${context.credentials.url}/api/submissions/${id}`);
        return correct.status(context, id);
      },
    },
    "every request is rate-limited",
  ],
};

describe("the contract suite for e-signature providers", () => {
  for (const [description, [changes, title]] of Object.entries(mistakes))
    it(`detects a provider that ${description}`, async () => {
      const plugin: Provider = { ...correct, ...changes };
      const suite = esignContractSuite({ plugin, start: startDocuseal });
      const check = suite.checks.find((one) => one.title.includes(title));
      const failed: unknown = await check?.run().then(
        () => null,
        (error: unknown) => error,
      );
      await suite.close();
      expect(failed).to.be.instanceOf(Error);
    });
});
