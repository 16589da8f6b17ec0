import type { Problem } from "../../plugin-api/index.js";
import type {
  MergedSigning,
  SigningOrder,
  SigningPlan,
  SigningRequest,
} from "../../documents/index.js";
import type { ProviderConnection } from "../ports.js";
import { type Candidate, candidatesOf } from "./candidate.js";
import { problemsOf } from "./check-candidates.js";
import { orderGroups } from "./order-groups.js";
import { problem, refuse } from "./refusal.js";
import { expiryProblems, toldExpiry } from "./request-expiry.js";
import { type OrderParts, SignatureOrder } from "./signature-order.js";

/** A wish whose connection can be used. */
export interface PreparedWish {
  wish: SigningRequest;
  connection: ProviderConnection;
  /** As the caller asks for it. */
  expiresAt: Date | null;
  now: Date;
}

export class SignaturePlan implements SigningPlan {
  constructor(
    private readonly parts: OrderParts,
    private readonly prepared: PreparedWish,
  ) {}

  settle(merged: MergedSigning): SigningOrder {
    const { wish, connection, now } = this.prepared;
    const { esignSettings = {}, organizationId, createdById } = wish;
    const { provider } = connection;
    const candidates = candidatesOf(
      esignSettings.submitters ?? [],
      merged.submitters,
    );
    const roles = new Set(merged.fields.map(({ role }) => role));
    const signing = candidates.filter(
      (one) => one.isAsked || roles.has(one.role),
    );
    const orders = orderGroups(signing.map(({ order }) => order));
    const expiresAt =
      this.prepared.expiresAt ?? toldExpiry(merged.expiresInDays, now);
    refuse([
      ...problemsOf(signing, merged.fields),
      ...orderProblems(orders, provider),
      ...expiryProblems(expiresAt, provider.capabilities, provider.title),
    ]);
    return new SignatureOrder(this.parts, {
      organizationId,
      createdById,
      connection,
      submitters: signing.map((one, at) => submitterOf(one, orders[at] ?? 0)),
      message: messageOf(merged, esignSettings),
      expiresAt,
      warnings: leftOut(candidates, roles),
    });
  }
}

function orderProblems(
  orders: readonly number[],
  { title, capabilities }: ProviderConnection["provider"],
): Problem[] {
  if (capabilities.order || orders.every((order) => order === 0)) return [];
  return [
    problem(
      "$.esignSettings.submitters",
      "order",
      `${title} asks all signers at the same time, so that no order can be kept.`,
      "Leave out order.",
    ),
  ];
}

function leftOut(
  candidates: readonly Candidate[],
  roles: ReadonlySet<string>,
): string[] {
  return candidates
    .filter(({ isAsked, role }) => !isAsked && !roles.has(role))
    .map(
      ({ role }) =>
        `The template names a signer for the role "${role}", but this document has no field for it: nobody is asked to sign as that.`,
    );
}

function submitterOf(one: Candidate, order: number) {
  const { role, email, name = null, values = {} } = one;
  return {
    role,
    email,
    name: name === "" ? null : name,
    order,
    values: { ...values },
    status: "waiting" as const,
    url: null,
    reason: null,
  };
}

/** The caller's words win over the template's, each for itself. */
function messageOf(
  { message: told }: MergedSigning,
  { message: asked }: NonNullable<SigningRequest["esignSettings"]>,
): { subject?: string; body?: string } | null {
  const subject = asked?.subject ?? told?.subject;
  const body = asked?.body ?? told?.body;
  if (subject === undefined && body === undefined) return null;
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body }),
  };
}
