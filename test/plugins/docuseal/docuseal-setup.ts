import type { SignerAct } from "../../../plugins/contract-suite/index.js";
import { FakeDocuseal } from "../../support/fakes/fake-docuseal.js";

/** A DocuSeal for the contract suite. */
export async function startDocuseal() {
  const fake = await FakeDocuseal.start();
  const { apiKey, webhookSecret } = fake.credentials;
  const own = (api = "") => ({ url: api, apiKey, webhookSecret });
  return {
    addresses: { api: fake.url },
    credentials: ({ api }: Readonly<Record<string, string>>) => own(api),
    wrongCredentials: ({ api }: Readonly<Record<string, string>>) => ({
      ...own(api),
      apiKey: "another",
    }),
    play: ({ externalId, role, act }: SignerAct) =>
      act === "sign"
        ? fake.complete(externalId, role)
        : fake.decline(externalId, role),
    count: async (requestId: string) =>
      fake.submissions.filter(({ submitters }) =>
        submitters.some(({ externalId }) => externalId === requestId),
      ).length,
    notice: (externalId: string) => {
      const data = { id: 1, submission_id: Number(externalId) };
      const body = JSON.stringify({ event_type: "form.completed", data });
      return {
        body: new TextEncoder().encode(body),
        headers: fake.webhook.createHeaders(body),
        receivedAt: new Date(),
      };
    },
    close: () => fake.close(),
  };
}
