import type {
  EsignContext,
  EsignProvider,
} from "../../../core/plugin-api/index.js";
import type {
  EsignSubject,
  SignerAct,
} from "../../../plugins/contract-suite/index.js";

/** The demo provider for the contract suite. */
export function createSubject(plugin: EsignProvider): EsignSubject<unknown> {
  return {
    plugin,
    start: async () => ({
      addresses: {},
      credentials: () => ({}),
      play: (act, context) => play(plugin, act, context),
      count: async (requestId, context) =>
        (await plugin.find(context, requestId)) === null ? 0 : 1,
      close: () => Promise.resolve(),
    }),
  };
}

/** Signs as people do: on the page to which the signer's link leads. */
async function play(
  plugin: EsignProvider,
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
