import * as z from "zod";
import {
  type RequestState,
  SIGN_FIELD_TYPES,
  type Signer,
} from "../../core/plugin-api/index.js";

const field = z.object({
  name: z.string(),
  role: z.string(),
  type: z.enum(SIGN_FIELD_TYPES),
  required: z.boolean(),
  options: z.array(z.string()).default([]),
  page: z.number(),
  x: z.number(),
  y: z.number(),
  w: z.number(),
  h: z.number(),
});
export type KeptField = z.infer<typeof field>;

const signer = z.object({
  role: z.string(),
  email: z.string(),
  name: z.string(),
  order: z.number(),
  values: z.record(z.string(), z.unknown()),
  /** Opens the signer's page. */
  token: z.string(),
});
export type KeptSigner = z.infer<typeof signer>;

/** What stands in `request.json`, and never changes. */
export const keptRequest = z.object({
  id: z.string(),
  title: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  message: z.string(),
  pages: z.number(),
  sizeBytes: z.number(),
  /** Of the document that was sent, in hex. */
  sha256: z.string(),
  fields: z.array(field),
  signers: z.array(signer),
});
export type KeptRequest = z.infer<typeof keptRequest>;

/** What a signer has done in the end; the first answer counts. */
export const keptAnswer = z.object({
  kind: z.enum(["signed", "declined"]),
  at: z.iso.datetime(),
  reason: z.string().default(""),
  values: z.record(z.string(), z.string()).default({}),
});
export type KeptAnswer = z.infer<typeof keptAnswer>;

/** A request with all that has happened to it. */
export interface DemoRequest {
  request: KeptRequest;
  /** By the signer's place; null: none yet. */
  answers: readonly (KeptAnswer | null)[];
  /** When each has first looked, in ISO 8601; null: not yet. */
  opened: readonly (string | null)[];
  isCanceled: boolean;
}

export function statusOf(
  { request, answers, isCanceled }: DemoRequest,
  now: Date,
): RequestState["status"] {
  if (answers.every((answer) => answer?.kind === "signed")) return "completed";
  if (answers.some((answer) => answer?.kind === "declined")) return "declined";
  if (isCanceled) return "canceled";
  const { expiresAt } = request;
  return expiresAt !== null && new Date(expiresAt) <= now
    ? "expired"
    : "pending";
}

/** Whether all of the earlier groups have signed. */
export function isTurnOf(
  { request: { signers }, answers }: DemoRequest,
  place: number,
): boolean {
  const order = signers[place]?.order ?? 0;
  return signers.every(
    (other, at) => other.order >= order || answers[at]?.kind === "signed",
  );
}

export function signerStatus(
  demo: DemoRequest,
  place: number,
): Signer["status"] {
  const answer = demo.answers[place];
  if (answer) return answer.kind === "signed" ? "completed" : "declined";
  if (!isTurnOf(demo, place)) return "waiting";
  return demo.opened[place] ? "opened" : "sent";
}
