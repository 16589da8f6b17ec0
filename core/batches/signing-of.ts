import type { Signing, TemplateToRender } from "../documents/index.js";
import type { Batch } from "../storage/database/index.js";
import type { BatchOrder } from "./batch-order.js";

/** What is kept of how a batch's documents go to signing. @throws PlatenError `invalid_request` where they cannot. */
export async function signingOf(
  signing: Pick<Signing, "prepare">,
  order: BatchOrder,
  template: TemplateToRender,
  now: Date,
): Promise<Batch["signing"]> {
  const { sendForSignature, organizationId, createdById } = order;
  if (!sendForSignature) return null;
  const { schema } = await template.definition();
  const { esignConnection } = order;
  const connection = schema[0]?.connection ?? null;
  await signing.prepare(
    { organizationId, createdById, esignConnection, connection },
    now,
  );
  return esignConnection === undefined ? {} : { esignConnection };
}
