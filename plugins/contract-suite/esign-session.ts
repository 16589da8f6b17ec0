import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  EsignContext,
  EsignProvider,
  FieldBox,
  PlatformRate,
  RawNotice,
  RequestState,
  SignedFile,
  SignRequest,
  StartedRequest,
} from "../../core/plugin-api/index.js";
import { type Addresses, FaultProxies } from "./fault-proxy.js";
import {
  createContext,
  findSecrets,
  RateLimiter,
  type SharedSession,
  withTimeout,
} from "./suite-context.js";

export interface SignerAct {
  externalId: string;
  role: string;
  act: "sign" | "decline";
}

export interface StartedProvider<C> {
  /** The suite puts a fault proxy in front of each. Empty for a provider that runs inside the service. */
  addresses: Addresses;
  /** Credentials that reach the server at these addresses, which are those of the proxies. */
  credentials(addresses: Addresses): C;
  /** Credentials that the server refuses; left out when it cannot refuse any. */
  wrongCredentials?(addresses: Addresses): C;
  /** Acts as a signer whose turn it is. */
  play(act: SignerAct, context: EsignContext<C>): Promise<void>;
  /** How many requests with this id the provider has, sent or not. */
  count(requestId: string, context: EsignContext<C>): Promise<number>;
  /** A genuine notice about a request, as the provider would send it now; left out when it sends none. */
  notice?(externalId: string): RawNotice;
  close(): Promise<void>;
}

/** What the author of a provider passes to the suite. */
export interface EsignSubject<C> {
  plugin: EsignProvider<C>;
  /** Starts a server, real or fake. Called once, by the first check that runs. */
  start(): Promise<StartedProvider<C>>;
}

/** One requirement. `run` rejects with an error that says what is wrong. */
export interface EsignCheck {
  title: string;
  /** Left out: applies to every provider. */
  appliesTo?(plugin: EsignProvider<never>): boolean;
  run<C>(session: EsignSession<C>): Promise<void>;
}

/** A started provider behind its fault proxies, called as the service calls it. */
export class EsignSession<C> implements SharedSession {
  readonly credentials: C;
  readonly secrets: readonly string[];
  readonly #limiter: RateLimiter<C>;

  private constructor(
    readonly plugin: EsignProvider<C>,
    readonly proxies: FaultProxies,
    readonly server: StartedProvider<C>,
    private readonly folder: string,
  ) {
    this.credentials = server.credentials(proxies.addresses);
    this.secrets = findSecrets(plugin.credentials.schema, this.credentials);
    const rate = getSuiteRate(plugin, server);
    this.#limiter = new RateLimiter(rate, this.credentials);
  }

  static async start<C>(subject: EsignSubject<C>): Promise<EsignSession<C>> {
    const server = await subject.start();
    const proxies = await FaultProxies.start(server.addresses);
    const folder = await mkdtemp(join(tmpdir(), "platen-suite-"));
    return new EsignSession(subject.plugin, proxies, server, folder);
  }

  get requestCount(): number {
    return this.#limiter.requestCount;
  }

  check(credentials: C = this.credentials): Promise<unknown> {
    return this.call(
      (context) => this.plugin.check(context),
      undefined,
      credentials,
    );
  }

  start(request: SignRequest): Promise<StartedRequest> {
    return this.call((context) => this.plugin.start(context, request));
  }

  find(requestId: string): Promise<StartedRequest | null> {
    return this.call((context) => this.plugin.find(context, requestId));
  }

  status(externalId: string, stop?: AbortSignal): Promise<RequestState> {
    return this.call(
      (context) => this.plugin.status(context, externalId),
      stop,
    );
  }

  download(externalId: string): Promise<SignedFile[]> {
    return this.call((context) => this.plugin.download(context, externalId));
  }

  play(act: SignerAct): Promise<void> {
    return this.call((context) => this.server.play(act, context));
  }

  count(requestId: string): Promise<number> {
    return this.call((context) => this.server.count(requestId, context));
  }

  call<T>(
    work: (context: EsignContext<C>) => Promise<T>,
    stop?: AbortSignal,
    credentials: C = this.credentials,
  ): Promise<T> {
    return withTimeout(
      (signal) =>
        work({
          ...createContext(credentials, signal, this.#limiter),
          folder: () => Promise.resolve(this.folder),
          pageAddress: (path) =>
            `https://platen.example.com/esign/suite/${path}`,
        }),
      stop,
    );
  }

  async close(): Promise<void> {
    await this.proxies.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Drops limits per minute for a server on this machine, with which the suite would take hours. */
function getSuiteRate<C>(
  { rate }: EsignProvider<C>,
  { addresses }: StartedProvider<C>,
): PlatformRate<C> {
  const isLocal = Object.values(addresses).every((address) =>
    ["127.0.0.1", "localhost"].includes(new URL(address).hostname),
  );
  return isLocal ? { ...rate, maxPerMinute: Infinity } : rate;
}

/** A request with two signers, one after the other, on a page each; the first also fills in a town. */
export function createRequest(changes: Partial<SignRequest> = {}): SignRequest {
  return {
    requestId: randomUUID(),
    title: "A contract of the contract suite",
    pdf: { name: "contract", bytes: createEmptyPdf(2), pages: 2 },
    fields: [
      createSignatureBox("Buyer", 1),
      createSignatureBox("Seller", 2),
      { ...createSignatureBox("Buyer", 1), name: "Town", type: "text", y: 0.7 },
    ],
    submitters: [
      { role: "Buyer", email: "buyer@example.com", name: "Ada", order: 0 },
      { role: "Seller", email: "seller@example.com", name: "Bob", order: 1 },
    ],
    ...changes,
  };
}

function createSignatureBox(role: string, page: number): FieldBox {
  return {
    id: randomUUID(),
    name: `Signature of ${role}`,
    role,
    type: "signature",
    required: true,
    page,
    x: 0.1,
    y: 0.5,
    w: 0.3,
    h: 0.05,
  };
}

function createEmptyPdf(pageCount: number): Uint8Array {
  const pages = Array.from({ length: pageCount }, (_, page) => page + 3);
  const kids = pages.map((number) => `${number} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pageCount}/Kids[${kids}]>>`,
    ...pages.map(() => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"),
  ];
  let text = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${at + 1} 0 obj${object}endobj\n`;
  }
  const rows = offsets.map(
    (offset) => `${String(offset).padStart(10, "0")} 00000 n \n`,
  );
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return new TextEncoder().encode(text + table + trailer);
}
