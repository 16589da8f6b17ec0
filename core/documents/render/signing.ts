import type { EntityManager } from "typeorm";
import { z } from "zod";
import type { SignField } from "../../compiler/index.js";
import type { Connection } from "../../definition/index.js";
import type { Deadline, FieldBox, Output } from "../../plugin-api/index.js";
import type { SignatureRequest } from "../../storage/database/index.js";
import { createToken } from "../../lib/injection.js";
import { toView } from "../../lib/schemas.js";

/** Sends documents for signature. Implemented by signatures/. */
export const SIGNING = createToken<Signing>("Signing");

// What rendering needs from the signatures capability, which implements it. `SigningStage` calls it, stage by stage.

/** A signer, named by the caller or by the template and the record. */
export interface NamedSubmitter {
  role: string;
  email: string;
  name?: string | undefined;
  values?: Readonly<Record<string, unknown>> | undefined;
  order?: number | undefined;
  /** JSON path of the signer in the template. */
  path?: string | undefined;
}

/** The request's `esignSettings`. */
export interface EsignSettings {
  submitters?: readonly NamedSubmitter[] | undefined;
  /** ISO 8601, or a day. */
  expiresAt?: string | undefined;
  message?:
    { subject?: string | undefined; body?: string | undefined } | undefined;
  /** Where signers go after they have signed. */
  redirectUrl?: string | undefined;
}

const submitterSchema = z.strictObject({
  role: z
    .string()
    .min(1, "must not be empty")
    .meta({ description: "A role of the template." }),
  email: z.email("must be an email address"),
  name: z.string().optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "Values prefilled for this signer." }),
  order: z
    .number()
    .optional()
    .meta({ description: "Position in the signing order." }),
});

export const esignSettingsSchema = z.strictObject({
  submitters: z.array(submitterSchema).optional(),
  expiresAt: z.string().optional().meta({
    description: "The deadline for signing: an ISO 8601 timestamp or a date.",
  }),
  message: z
    .strictObject({
      subject: z.string().optional(),
      body: z.string().optional(),
    })
    .optional(),
  redirectUrl: z.string().optional().meta({
    description:
      "Where signers go after they have signed: an http or https address.",
  }),
});

/** The caller's signing options and their context. */
export interface SigningRequest {
  organizationId: string;
  createdById: string;
  /** The id of a saved connection; without it, the template's. */
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
  /** The connection of the template's root collection; null when it has none. */
  connection: Connection | null;
}

/** The root connection's signing settings, merged with the record's data. */
export interface MergedSigning {
  submitters: readonly NamedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
  redirectUrl: string | null;
  /** In document order. */
  fields: readonly SignField[];
}

export interface Signing {
  /**
   * Before anything is merged, and at the acceptance of a batch.
   * @throws PlatenError `invalid_request` for an unknown connection, an invalid email address or a past expiry.
   */
  prepare(request: SigningRequest, now: Date): Promise<SigningPlan>;
  /**
   * Called after the commit of a single render: waits within the deadline until the provider has the request. The
   * provider's objections are part of the view.
   */
  startNow(
    organizationId: string,
    id: string,
    deadline: Deadline,
  ): Promise<SignatureView>;
  /** @throws PlatenError `not_found`. */
  view(organizationId: string, id: string): Promise<SignatureView>;
  /** Called after the commit of a transaction that a signing order has recorded in. */
  nudge(): void;
}

const signerSchema = z.strictObject({
  role: z.string(),
  email: z.string(),
  status: z.string(),
  url: z.string().nullable().meta({
    description: "Where they sign, if the provider reports it.",
  }),
});

/** The signature request of a document, as its creator sees it. */
export const documentSignatureSchema = z
  .strictObject({
    id: z.string(),
    provider: z.string().meta({ example: "docuseal" }),
    status: z.string().meta({
      description:
        "`starting`, `pending`, `completed`, `declined`, `expired`, `canceled` or `failed`.",
    }),
    submitters: z.array(signerSchema),
    error: z.string().exactOptional().meta({
      description: "Why it failed, or what currently blocks it.",
    }),
    warnings: z.array(z.string()).exactOptional().meta({
      description: "Settings that the provider does not support.",
    }),
  })
  .meta({ id: "DocumentSignature" });
export type SignatureView = z.output<typeof documentSignatureSchema>;

export interface SigningPlan {
  /** After the merge, before the print. @throws PlatenError `invalid_request`: a role without a submitter, and so on. */
  settle(merged: MergedSigning): SigningOrder;
}

/** The stored PDF that is to be signed. */
export interface DocumentToSign {
  documentId: string;
  title: string;
  /** Without extension. */
  fileName: string;
  pdf: Output & { bytes: Buffer };
  pages: number;
  boxes: readonly FieldBox[];
}

/** Writes the signature request of a document in the transaction that records the document. @returns its id. */
export type RecordDocument = (tx: EntityManager) => Promise<string>;

export interface SigningOrder {
  /** Writes the request, in the transaction that records the document; it is sent once that has committed. @returns its id. */
  record(tx: EntityManager, document: DocumentToSign): Promise<string>;
}

export function toSignatureView(row: SignatureRequest): SignatureView {
  const { submitters, error, warnings } = row;
  return toView(documentSignatureSchema, row, {
    submitters: submitters.map((submitter) => toView(signerSchema, submitter)),
    error: error ?? undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}
