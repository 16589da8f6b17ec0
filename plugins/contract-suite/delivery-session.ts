import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type {
  DeliveryFile,
  DeliveryPlugin,
  DeliveryReceipt,
  DeliveryRequest,
  PlatformContext,
} from "../../core/plugin-api/index.js";
import {
  createSuiteAuthorization,
  type SuiteAuthorization,
} from "./authorization-checks.js";
import { type Addresses, FaultProxies } from "./fault-proxy.js";
import {
  createContext,
  findSecrets,
  RateLimiter,
  type SharedSession,
  withTimeout,
} from "./suite-context.js";

export interface DeliveredFile {
  name: string;
  bytes: Uint8Array;
}

export interface StartedReceiver<C> {
  /** The suite puts a fault proxy in front of each. */
  addresses: Addresses;
  /** Credentials that reach the server at these addresses, which are those of the proxies. */
  credentials(addresses: Addresses): C;
  /** Credentials that the server refuses. */
  wrongCredentials(addresses: Addresses): C;
  /** Where the suite delivers to: properties of `target.schema`. */
  target: Readonly<Record<string, unknown>>;
  /** All files that are there, those with temporary names too. */
  list(): Promise<DeliveredFile[]>;
  /**
   * Required when the plugin has `authorization`. Consents on the page at this address.
   * @returns the code that the page sends back.
   */
  consent?(page: string): Promise<string>;
  close(): Promise<void>;
}

/** What the author of a delivery plugin passes to the suite. */
export interface DeliverySubject<C> {
  plugin: DeliveryPlugin<C>;
  /** Starts a server, real or fake. Called once, by the first check that runs. */
  start(): Promise<StartedReceiver<C>>;
}

/** One requirement. `run` rejects with an error that says what is wrong. */
export interface DeliveryCheck {
  title: string;
  /** Left out: applies to every delivery plugin. */
  appliesTo?(plugin: DeliveryPlugin<never>): boolean;
  run<C>(session: DeliverySession<C>): Promise<void>;
}

/** A started receiver behind its fault proxies, called as the service calls it. */
export class DeliverySession<C> implements SharedSession {
  readonly credentials: C;
  readonly secrets: readonly string[];
  readonly #limiter: RateLimiter<C>;

  private constructor(
    readonly plugin: DeliveryPlugin<C>,
    readonly proxies: FaultProxies,
    readonly receiver: StartedReceiver<C>,
  ) {
    this.credentials = receiver.credentials(proxies.addresses);
    this.secrets = findSecrets(plugin.credentials.schema, this.credentials);
    this.#limiter = new RateLimiter(plugin.rate, this.credentials);
  }

  static async start<C>(
    subject: DeliverySubject<C>,
  ): Promise<DeliverySession<C>> {
    const receiver = await subject.start();
    const proxies = await FaultProxies.start(receiver.addresses);
    return new DeliverySession(subject.plugin, proxies, receiver);
  }

  get requestCount(): number {
    return this.#limiter.requestCount;
  }

  get authorization(): SuiteAuthorization {
    const { plugin, receiver, credentials } = this;
    return createSuiteAuthorization(
      plugin,
      (work) => this.#call(work, credentials),
      receiver.consent?.bind(receiver),
    );
  }

  check(credentials: C = this.credentials): Promise<unknown> {
    return this.#call((context) => this.plugin.check(context), credentials);
  }

  deliver(
    request: DeliveryRequest,
    stop?: AbortSignal,
  ): Promise<DeliveryReceipt> {
    return this.#call(
      (context) => this.plugin.deliver(context, request),
      this.credentials,
      stop,
    );
  }

  createRequest(...files: DeliveryFile[]): DeliveryRequest {
    return {
      id: randomUUID(),
      target: this.receiver.target,
      files,
      ...(this.plugin.capabilities.message && {
        message: { subject: "Contract suite", text: "From the suite." },
      }),
    };
  }

  async find(name: string): Promise<DeliveredFile[]> {
    const files = await this.receiver.list();
    return files.filter((file) => file.name === name);
  }

  async close(): Promise<void> {
    await this.proxies.close();
    await this.receiver.close();
  }

  #call<T>(
    work: (context: PlatformContext<C>) => Promise<T>,
    credentials: C,
    stop?: AbortSignal,
  ): Promise<T> {
    return withTimeout(
      (signal) => work(createContext(credentials, signal, this.#limiter)),
      stop,
    );
  }
}

let count = 0;

/** A file whose name no other has. */
export function createDeliveryFile(
  name = "file",
  content = new TextEncoder().encode(`${name} ${randomUUID()}`),
): DeliveryFile {
  count += 1;
  const open = () =>
    Promise.resolve(Readable.from(split(content), { objectMode: false }));
  return {
    key: `contract-suite/${count}`,
    filename: `${name} ${count}.pdf`,
    contentType: "application/pdf",
    sizeBytes: content.byteLength,
    open,
    bytes: async () => buffer(await open()),
  };
}

const chunkBytes = 65_536;

/** As a file store reads it. */
function* split(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += chunkBytes)
    yield content.subarray(at, at + chunkBytes);
}
