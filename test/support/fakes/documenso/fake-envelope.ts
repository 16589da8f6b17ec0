import { randomBytes } from "node:crypto";
import { z } from "zod";

export const creation = z.object({
  title: z.string(),
  externalId: z.string().nullable().default(null),
  recipients: z
    .array(
      z.object({
        email: z.string(),
        name: z.string(),
        role: z.string(),
        signingOrder: z.number().default(1),
        fields: z
          .array(
            z.object({
              type: z.string(),
              page: z.number(),
              positionX: z.number(),
              positionY: z.number(),
              width: z.number(),
              height: z.number(),
              fieldMeta: z.looseObject({}).optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  meta: z
    .object({
      subject: z.string().optional(),
      message: z.string().optional(),
      distributionMethod: z.enum(["EMAIL", "NONE"]).default("EMAIL"),
      signingOrder: z.enum(["PARALLEL", "SEQUENTIAL"]).default("PARALLEL"),
      envelopeExpirationPeriod: z
        .object({ unit: z.string(), amount: z.number() })
        .optional(),
    })
    .prefault({}),
});
export type Creation = z.infer<typeof creation>;

export interface FakeRecipient {
  id: number;
  token: string;
  email: string;
  name: string;
  signingOrder: number;
  sendStatus: "NOT_SENT" | "SENT";
  readStatus: "NOT_OPENED" | "OPENED";
  signingStatus: "NOT_SIGNED" | "SIGNED" | "REJECTED";
  rejectionReason: string | null;
  signedAt: Date | null;
  expiresAt: Date | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** An envelope from its draft to its end. In sequence, only one is asked at a time, also of those with equal order. */
export class FakeEnvelope {
  readonly id = `envelope_${randomBytes(8).toString("hex")}`;
  readonly itemId = `envelope_item_${randomBytes(8).toString("hex")}`;
  readonly recipients: FakeRecipient[];
  readonly mails: { to: string; kind: "request" | "reminder" }[] = [];
  status: "DRAFT" | "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" =
    "DRAFT";
  isDeleted = false;
  readonly #now: () => Date;

  constructor(
    readonly made: Creation,
    readonly pdf: Uint8Array,
    firstId: number,
    now: () => Date,
  ) {
    this.#now = now;
    this.recipients = made.recipients.map((one, place) => ({
      id: firstId + place,
      token: randomBytes(12).toString("base64url"),
      email: one.email,
      name: one.name,
      signingOrder: one.signingOrder,
      sendStatus: "NOT_SENT",
      readStatus: "NOT_OPENED",
      signingStatus: "NOT_SIGNED",
      rejectionReason: null,
      signedAt: null,
      expiresAt: null,
    }));
  }

  distribute(): void {
    this.status = "PENDING";
    const { envelopeExpirationPeriod: period } = this.made.meta;
    for (const one of this.recipients)
      one.expiresAt = period
        ? new Date(this.#now().getTime() + period.amount * dayMs)
        : null;
    this.#ask();
  }

  open(place: number): void {
    this.#due(place).readStatus = "OPENED";
  }

  sign(place: number): void {
    const one = this.#due(place);
    Object.assign(one, {
      readStatus: "OPENED",
      signingStatus: "SIGNED",
      signedAt: this.#now(),
    });
    if (this.recipients.every((all) => all.signingStatus === "SIGNED"))
      this.status = "COMPLETED";
    else this.#ask();
  }

  reject(place: number, reason: string): void {
    const one = this.#due(place);
    Object.assign(one, { signingStatus: "REJECTED", rejectionReason: reason });
    this.status = "REJECTED";
  }

  remind(ids: readonly number[]): void {
    for (const { id, email: to } of this.recipients)
      if (ids.includes(id)) this.mails.push({ to, kind: "reminder" });
  }

  #due(place: number): FakeRecipient {
    const one = this.recipients[place];
    const isOver = one?.expiresAt && one.expiresAt <= this.#now();
    const isDue = one?.sendStatus === "SENT" && !one.signedAt && !isOver;
    if (one && isDue && this.status === "PENDING") return one;
    throw new Error(`recipient ${place} cannot sign now`);
  }

  #ask(): void {
    const open = this.recipients
      .filter(({ signingStatus }) => signingStatus === "NOT_SIGNED")
      .toSorted((a, b) => a.signingOrder - b.signingOrder || a.id - b.id);
    const isOneByOne = this.made.meta.signingOrder === "SEQUENTIAL";
    for (const one of isOneByOne ? open.slice(0, 1) : open) {
      if (one.sendStatus === "SENT") continue;
      one.sendStatus = "SENT";
      if (this.made.meta.distributionMethod === "EMAIL")
        this.mails.push({ to: one.email, kind: "request" });
    }
  }
}
