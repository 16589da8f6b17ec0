import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  EsignContext,
  EsignProvider,
  PlatformRate,
  RequestState,
  SignedFile,
  SignRequest,
  StartedRequest,
} from "../../../core/plugin-api/index.js";
import { Doors } from "../doors.js";
import { secretsOf } from "../secrets-of.js";
import { SuiteContext, Turns } from "../suite-context.js";
import { withinLimit } from "../within-limit.js";
import type {
  EsignSubject,
  SignerAct,
  StartedProvider,
} from "./esign-subject.js";

/** A started provider behind its fault proxies, called as the service's host calls it. */
export class EsignSession<C> {
  readonly secrets: readonly string[];
  readonly #turns: Turns<C>;

  private constructor(
    readonly plugin: EsignProvider<C>,
    readonly doors: Doors,
    readonly server: StartedProvider<C>,
    readonly credentials: C,
    private readonly folder: string,
  ) {
    this.secrets = secretsOf(plugin.credentials.schema, credentials);
    this.#turns = new Turns(paceOf(plugin, server), credentials);
  }

  static async start<C>(subject: EsignSubject<C>): Promise<EsignSession<C>> {
    const { plugin } = subject;
    const server = await subject.start();
    const doors = await Doors.open(server.addresses);
    const folder = await mkdtemp(join(tmpdir(), "platen-suite-"));
    const credentials = server.credentials(doors.urls);
    return new EsignSession(plugin, doors, server, credentials, folder);
  }

  /** How many requests have had their turn. */
  get turns(): number {
    return this.#turns.granted;
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
    credentials = this.credentials,
  ): Promise<T> {
    return withinLimit(
      (signal) => work(this.#context(credentials, signal)),
      stop,
    );
  }

  async close(): Promise<void> {
    await this.doors.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #context(credentials: C, signal: AbortSignal): EsignContext<C> {
    const context = new SuiteContext(credentials, signal, this.#turns);
    return {
      credentials,
      signal,
      log: context.log,
      http: (url, request) => context.http(url, request),
      json: (url, request) => context.json(url, request),
      turn: (scope, send) => context.turn(scope, send),
      addressOf: (host) => context.addressOf(host),
      fileAt: (name) => context.fileAt(name),
      folder: () => Promise.resolve(this.folder),
      pageAddress: (path) => `https://platen.example.com/esign/suite/${path}`,
    };
  }
}

/** A server on this machine, real or faithful, keeps no count of minutes: to wait for it would take hours. */
function paceOf<C>(
  { rate }: EsignProvider<C>,
  { addresses }: StartedProvider<C>,
): PlatformRate<C> {
  const isNear = Object.values(addresses).every((address) =>
    ["127.0.0.1", "localhost"].includes(new URL(address).hostname),
  );
  return isNear ? { ...rate, maxPerMinute: Infinity } : rate;
}
