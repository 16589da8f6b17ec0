import * as z from "zod";
import {
  PlatformError,
  type SignRequest,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import { ask, type DocumensoContext, sendForm } from "./client.js";
import { type Envelope, envelope, stateOf } from "./envelope.js";
import { envelopeBody } from "./envelope-body.js";
import { isOf } from "./external-id.js";

const created = z.looseObject({ id: z.string() });
const list = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), externalId: z.string().nullish() }),
  ),
});

/**
 * Two calls: a draft with its recipients and fields, and its sending. Between them, and after an answer that was lost, a
 * draft may be left; it is found by our id and sent, so that there is never a second one.
 */
export async function start(
  context: DocumensoContext,
  request: SignRequest,
): Promise<StartedRequest> {
  const left = await findEnvelope(context, request.requestId);
  const id = left?.id ?? (await create(context, request));
  if (left === null || left.status === "DRAFT") await send(context, id);
  const whole = await readEnvelope(context, id).catch(afterSending);
  const started = stateOf(whole, context.credentials, new Date());
  return { ...started, warnings: warningsOf(request) };
}

/** What is there of a request, a draft too; the oldest when others have copied it. */
export async function findEnvelope(
  context: DocumensoContext,
  requestId: string,
): Promise<Envelope | null> {
  const query = new URLSearchParams({
    query: requestId,
    type: "DOCUMENT",
    perPage: "100",
    orderByColumn: "createdAt",
    orderByDirection: "asc",
  });
  const { data } = await ask(context, `/envelope?${query.toString()}`, list);
  const first = data.find(({ externalId = null }) =>
    isOf(externalId, requestId),
  );
  return first ? readEnvelope(context, first.id) : null;
}

export function readEnvelope(
  context: DocumensoContext,
  id: string,
): Promise<Envelope> {
  return ask(context, `/envelope/${encodeURIComponent(id)}`, envelope);
}

async function create(
  context: DocumensoContext,
  request: SignRequest,
): Promise<string> {
  const { sendEmail = true } = context.credentials;
  const payload = envelopeBody(request, { sendEmail, now: new Date() });
  const { name, bytes } = request.pdf;
  const form = new FormData();
  form.append("payload", JSON.stringify(payload));
  const file = new Blob([Buffer.from(bytes)], { type: "application/pdf" });
  form.append("files", file, `${name}.pdf`);
  return (await sendForm(context, "/envelope/create", created, form)).id;
}

/** A draft that Documenso refuses to send is taken away again. */
async function send(context: DocumensoContext, id: string): Promise<void> {
  const envelopeId = { envelopeId: id };
  try {
    await ask(context, "/envelope/distribute", z.unknown(), envelopeId);
  } catch (error) {
    const isFinal = error instanceof PlatformError && !error.retryable;
    // What stays of it was never sent: a draft that somebody may delete by hand.
    if (isFinal)
      await ask(context, "/envelope/delete", z.unknown(), envelopeId).catch(
        () => undefined,
      );
    throw error;
  }
}

/** It has been sent: whatever fails now is no refusal of it. */
function afterSending(cause: unknown): never {
  throw new PlatformError(
    "unavailable",
    "the request was sent, but Documenso does not tell its state.",
    { cause },
  );
}

function warningsOf({ submitters }: SignRequest): string[] {
  const orders = submitters.map(({ order }) => order);
  const groups = new Set(orders).size;
  return groups > 1 && groups < orders.length
    ? [
        "Documenso asks signers strictly one after the other, also those of one group.",
      ]
    : [];
}
