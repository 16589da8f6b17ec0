import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";

// A submission of fake-docuseal.ts, from its creation to its end.

export const creation = z.object({
  name: z.string().default("Document"),
  send_email: z.boolean().default(true),
  order: z.enum(["preserved", "random"]).default("preserved"),
  expire_at: z.string().optional(),
  completed_redirect_url: z.httpUrl().optional(),
  message: z
    .object({ subject: z.string().optional(), body: z.string().optional() })
    .default({}),
  documents: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      fields: z
        .array(
          z.object({
            name: z.string(),
            type: z.string(),
            role: z.string(),
            required: z.boolean().default(true),
            areas: z.array(
              z.object({
                x: z.number(),
                y: z.number(),
                w: z.number(),
                h: z.number(),
                page: z.number(),
              }),
            ),
          }),
        )
        .default([]),
    }),
  ),
  submitters: z.array(
    z.object({
      role: z.string(),
      email: z.string(),
      name: z.string().nullish(),
      values: z.record(z.string(), z.unknown()).default({}),
      external_id: z.string().nullish(),
      order: z.number().optional(),
    }),
  ),
});
export type Creation = z.infer<typeof creation>;
export type FakeField = Creation["documents"][number]["fields"][number];

export interface FakeSubmitter {
  id: number;
  uuid: string;
  slug: string;
  role: string;
  email: string;
  name: string | null;
  order: number;
  externalId: string | null;
  values: Record<string, unknown>;
  sentAt: Date | null;
  openedAt: Date | null;
  completedAt: Date | null;
  declinedAt: Date | null;
  reason: string | null;
}

export interface FakeEvent {
  id: number;
  submitter_id: number;
  event_type: string;
  event_timestamp: string;
  data: Record<string, unknown>;
}

export interface FakeMail {
  to: string;
  kind: "request" | "reminder";
  subject: string | null;
  body: string | null;
}

/**
 * A submission from its creation to its end. With `preserved` order those of order 0 may sign first, and those of n + 1
 * once all of n are done: a count from 1 lets nobody sign.
 */
export class FakeSubmission {
  readonly slug = randomBytes(9).toString("base64url");
  readonly submitters: FakeSubmitter[];
  readonly events: FakeEvent[] = [];
  readonly mails: FakeMail[] = [];
  archivedAt: Date | null = null;
  readonly #now: () => Date;

  constructor(
    readonly id: number,
    readonly made: Creation,
    /** In the document's text, beside those that the request names. */
    readonly tagFields: readonly FakeField[],
    now: () => Date,
  ) {
    this.#now = now;
    this.submitters = made.submitters.map((one, place) => ({
      id: id * 100 + place,
      uuid: randomUUID(),
      slug: randomBytes(9).toString("base64url"),
      role: one.role,
      email: one.email,
      name: one.name ?? null,
      order: one.order ?? place,
      externalId: one.external_id ?? null,
      values: { ...one.values },
      sentAt: null,
      openedAt: null,
      completedAt: null,
      declinedAt: null,
      reason: null,
    }));
    this.#requestSignatures();
  }

  get fields(): FakeField[] {
    const named = this.made.documents.flatMap(({ fields }) => fields);
    return [...named, ...this.tagFields];
  }

  get expiresAt(): Date | null {
    const { expire_at: at } = this.made;
    return at === undefined ? null : new Date(at.replace(" UTC", "Z"));
  }

  get completedAt(): Date | null {
    const ends = this.submitters.map(({ completedAt }) => completedAt);
    if (ends.includes(null)) return null;
    return new Date(Math.max(...ends.map((at) => at?.getTime() ?? 0)));
  }

  get status(): "completed" | "declined" | "expired" | "pending" {
    if (this.completedAt) return "completed";
    if (this.submitters.some(({ declinedAt }) => declinedAt)) return "declined";
    const { expiresAt } = this;
    return expiresAt && expiresAt <= this.#now() ? "expired" : "pending";
  }

  submitter(role: string): FakeSubmitter {
    const found = this.submitters.find((one) => one.role === role);
    if (found) return found;
    throw new Error(`submission ${this.id} has no submitter ${role}`);
  }

  open(role: string): FakeSubmitter {
    const submitter = this.#getDueSubmitter(role);
    submitter.openedAt ??= this.#now();
    this.#recordEvent(submitter, "view_form");
    return submitter;
  }

  complete(role: string, values: Record<string, unknown>): FakeSubmitter {
    const submitter = this.open(role);
    Object.assign(submitter.values, values);
    submitter.completedAt = this.#now();
    this.#recordEvent(submitter, "complete_form");
    this.#requestSignatures();
    return submitter;
  }

  decline(role: string, reason: string): FakeSubmitter {
    const submitter = this.open(role);
    Object.assign(submitter, { declinedAt: this.#now(), reason });
    this.#recordEvent(submitter, "decline_form", { reason });
    return submitter;
  }

  remind(submitter: FakeSubmitter): void {
    this.#mail(submitter, "reminder");
  }

  #getDueSubmitter(role: string): FakeSubmitter {
    const submitter = this.submitter(role);
    const isOpen = this.status === "pending" && !this.archivedAt;
    if (isOpen && submitter.sentAt && !submitter.completedAt) return submitter;
    throw new Error(`${role} cannot sign now`);
  }

  #requestSignatures(): void {
    for (const submitter of this.submitters)
      if (!submitter.sentAt && this.#isDue(submitter)) {
        submitter.sentAt = this.#now();
        if (this.made.send_email) this.#mail(submitter, "request");
      }
  }

  #isDue({ order }: FakeSubmitter): boolean {
    if (this.made.order === "random" || order === 0) return true;
    const before = this.submitters.filter((one) => one.order === order - 1);
    return before.length > 0 && before.every(({ completedAt }) => completedAt);
  }

  #mail({ email: to }: FakeSubmitter, kind: FakeMail["kind"]): void {
    const { subject = null, body = null } = this.made.message;
    this.mails.push({ to, kind, subject, body });
  }

  #recordEvent(
    { id }: FakeSubmitter,
    type: string,
    data: Record<string, unknown> = {},
  ): void {
    this.events.push({
      id: this.events.length + 1,
      submitter_id: id,
      event_type: type,
      event_timestamp: this.#now().toISOString(),
      data,
    });
  }
}
