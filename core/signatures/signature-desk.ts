import { setTimeout as pause } from "node:timers/promises";
import type { Deadline } from "../plugin-api/index.js";
import {
  type SignatureView,
  toSignatureView,
  type Signing,
  type SigningPlan,
  type SigningRequest,
} from "../documents/index.js";
import { findRequest } from "./find-request.js";
import type { EsignParts } from "./ports.js";
import { problemsOfOne, twice } from "./settle/check-candidates.js";
import { candidatesOf } from "./settle/candidate.js";
import { chooseProvider } from "./settle/choose-provider.js";
import { refuse } from "./settle/refusal.js";
import { askedExpiry } from "./settle/request-expiry.js";
import { SignaturePlan } from "./settle/signature-plan.js";
import { SIGNATURE_JOB } from "./signature-job.js";

/** Another process may start it, so the row is what tells. */
const lookMs = 60;

/** Takes documents in that are to be signed. */
export class SignatureDesk implements Signing {
  constructor(
    private readonly parts: Pick<
      EsignParts,
      "store" | "queue" | "connections" | "times" | "now"
    >,
  ) {}

  async prepare(wish: SigningRequest, now: Date): Promise<SigningPlan> {
    const { submitters = [], expiresAt: text } = wish.esignSettings ?? {};
    const { expiresAt, problems } = askedExpiry(text, now);
    const asked = candidatesOf(submitters, []);
    refuse([...asked.flatMap(problemsOfOne), ...twice(asked), ...problems]);
    const connection = await chooseProvider(this.parts, wish);
    const prepared = { wish, connection, expiresAt, now };
    return new SignaturePlan(this.parts, prepared);
  }

  async startNow(
    organizationId: string,
    id: string,
    { at, signal }: Deadline,
  ): Promise<SignatureView> {
    this.nudge();
    const until = Math.min(at, Date.now() + this.parts.times.startWaitMs);
    for (;;) {
      const row = await this.find(organizationId, id);
      const isOver = signal.aborted || Date.now() + lookMs >= until;
      if (row.status !== "starting" || isOver) return toSignatureView(row);
      await pause(lookMs);
    }
  }

  async view(organizationId: string, id: string): Promise<SignatureView> {
    return toSignatureView(await this.find(organizationId, id));
  }

  nudge(): void {
    this.parts.queue.nudge(SIGNATURE_JOB);
  }

  private find(organizationId: string, id: string) {
    return findRequest(this.parts.store.read, organizationId, id);
  }
}
