import { after, describe, it } from "mocha";
import type { EsignContext } from "../../../core/plugin-api/index.js";
import {
  esignContractSuite,
  type SignerAct,
} from "../../../plugins/contract-suite/index.js";
import { demoEsignPlugin as plugin } from "../../../plugins/demo-esign/plugin.js";

/** Signs as people do: on the page to which the signer's link leads. */
async function play(
  { externalId, role, act }: SignerAct,
  context: EsignContext<unknown>,
): Promise<void> {
  const { signers } = await plugin.status(context, externalId);
  const url = signers.find((one) => one.role === role)?.url ?? "";
  const path = url.slice(context.pageAddress("").length);
  const form = { act };
  await plugin.page?.(context, {
    method: "POST",
    path,
    form: { ...form, "field-0": "Ulm" },
  });
}

async function start() {
  return {
    addresses: {},
    credentials: () => ({}),
    play,
    count: async (requestId: string, context: EsignContext<unknown>) =>
      (await plugin.find(context, requestId)) === null ? 0 : 1,
    close: () => Promise.resolve(),
  };
}

describe("the provider demo-esign", () => {
  const { checks, close } = esignContractSuite<unknown>({ plugin, start });
  after(close);
  for (const { title, run } of checks) it(title, run);
});
