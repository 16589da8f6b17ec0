import { randomBytes } from "node:crypto";
import type {
  MergedDocument,
  MergeOptions,
  Program,
  SignField,
} from "../compiler/index.js";
import type { RenderRun } from "./render-run.js";
import type { Signing, SigningOrder, SigningPlan } from "./signing.js";

/** A document that goes to signing. */
export interface SigningRun {
  plan: SigningPlan;
  /** Part of the links that mark its fields: a secret, since a record may bring links too. */
  nonce: string;
}

/** A merged document, of which it is known who signs it. */
export interface SettledSigning {
  nonce: string;
  order: SigningOrder;
  fields: readonly SignField[];
}

/** Null for a document that goes to nobody. What is thrown here or below leaves no trace of the render. */
export async function beginSigning(
  signing: Signing,
  run: RenderRun,
  { connection }: Program,
): Promise<SigningRun | null> {
  const { signing: wish, organizationId, createdById } = run.request;
  if (wish === null) return null;
  const plan = await refusing(run, () =>
    signing.prepare(
      { ...wish, organizationId, createdById, connection },
      run.startedAt,
    ),
  );
  return { plan, nonce: randomBytes(16).toString("hex") };
}

export function settleSigning(
  run: RenderRun,
  { plan, nonce }: SigningRun,
  program: Program,
  { signFields: fields }: Pick<MergedDocument, "signFields">,
  options: MergeOptions,
): Promise<SettledSigning> {
  return refusing(run, () => {
    const addressees = program.addressees(run.request.data, options);
    const order = plan.settle({ ...addressees, fields });
    return { nonce, order, fields };
  });
}

async function refusing<T>(
  run: RenderRun,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    run.refusal = error;
    throw error;
  }
}
