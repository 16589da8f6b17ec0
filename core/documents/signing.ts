import type { EntityManager } from "typeorm";
import type { SignField } from "../compiler/index.js";
import type { Connection } from "../definition/index.js";
import type { Deadline, FieldBox } from "../plugin-api/index.js";
import type { SignatureRequest } from "../storage/database/index.js";
import type { SavedFile } from "./outputs.js";

// What the document room asks of whoever sends documents to be signed; the esign room answers. A document that goes to
// signing passes these steps in their order: each may refuse it, and all that can be refused is refused before it is
// printed.

/** One who signs, as a caller names them or as the template and the record do. */
export interface NamedSubmitter {
  role: string;
  email: string;
  name?: string | undefined;
  values?: Readonly<Record<string, unknown>> | undefined;
  order?: number | undefined;
  /** Where the template names them, as a JSON path. */
  path?: string | undefined;
}

/** The request's `esignSettings`. */
export interface EsignSettings {
  submitters?: readonly NamedSubmitter[] | undefined;
  /** ISO 8601, or a day. */
  expiresAt?: string | undefined;
  message?:
    { subject?: string | undefined; body?: string | undefined } | undefined;
}

/** What a caller asks for beside the document. */
export interface SigningWish {
  organizationId: string;
  createdById: string;
  /** The id of a saved connection; without it, the template's. */
  esignConnection?: string | undefined;
  esignSettings?: EsignSettings | undefined;
  /** Of the template's root collection; null when it has none. */
  connection: Connection | null;
}

/** The root connection's part about signing, with the record's data in it. */
export interface MergedSigning {
  submitters: readonly NamedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
  /** In the order in which they stand in the document. */
  fields: readonly SignField[];
}

export interface Signing {
  /**
   * Before anything is merged, and at the acceptance of a batch.
   * @throws PlatenError `invalid_request`: a connection that is none, a bad address, an expiry that has passed.
   */
  prepare(wish: SigningWish, now: Date): Promise<SigningPlan>;
  /**
   * After the commit of a single render: waits until the provider has the request, within the deadline and no longer
   * than a caller would. What the provider says against it is told in the view.
   */
  startNow(
    organizationId: string,
    id: string,
    deadline: Deadline,
  ): Promise<SignatureView>;
  /** As it is now. @throws PlatenError `not_found`. */
  view(organizationId: string, id: string): Promise<SignatureView>;
  /** Called after transactions that an order's `record` has joined. */
  nudge(): void;
}

/** A request, as whoever makes the document is told of it. */
export interface SignatureView {
  id: string;
  /** The plugin's id. */
  provider: string;
  status: string;
  submitters: {
    role: string;
    email: string;
    status: string;
    /** Where they sign, when the provider tells. */
    url: string | null;
  }[];
  /** Why it failed, or what is in its way at the moment. */
  error?: string;
  /** What the provider could not take over. */
  warnings?: string[];
}

export interface SigningPlan {
  /** After the merge, before the print. @throws PlatenError `invalid_request`: a role without a submitter, and so on. */
  settle(merged: MergedSigning): SigningOrder;
}

/** The PDF that is to be signed, as it was stored. */
export interface DocumentToSign {
  documentId: string;
  title: string;
  /** Without extension. */
  fileName: string;
  pdf: SavedFile;
  pages: number;
  boxes: readonly FieldBox[];
}

export interface SigningOrder {
  /** Writes the request, in the transaction that records the document; it is sent once that has committed. @returns its id. */
  record(tx: EntityManager, document: DocumentToSign): Promise<string>;
}

/** What whoever made a document is told of its request. */
export function signatureView(row: SignatureRequest): SignatureView {
  const { id, provider, status, submitters, error, warnings } = row;
  return {
    id,
    provider,
    status,
    submitters: submitters.map(({ role, email, status: standing, url }) => ({
      role,
      email,
      status: standing,
      url,
    })),
    ...(error !== null && { error }),
    ...(warnings.length > 0 && { warnings }),
  };
}
