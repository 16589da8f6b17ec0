import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { operator } from "../../core/accounts/index.js";
import type { Log } from "../../core/plugin-api/index.js";
import { Outbound, type OutboundReply } from "../../core/lib/outbound/index.js";
import { SecretBox } from "../../core/lib/secrets.js";
import { createQueue, type Queue } from "../../core/queue/index.js";
import {
  newId,
  type Store,
  WebhookDelivery,
  type WebhookEndpoint,
  type DatabaseLocation,
} from "../../core/storage/database/index.js";
import {
  createEvents,
  type EndpointInput,
  type EndpointWithSecret,
  type Events,
  type EventSettings,
  recordEvents,
  type ServiceEvent,
} from "../../core/webhooks/index.js";
import { until } from "./eventually.js";
import { LoopbackServer, useServer } from "./fakes/fake-server.js";
import { silentLog } from "./recording-log.js";
import { partArguments } from "./service-process.js";
import { newOrganization, type OpenDatabase } from "./store.js";

export const testSecret = "a secret of the tests, long enough to be one";

const settings: EventSettings = {
  schedule: [1, 1, 1],
  timeoutMs: 15_000,
  maxHoldMs: 24 * 60 * 60_000,
  disableAfterMs: 5 * 24 * 60 * 60_000,
  overlapMs: 24 * 60 * 60_000,
  concurrency: 16,
  perEndpoint: 4,
  retentionMs: 30 * 24 * 60 * 60_000,
};

/** Receivers on the loopback interface stand for public ones, of which deliveries keep the answers. */
class PublicLoopback extends Outbound {
  override async fetch(
    ...call: Parameters<Outbound["fetch"]>
  ): Promise<OutboundReply> {
    return { ...(await super.fetch(...call)), isPrivate: false };
  }
}

interface EventsOptions {
  leaseMs?: number;
  /** The service's own, the present one first. */
  secrets?: readonly [string, ...string[]];
  log?: Log;
}

/**
 * A queue and webhooks on a store, wired as in the service; the loopback interface may be called, and every name belongs
 * to a private address.
 */
export function eventsOn(
  store: Store,
  choices: Partial<EventSettings> = {},
  { leaseMs, secrets = [testSecret], log = silentLog }: EventsOptions = {},
): { queue: Queue; events: Events } {
  const all = { ...settings, ...choices };
  // Where nothing is retried soon, what nobody nudges is not sent.
  const pollMs = all.schedule.some((waitMs) => waitMs < 1000) ? 20 : 600_000;
  const queue = createQueue(
    { ...store, log: silentLog },
    { node: randomUUID(), pollMs, ...(leaseMs && { leaseMs }) },
  );
  const outbound = new PublicLoopback({
    allowPrivateNetworks: ["127.0.0.0/8"],
    log: silentLog,
    resolve: () => Promise.resolve([{ address: "10.1.2.3", family: 4 }]),
  });
  const events = createEvents({
    store,
    queue,
    outbound,
    secrets: new SecretBox(secrets, "webhook secrets"),
    settings: all,
    userAgent: "Platen tests",
    log,
  });
  return { queue, events };
}

/** The webhooks of a suite, with a worker that runs from its `before` to its `after`. */
export class WebhookHarness {
  #parts: { store: Store; queue: Queue; events: Events } | null = null;

  async start(
    store: Store,
    choices: Partial<EventSettings>,
    options: EventsOptions,
  ): Promise<void> {
    const { queue, events } = eventsOn(store, choices, options);
    this.#parts = { store, queue, events };
    events.dispatch.work();
    events.dispatch.start();
    await queue.start();
  }

  async stop(): Promise<void> {
    await this.events.dispatch.stop();
    await this.#parts?.queue.stop(0);
  }

  get store(): Store {
    return this.#running.store;
  }

  get events(): Events {
    return this.#running.events;
  }

  get queue(): Queue {
    return this.#running.queue;
  }

  newOrganization(): Promise<string> {
    return newOrganization(this.store);
  }

  endpoint(
    organizationId: string,
    input: EndpointInput,
  ): Promise<EndpointWithSecret> {
    return this.events.endpoints.create(organizationId, input, operator);
  }

  /** A new organization with an endpoint at the receiver, and a batch of it. */
  async subscribe(
    { url }: Pick<WebhookReceiver, "url">,
    more: Partial<EndpointInput> = {},
  ) {
    const organizationId = await this.newOrganization();
    const endpoint = await this.endpoint(organizationId, { url, ...more });
    return { ...endpoint, batch: new TestBatch(organizationId) };
  }

  /** The delivery of a document that succeeded, once it has ended. */
  async deliver({ id, batch }: { id: string; batch: TestBatch }) {
    await this.record(batch.succeeded());
    const [delivery] = await this.waitUntilSettled({ id });
    return delivery;
  }

  /** Records events as batches do, and relays them after the commit. */
  async record(...events: ServiceEvent[]): Promise<void> {
    await this.store.unitOfWork.run((tx) => recordEvents(tx, events));
    this.events.dispatch.nudge();
  }

  /** Now, instead of every half minute. */
  async sweep(): Promise<void> {
    await this.events.dispatch.sweep(new AbortController().signal);
  }

  /** Waits until all deliveries of the endpoint have ended. */
  async waitUntilSettled({ id }: Pick<WebhookEndpoint, "id">) {
    return until("all deliveries have ended", async () => {
      const rows = await this.store.read.find(WebhookDelivery, {
        where: { endpointId: id },
        order: { createdAt: "ASC", id: "ASC" },
      });
      const isOver =
        rows.length > 0 && rows.every(({ completedAt }) => completedAt);
      return isOver ? rows : null;
    });
  }

  get #running() {
    if (this.#parts) return this.#parts;
    throw new Error("the webhooks of this suite do not run yet");
  }
}

export function useWebhooks(
  open: OpenDatabase,
  choices: Partial<EventSettings> = {},
  options: EventsOptions = {},
): WebhookHarness {
  const harness = new WebhookHarness();
  before(async () => harness.start(await open(), choices, options));
  after(() => harness.stop());
  return harness;
}

/** The events of a batch of one organization. */
export class TestBatch {
  readonly batchId = newId("batch");

  constructor(private readonly organizationId: string) {}

  succeeded(metadata: Record<string, unknown> = {}): ServiceEvent {
    const { batchId, organizationId } = this;
    const documentId = newId("doc");
    const completedAt = new Date().toISOString();
    const output = {
      label: "pdf",
      storageKey: "outputs/ab/x.pdf",
      url: "http://127.0.0.1/files/x.pdf",
      mimeType: "application/pdf",
      sizeBytes: 1234,
      checksum: `sha256:${"0".repeat(64)}`,
    };
    return {
      type: "document.succeeded",
      data: {
        documentId,
        batchId,
        organizationId,
        status: "succeeded",
        outputs: [output],
        metadata,
        warningCount: 1,
        completedAt,
      },
    };
  }

  declined(batchId: string | null = this.batchId): ServiceEvent {
    const { organizationId } = this;
    return {
      type: "signature.declined",
      data: {
        signatureId: newId(),
        documentId: newId("doc"),
        batchId,
        organizationId,
        provider: "memory",
        status: "declined",
        submitters: [],
        outputs: [],
        metadata: {},
        completedAt: new Date().toISOString(),
      },
    };
  }

  completed(totalDocuments = 1): ServiceEvent {
    const { batchId, organizationId } = this;
    return {
      type: "documents.completed",
      data: {
        batchId,
        organizationId,
        totalDocuments,
        succeededCount: totalDocuments,
        failedCount: 0,
        expiredCount: 0,
        completedAt: new Date().toISOString(),
      },
    };
  }
}

/** Starts a process that makes deliveries; resolves when it works. The function ends it as by a power cut. */
export async function startEventProcess(
  location: DatabaseLocation,
): Promise<() => Promise<void>> {
  const args = [
    ...partArguments("event-process-main"),
    JSON.stringify(location),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  await once(createInterface(child.stdout), "line");
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}

/** A delivery as it arrived. */
interface ReceivedWebhook {
  path: string;
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  type: string;
  data: Record<string, unknown>;
  /** What stands beside `data`. */
  message: Record<string, unknown>;
}

type Responder = (
  received: ReceivedWebhook,
  response: ServerResponse,
) => void | Promise<void>;

/** A receiver of webhooks on the loopback interface, for the suite that calls this. Answers 204 unless told otherwise. */
export class WebhookReceiver extends LoopbackServer {
  readonly received: ReceivedWebhook[] = [];
  #answer: Responder = ok;

  answer(answer: Responder): void {
    this.#answer = answer;
  }

  forget(): void {
    this.received.length = 0;
    this.#answer = ok;
  }

  override get url(): string {
    return `${super.url}/hook`;
  }

  /** Waits until so many have arrived. */
  async waitFor(count: number): Promise<ReceivedWebhook[]> {
    await until(`${count} webhooks`, () => this.received.length >= count);
    return this.received;
  }

  protected async serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await text(request);
    const message = JSON.parse(body);
    const received = {
      path: request.url ?? "",
      id: String(request.headers["webhook-id"]),
      headers: request.headers,
      text: body,
      type: message.type,
      data: message.data,
      message,
    };
    this.received.push(received);
    await this.#answer(received, response);
  }
}

const ok: Responder = (_arrived, response) => {
  response.writeHead(204).end();
};

/** Answers this status, with these headers and this text. */
export function answers(status: number, headers = {}, body = ""): Responder {
  return (_arrived, response) => {
    response.writeHead(status, headers).end(body);
  };
}

export function useReceiver(): WebhookReceiver {
  return useServer(new WebhookReceiver());
}

/** As a receiver would with the standard's own library. @throws when the signature is not good. */
export function verified(
  secret: string,
  { text: body, headers }: ReceivedWebhook,
) {
  return new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  });
}
