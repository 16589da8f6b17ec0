import { z } from "zod";
import { PlatenError } from "../../../plugin-api/index.js";
import type { SecretBox } from "../../../lib/secrets.js";
import type { Link } from "../../../storage/database/index.js";

const runOrder = z.strictObject({
  run: z.string(),
  recordIds: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  /** Milliseconds since 1970. */
  until: z.number(),
});

/** What pressing a page's button means: one run, of these records. */
export type RunOrder = Omit<z.output<typeof runOrder>, "until">;

const validMs = 24 * 3_600_000;

/**
 * Proof that a page of ours was shown: only who has seen it can press its button, and pressing it twice is one run.
 */
export function sealForm(
  secrets: SecretBox,
  link: Link,
  order: RunOrder,
): Promise<string> {
  const until = Date.now() + validMs;
  return secrets.seal(JSON.stringify({ ...order, until }), link.id);
}

/** @throws PlatenError `conflict` for a form that is not of this link's page, or too old. */
export async function openForm(
  secrets: SecretBox,
  link: Link,
  form: string,
): Promise<RunOrder> {
  const { until, ...order } = await read(secrets, link, form);
  if (until <= Date.now()) throw pageIsOld();
  return order;
}

async function read(secrets: SecretBox, link: Link, form: string) {
  try {
    return runOrder.parse(JSON.parse(await secrets.open(form, link.id)));
  } catch (cause) {
    throw pageIsOld(cause);
  }
}

function pageIsOld(cause?: unknown): PlatenError {
  return new PlatenError(
    "conflict",
    "This page was open for too long. Go back to your table and press the button again.",
    cause === undefined ? {} : { cause },
  );
}
