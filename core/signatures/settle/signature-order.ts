import type { EntityManager } from "typeorm";
import type { DocumentToSign, SigningOrder } from "../../documents/index.js";
import type { Queue } from "../../queue/index.js";
import {
  Document,
  insertRow,
  KeptFile,
  newId,
  type RequestSubmitter,
  SignatureRequest,
} from "../../storage/database/index.js";
import type { ProviderConnection } from "../ports.js";
import { signatureJob } from "../signature-job.js";

export interface OrderParts {
  queue: Pick<Queue, "enqueue">;
  now: () => Date;
}

/** All that is settled of a request before its document is printed. */
export interface SettledRequest {
  organizationId: string;
  createdById: string;
  connection: ProviderConnection;
  submitters: readonly RequestSubmitter[];
  message: SignatureRequest["message"];
  expiresAt: Date | null;
  warnings: readonly string[];
}

export class SignatureOrder implements SigningOrder {
  constructor(
    private readonly parts: OrderParts,
    private readonly settled: SettledRequest,
  ) {}

  /** What the provider would surely refuse is written as `failed`: the document is there all the same. */
  async record(tx: EntityManager, document: DocumentToSign): Promise<string> {
    const fault = this.faultOf(document);
    const row = await this.rowOf(tx, document, fault);
    await insertRow(tx, SignatureRequest, row);
    if (fault !== null) return row.id;
    await insertRow(tx, KeptFile, {
      storageKey: document.pdf.output.storageKey,
      documentId: document.documentId,
      keepUntil: null,
    });
    await this.parts.queue.enqueue(tx, [signatureJob(row)]);
    return row.id;
  }

  private faultOf({ pdf }: DocumentToSign): string | null {
    const { title, capabilities } = this.settled.connection.provider;
    const { sizeBytes } = pdf.output;
    if (sizeBytes <= capabilities.maxFileBytes) return null;
    return `${title}: the PDF has ${sizeBytes} bytes, and it takes at most ${capabilities.maxFileBytes}. Use smaller images, or fewer pages.`;
  }

  private async rowOf(
    tx: EntityManager,
    document: DocumentToSign,
    fault: string | null,
  ): Promise<SignatureRequest> {
    const { connection, submitters, warnings, ...settled } = this.settled;
    const { documentId, title, fileName, pdf, pages, boxes } = document;
    const { storageKey } = pdf.output;
    const now = this.parts.now();
    const hasFailed = fault !== null;
    return {
      ...settled,
      id: newId(),
      documentId,
      batchId: await batchOf(tx, documentId),
      connectionId: connection.id,
      provider: connection.provider.id,
      status: hasFailed ? "failed" : "starting",
      externalId: null,
      title,
      submitters: [...submitters],
      boxes: hasFailed ? [] : [...boxes],
      warnings: [...warnings],
      source: hasFailed ? null : { storageKey, fileName, pages },
      sentAt: null,
      lookups: 0,
      attempts: 0,
      error: fault,
      nextLookAt: hasFailed ? null : now,
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      completedAt: hasFailed ? now : null,
    };
  }
}

async function batchOf(tx: EntityManager, id: string): Promise<string | null> {
  const row = await tx.findOne(Document, {
    where: { id },
    select: { id: true, batchId: true },
  });
  return row?.batchId ?? null;
}
