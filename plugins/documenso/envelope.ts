import * as z from "zod";
import type {
  RequestState,
  Signer,
  SignerStatus,
} from "../../core/plugin-api/index.js";
import { type DocumensoCredentials, signingUrl } from "./credentials.js";
import { rolesIn } from "./external-id.js";

const recipient = z.looseObject({
  id: z.number(),
  token: z.string(),
  signingStatus: z.enum(["NOT_SIGNED", "SIGNED", "REJECTED"]),
  sendStatus: z.enum(["NOT_SENT", "SENT"]),
  readStatus: z.enum(["NOT_OPENED", "OPENED"]),
  rejectionReason: z.string().nullish(),
  expiresAt: z.string().nullish(),
});
export type Recipient = z.infer<typeof recipient>;

/** As the API tells it. */
export const envelope = z.looseObject({
  id: z.string(),
  status: z.enum(["DRAFT", "PENDING", "COMPLETED", "REJECTED", "CANCELLED"]),
  externalId: z.string().nullable(),
  recipients: z.array(recipient),
  envelopeItems: z.array(z.looseObject({ id: z.string() })).optional(),
});
export type Envelope = z.infer<typeof envelope>;

const ends = {
  COMPLETED: "completed",
  REJECTED: "declined",
  CANCELLED: "canceled",
} as const;

/** Documenso has no word for an envelope that ran out: its recipients' time is over. */
export function stateOf(
  whole: Envelope,
  credentials: DocumensoCredentials,
  now: Date,
): RequestState {
  const { id, status, externalId } = whole;
  const roles = rolesIn(externalId);
  const recipients = inOrder(whole);
  const isOver = recipients.some(
    ({ signingStatus, expiresAt }) =>
      signingStatus === "NOT_SIGNED" && isPast(expiresAt, now),
  );
  const open = isOver ? "expired" : "pending";
  return {
    externalId: id,
    status: status === "DRAFT" || status === "PENDING" ? open : ends[status],
    signers: recipients.map((one, place) =>
      signerOf(one, roles[place] ?? "", credentials),
    ),
  };
}

/** Those who can sign now. */
export function dueRecipients(whole: Envelope): Recipient[] {
  return inOrder(whole).filter(
    ({ sendStatus, signingStatus }) =>
      sendStatus === "SENT" && signingStatus === "NOT_SIGNED",
  );
}

/** As they were created, which is the order of the roles. */
function inOrder({ recipients }: Envelope): Recipient[] {
  return recipients.toSorted((a, b) => a.id - b.id);
}

function isPast(time: string | null | undefined, now: Date): boolean {
  return typeof time === "string" && new Date(time) <= now;
}

function signerOf(
  one: Recipient,
  role: string,
  credentials: DocumensoCredentials,
): Signer {
  const { id, token, rejectionReason: reason } = one;
  return {
    role,
    externalId: String(id),
    url: signingUrl(credentials, token),
    status: statusOf(one),
    ...(reason && { reason }),
  };
}

function statusOf(one: Recipient): SignerStatus {
  if (one.signingStatus === "SIGNED") return "completed";
  if (one.signingStatus === "REJECTED") return "declined";
  if (one.readStatus === "OPENED") return "opened";
  return one.sendStatus === "SENT" ? "sent" : "waiting";
}
