import { after, describe, it } from "mocha";
import {
  esignContractSuite,
  type SignerAct,
} from "../../../plugins/contract-suite/index.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { FakeDocumenso } from "../../support/fakes/fake-documenso.js";

async function start() {
  const fake = await FakeDocumenso.start();
  const { apiKey, webhookSecret } = fake;
  const own = (api = "") => ({ url: api, apiKey, webhookSecret });
  return {
    addresses: { api: fake.url },
    credentials: ({ api }: Readonly<Record<string, string>>) => own(api),
    wrongCredentials: ({ api }: Readonly<Record<string, string>>) => ({
      ...own(api),
      apiKey: "api_another",
    }),
    play: async ({ externalId, role, act }: SignerAct) => {
      const envelope = fake.envelope(externalId);
      const place = ["Buyer", "Seller"].indexOf(role);
      if (act === "sign") envelope.sign(place);
      else envelope.reject(place, "no");
    },
    count: async (requestId: string) =>
      fake.envelopes.filter(({ made }) =>
        made.externalId?.startsWith(requestId),
      ).length,
    notice: (envelopeId: string) => {
      const event = "DOCUMENT_COMPLETED";
      const body = JSON.stringify({ event, payload: { id: 1, envelopeId } });
      return {
        body: new TextEncoder().encode(body),
        headers: { "x-documenso-secret": webhookSecret },
        receivedAt: new Date(),
      };
    },
    close: () => fake.close(),
  };
}

describe("the provider documenso", () => {
  const plugin = documensoPlugin;
  const { checks, close } = esignContractSuite({ plugin, start });
  after(close);
  for (const { title, run } of checks) it(title, run);
});
