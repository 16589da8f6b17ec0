import { z } from "zod";
import type { SignFieldType } from "../../core/plugin-api/index.js";
import type {
  EsignSettings,
  MergedSigning,
  SigningRequest,
} from "../../core/documents/index.js";
import { paginationSchema } from "../../core/api/schemas.js";
import { signatureSchema } from "../../core/api/routes/signatures.js";
import { newId, SignatureRequest } from "../../core/storage/database/index.js";
import * as tokens from "../../core/app/tokens.js";
import { newCaller, type TestCaller } from "./caller.js";
import { eventually } from "./eventually.js";
import { exported } from "./exporting.js";
import type { MemoryEsign } from "./memory-esign.js";
import { reader } from "./replies.js";
import type { TestService } from "./service.js";
import { publish } from "./store-templates.js";

export const signatureOf = reader(signatureSchema);
export const signatureList = reader(
  z.strictObject({
    data: z.array(signatureSchema),
    pagination: paginationSchema,
  }),
);

/** What a test says of a document that goes to signing. */
export interface ToSign {
  asked?: Partial<SigningRequest> & { esignSettings?: EsignSettings };
  merged?: Partial<MergedSigning>;
  expiresAt?: string;
  bytes?: Uint8Array;
}

export const field = (role = "Buyer", type: SignFieldType = "signature") => ({
  id: newId(),
  name: `${role}'s ${type}`,
  role,
  type,
  required: true,
});

export const buyer = { role: "Buyer", email: "buyer@example.com" };

/** The service with one provider, which lives in the test, and an organization with a connection to it. */
export class EsignBench {
  caller!: TestCaller;
  connectionId = "";
  templateId = "";

  constructor(
    readonly service: TestService,
    readonly memory: MemoryEsign,
    /** What a connection to the provider says. */
    private readonly access: () => {
      provider: string;
      credentials: object;
    } = () => ({
      provider: "memory-esign",
      credentials: {},
    }),
  ) {}

  async open(): Promise<void> {
    this.caller = await newCaller(this.service);
    this.templateId = await publish(this.service.store, this.caller);
    this.connectionId = await this.connect(this.caller);
  }

  /** Saves a connection to the provider. */
  async connect(caller: TestCaller): Promise<string> {
    const response = await caller.post("/api/connections", {
      name: "Signing",
      ...this.access(),
    });
    return String(Reflect.get(Object(await response.json()), "id"));
  }

  /** What the document room does: settles a wish, and records its order with a stored PDF. @returns the request's id. */
  async send({ asked = {}, merged = {}, expiresAt, bytes }: ToSign = {}) {
    const order = await this.settle({ asked, merged });
    return this.record(order, await this.newDocument(expiresAt), bytes);
  }

  async newDocument(expiresAt?: string) {
    const { document } = await exported(this.caller, {
      templateId: this.templateId,
      formats: ["html"],
      ...(expiresAt !== undefined && { expiresAt }),
    });
    return document;
  }

  /** Many at once, of one settled order each. @returns their ids. */
  sendMany(count: number, one: ToSign = {}): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.send(one)));
  }

  async settle({ asked = {}, merged = {} }: Omit<ToSign, "expiresAt"> = {}) {
    const { organizationId, userId: createdById } = this.caller;
    const wish = { organizationId, createdById, connection: null, ...asked };
    const signing = this.service.container.resolve(tokens.SIGNING);
    const plan = await signing.prepare(wish, new Date());
    return plan.settle({
      submitters: [buyer],
      message: null,
      expiresInDays: null,
      fields: [field()],
      ...merged,
    });
  }

  async record(
    order: Awaited<ReturnType<EsignBench["settle"]>>,
    { id: documentId, expiresAt }: { id: string; expiresAt: string },
    bytes: Uint8Array = Buffer.from("%PDF-unsigned"),
  ): Promise<string> {
    const { container, store } = this.service;
    const fileName = "Contract";
    const [pdf] = await container
      .resolve(tokens.OUTPUT_STORE)
      .save({ documentId, fileName, expiresAt: new Date(expiresAt) }, [
        {
          format: "pdf",
          label: "pdf",
          mimeType: "application/pdf",
          extension: "pdf",
          bytes: Buffer.from(bytes),
        },
      ]);
    if (!pdf) throw new Error("not stored");
    const boxes = [{ ...field(), page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }];
    const document = {
      documentId,
      title: "Contract",
      fileName,
      pdf,
      pages: 1,
      boxes,
    };
    const id = await store.unitOfWork.run((tx) => order.record(tx, document));
    container.resolve(tokens.SIGNING).nudge();
    return id;
  }

  async get(id: string) {
    return signatureOf(await this.caller.get(`/api/signatures/${id}`));
  }

  /** Waits until the request has this status. */
  when(id: string, status: string) {
    return this.sees(id, (found) => found.status === status);
  }

  /** Waits until the request is as wished. */
  sees(
    id: string,
    isSo: (request: z.output<typeof signatureSchema>) => boolean,
  ) {
    return eventually(async () => {
      const found = await this.get(id);
      return isSo(found) && found;
    });
  }

  /** Asks until it is not about to be sent. */
  cancels(id: string) {
    return eventually(async () => {
      const path = `/api/signatures/${id}/cancel`;
      return (await this.caller.post(path, {})).status === 200;
    });
  }

  /** Has the request look as if nobody had touched it for so long. */
  async ageBy(id: string, ms: number): Promise<void> {
    const updatedAt = new Date(Date.now() - ms);
    await this.service.store.unitOfWork.run((tx) =>
      tx.update(SignatureRequest, { id }, { updatedAt }),
    );
  }

  /** Jobs of requests that run, or are to run now. */
  async readyJobs(): Promise<number> {
    const stats = await this.service.container.resolve(tokens.QUEUE).stats();
    const kind = stats.find((one) => one.kind === "signature");
    return (kind?.ready ?? 0) + (kind?.running ?? 0);
  }

  /** Waits until no job of a request runs, nor is to run now: a request changes before its job has ended. */
  async idle(): Promise<void> {
    await eventually(async () => (await this.readyJobs()) === 0);
  }

  /** As the provider tells something. */
  notice(body: object, secret = "right", connectionId = this.connectionId) {
    const path = `/api/esign/notices/${connectionId}`;
    return fetch(this.service.url + path, {
      method: "POST",
      headers: { "x-secret": secret, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
}
