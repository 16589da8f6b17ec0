import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type EsignProvider,
  PlatformError,
} from "../../../core/plugin-api/index.js";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import type { EsignCredentials } from "../../../plugins/lib/esign-server.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { startDocuseal } from "../docuseal/docuseal-subject.js";

type Provider = EsignProvider<EsignCredentials>;

const sound = docusealPlugin;

/** Mistakes that authors make, and a part of the title of the check that sees each. */
const mistakes: Readonly<Record<string, [Partial<Provider>, string]>> = {
  "never finds what it has started": [
    { find: () => Promise.resolve(null) },
    "whose answer is lost ends in exactly one",
  ],
  "calls a lost answer a refusal": [
    {
      start: (context, request) =>
        sound.start(context, request).catch(() => {
          throw new PlatformError("invalid_field", "no.");
        }),
    },
    "whose answer is lost ends in exactly one",
  ],
  "counts its signers from 1": [
    {
      start: (context, request) =>
        sound.start(context, {
          ...request,
          submitters: request.submitters.map((one) => ({
            ...one,
            order: one.order + 1,
          })),
        }),
    },
    "those of order 0 are asked first",
  ],
  "believes every notice": [
    { parseNotice: () => ({ externalId: "1002" }) },
    "without its proof",
  ],
  "asks past its turn": [
    {
      status: async (context, id) => {
        await fetch(`${context.credentials.url}/api/submissions/${id}`);
        return sound.status(context, id);
      },
    },
    "every request waits for its turn",
  ],
};

describe("the contract suite of providers", () => {
  for (const [what, [changes, title]] of Object.entries(mistakes))
    it(`sees one that ${what}`, async () => {
      const plugin: Provider = { ...sound, ...changes };
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
