import { createHash, randomUUID } from "node:crypto";
import { Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import {
  type DeliveryFile,
  type DeliveryPlugin,
  type DeliveryReceipt,
  type DeliveryRequest,
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { splitFolder } from "../lib/folders.js";
import { IdleSessions, resolveAddress, runStep } from "../lib/sessions.js";
import { targetTranslations, translations } from "./translations.js";

export interface SftpCredentials {
  host: string;
  /** Default: 22. */
  port?: number;
  user: string;
  password?: string;
  /** As PEM or in OpenSSH's format. */
  privateKey?: string;
  passphrase?: string;
  /** `SHA256:` and base64, as ssh-keygen prints it; several are separated by spaces or commas. */
  hostKeyFingerprint?: string;
  /** Contains the folder of each delivery. Without a leading `/`, it is in the folder that the server begins with. */
  folder?: string;
}

type Context = PlatformContext<SftpCredentials>;

/** Files on a server with SFTP, as SSH servers have it. A file of the same name is replaced in one step. */
export const sftpPlugin: DeliveryPlugin<SftpCredentials> = {
  meta: createMeta("delivery", "sftp", "SFTP server"),
  credentials: {
    schema: {
      type: "object",
      required: ["host", "user"],
      anyOf: [{ required: ["password"] }, { required: ["privateKey"] }],
      additionalProperties: false,
      translations,
      properties: {
        host: {
          type: "string",
          title: "Server",
          minLength: 1,
          maxLength: 253,
          description: "Such as sftp.example.com.",
        },
        port: {
          type: "integer",
          title: "Port",
          minimum: 1,
          maximum: 65535,
          description: "Default: 22.",
        },
        user: { type: "string", title: "User", minLength: 1, maxLength: 255 },
        password: {
          type: "string",
          title: "Password",
          minLength: 1,
          writeOnly: true,
          description: "This, or a private key.",
        },
        privateKey: {
          type: "string",
          title: "Private key",
          minLength: 1,
          writeOnly: true,
          contentMediaType: "application/x-pem-file",
          description:
            "The whole file, such as id_ed25519. Its public key must be on the server.",
        },
        passphrase: {
          type: "string",
          title: "Passphrase of the key",
          minLength: 1,
          writeOnly: true,
        },
        hostKeyFingerprint: {
          type: "string",
          title: "Fingerprint of the server's key",
          maxLength: 1000,
          description:
            "SHA256:… proves that it is the right server. Without it, the test shows the server's: compare it with what its administrator says.",
        },
        folder: {
          type: "string",
          title: "Folder",
          maxLength: 500,
          description:
            "All files go below it, such as /srv/documents. Without / at the beginning, it is in the folder in which the user signs in.",
        },
      },
    },
  },
  target: {
    schema: {
      type: "object",
      additionalProperties: false,
      translations: targetTranslations,
      properties: {
        folder: {
          type: "string",
          title: "Folder",
          maxLength: 2000,
          description:
            "Such as invoices/{{root.year}}. It is created if it is missing; a file of the same name in it is replaced.",
        },
      },
    },
  },
  capabilities: { maxBytes: 1_000_000_000, repeatable: true, message: false },
  rate: {
    key: ({ host, port = 22, user }) => `${host} ${port} ${user}`,
    maxInFlight: 4,
    cooldownMs: 5000,
  },
  check: (context) => context.turn({}, () => check(context)),
  deliver: (context, request) =>
    context.turn({}, () => deliver(context, request)),
};

async function check(context: Context) {
  const { user, host } = context.credentials;
  const session = await SftpSession.open(context);
  try {
    const warnings = await session.checkFolder(context.signal);
    return { account: `${user}@${host}`, warnings };
  } finally {
    session.quit();
  }
}

/** Delivers through a session without work, or else through a new one. */
async function deliver(
  context: Context,
  request: DeliveryRequest,
): Promise<DeliveryReceipt> {
  const { credentials, signal } = context;
  const idleSession = idleSessions.take(credentials);
  if (idleSession)
    try {
      return await idleSession.deliver(request, signal);
    } catch (error) {
      // The server has ended it meanwhile.
      if (!idleSession.hasEnded || signal.aborted) throw error;
    }
  const session = await SftpSession.open(context);
  return session.deliver(request, signal);
}

const connectTimeoutMs = 20_000;
const keepAliveMs = 15_000;
/** That every server accepts in one request. */
const writeBytes = 32_768;
/** Sent before the reply to the first is awaited. */
const maxWrites = 32;
/** That file systems allow for one name. */
const maxNameBytes = 255;

const idleSessions = new IdleSessions<SftpSession>();

/** A connection to a server, on which one delivery is made after the other. */
class SftpSession {
  /** Aborted when the connection fails. */
  readonly #ended = new AbortController();

  private constructor(
    private readonly client: Client,
    private readonly sftp: SFTPWrapper,
    private readonly credentials: SftpCredentials,
  ) {
    const end = (error: unknown) => {
      idleSessions.remove(this);
      this.#ended.abort(error);
      client.destroy();
    };
    client.on("error", end);
    client.on("close", () => end(new Error("the connection was closed")));
    sftp.on("error", end);
    sftp.on("close", () => end(new Error("the server ended SFTP")));
  }

  /** @throws PlatformError `auth`, `bad_config`, or `try_later`: nothing was written. */
  static async open(context: Context): Promise<SftpSession> {
    const { credentials, signal } = context;
    const address = await resolveAddress(context, credentials.host);
    const hostKey = new HostKey(credentials);
    const client = new Client();
    const ended = new AbortController();
    const end = (error: unknown) => ended.abort(error);
    client.on("error", end);
    client.on("close", () => end(new Error("the connection was closed")));
    client.on(
      "keyboard-interactive",
      (_name, _text, _language, prompts, answer) =>
        answer(prompts.map(() => credentials.password ?? "")),
    );
    const signals = [signal, ended.signal];
    try {
      await runStep(signals, (done) => {
        client.once("ready", done);
        client.connect(createConfig(address, credentials, hostKey));
        // Every step waits for an answer: held back, each small packet costs 40 ms.
        client.setNoDelay();
      });
      const sftp = await runStep<SFTPWrapper>(signals, (done) =>
        client.sftp(done),
      );
      return new SftpSession(client, sftp, credentials);
    } catch (error) {
      client.destroy();
      if (signal.aborted) throw error;
      throw hostKey.findProblem() ?? toConnectError(error, credentials);
    }
  }

  get hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  quit(): void {
    this.client.end();
  }

  /** @returns what is missing. Leaves nothing behind. */
  async checkFolder(signal: AbortSignal): Promise<string[]> {
    const folder = toPath(this.credentials, []);
    const path = join(folder, `.platen-check-${randomUUID()}`);
    try {
      const handle = await this.#run<Buffer>(signal, (done) =>
        this.sftp.open(path, "wx", done),
      );
      await this.#run(signal, (done) => this.sftp.close(handle, done));
    } catch (error) {
      if (getStatus(error) === status.noSuchFile)
        return [
          `The folder ${folder} does not exist. It is created with the first delivery, if the user may do that.`,
        ];
      throw this.#toPlatformError(error, `write in ${folder || "its folder"}`);
    }
    try {
      await this.#run(signal, (done) => this.sftp.unlink(path, done));
      return [];
    } catch (error) {
      if (getStatus(error) !== status.permissionDenied)
        throw this.#toPlatformError(error, `delete ${path}`);
      return [
        `The user may not delete files, and so cannot replace any. Allow it, and delete ${path}.`,
      ];
    }
  }

  /** @throws PlatformError. */
  async deliver(
    { id, target, files }: DeliveryRequest,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const folders = splitFolder(target.folder);
    for (const name of [...folders, ...files.map((file) => file.filename)])
      assertShort(name);
    const folder = toPath(this.credentials, folders);
    const paths: string[] = [];
    try {
      for (const [index, file] of files.entries()) {
        const path = join(folder, file.filename);
        // The same in every attempt, so that none of them is left.
        const temporary = join(folder, `.platen-${id}-${index}.part`);
        await this.#place({ file, folder, temporary, path }, signal);
        paths.push(path);
      }
    } finally {
      if (!this.hasEnded && !signal.aborted)
        idleSessions.add(this.credentials, this);
      else this.client.destroy();
    }
    return { id: paths.join(", ") };
  }

  /** Writes a file under another name, and renames it: nobody sees a part of it. */
  async #place(
    {
      file,
      folder,
      temporary,
      path,
    }: { file: DeliveryFile; folder: string; temporary: string; path: string },
    signal: AbortSignal,
  ): Promise<void> {
    let isCreated = false;
    try {
      const handle = await this.#create(folder, temporary, signal);
      isCreated = true;
      await this.#write(handle, file, signal);
      await this.#rename(temporary, path, signal);
    } catch (error) {
      if (isCreated && !this.hasEnded)
        await this.#run(signal, (done) =>
          this.sftp.unlink(temporary, done),
        ).catch(() => undefined);
      if (signal.aborted) throw error;
      throw this.#toPlatformError(error, `write ${path}`);
    }
  }

  /** Creates an empty file, and its folder if that is missing. */
  async #create(
    folder: string,
    path: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const open = () =>
      this.#run<Buffer>(signal, (done) => this.sftp.open(path, "w", done));
    try {
      return await open();
    } catch (error) {
      if (getStatus(error) !== status.noSuchFile || folder === "") throw error;
      await this.#createFolder(folder, signal);
      return open();
    }
  }

  /** With the folders that it is in. */
  async #createFolder(folder: string, signal: AbortSignal): Promise<void> {
    const names = folder.split("/");
    for (let depth = 1; depth <= names.length; depth += 1) {
      const path = names.slice(0, depth).join("/");
      if (path === "") continue;
      try {
        await this.#run(signal, (done) => this.sftp.mkdir(path, done));
      } catch (error) {
        const isFolder = await this.#run<{ isDirectory(): boolean }>(
          signal,
          (done) => this.sftp.stat(path, done),
        ).then(
          (stats) => stats.isDirectory(),
          () => false,
        );
        if (!isFolder)
          throw this.#toPlatformError(error, `create the folder ${path}`);
      }
    }
  }

  async #write(
    handle: Buffer,
    file: DeliveryFile,
    signal: AbortSignal,
  ): Promise<void> {
    const stream: AsyncIterable<Buffer> = await file.open();
    let position = 0;
    let writes: Promise<unknown>[] = [];
    try {
      for await (const chunk of stream)
        for (let at = 0; at < chunk.length; at += writeBytes) {
          const part = chunk.subarray(at, at + writeBytes);
          const from = position;
          const write = this.#run(signal, (done) =>
            this.sftp.write(handle, part, 0, part.length, from, done),
          );
          // Its failure is read below.
          write.catch(() => undefined);
          position += part.length;
          if (writes.push(write) < maxWrites) continue;
          await Promise.all(writes);
          writes = [];
        }
      await Promise.all(writes);
      const { size } = await this.#run<{ size: number }>(signal, (done) =>
        this.sftp.fstat(handle, done),
      );
      if (size !== position)
        throw new PlatformError(
          "unavailable",
          `the server has stored ${size} of ${position} bytes. Check whether its disk is full.`,
        );
    } finally {
      await this.#run(signal, (done) => this.sftp.close(handle, done)).catch(
        () => undefined,
      );
    }
  }

  /** Replaces a file in one step where the server can; SFTP itself refuses to rename to a name that is taken. */
  async #rename(from: string, to: string, signal: AbortSignal): Promise<void> {
    const rename = () =>
      this.#run(signal, (done) => this.sftp.rename(from, to, done));
    try {
      await this.#run(signal, (done) =>
        this.sftp.ext_openssh_rename(from, to, done),
      );
      return;
    } catch (error) {
      const code = getStatus(error);
      const isUnsupported = code === null || code === status.unsupported;
      if (this.hasEnded || !isUnsupported) throw error;
    }
    try {
      await rename();
    } catch (error) {
      if (getStatus(error) === null) throw error;
      await this.#run(signal, (done) => this.sftp.unlink(to, done));
      await rename();
    }
  }

  #run<T = unknown>(
    signal: AbortSignal,
    step: Parameters<typeof runStep<T>>[1],
  ): Promise<T> {
    return runStep([signal, this.#ended.signal], step);
  }

  /** @param act such as `write invoice.pdf`. */
  #toPlatformError(error: unknown, act: string): unknown {
    if (error instanceof PlatformError) return error;
    const code = getStatus(error);
    if (code !== null) return toStatusError(code, error, act);
    if (!this.hasEnded) return error;
    return new PlatformError(
      "unavailable",
      "the connection to the server broke off.",
      { cause: error },
    );
  }
}

function createConfig(
  host: string,
  { port = 22, user, password, privateKey, passphrase }: SftpCredentials,
  hostKey: HostKey,
): ConnectConfig {
  return {
    host,
    port,
    username: user,
    ...(password !== undefined && { password, tryKeyboard: true }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
    // Before anything secret is sent.
    hostVerifier: (key: Buffer) => hostKey.verify(key),
    readyTimeout: connectTimeoutMs,
    keepaliveInterval: keepAliveMs,
  };
}

/** The key by which a server proves who it is. */
class HostKey {
  readonly #expected: ReadonlySet<string>;
  #presented: { type: string; fingerprint: string } | null = null;

  constructor({ hostKeyFingerprint = "" }: SftpCredentials) {
    const texts = hostKeyFingerprint.split(/[\s,]+/).filter(Boolean);
    this.#expected = new Set(texts.map(toPlainFingerprint));
  }

  /** Whether it is one of those that are expected. */
  verify(key: Buffer): boolean {
    const type = key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
    const digest = createHash("sha256").update(key).digest("base64");
    const fingerprint = `SHA256:${digest.replace(/=+$/, "")}`;
    this.#presented = { type, fingerprint };
    return this.#isExpected(fingerprint);
  }

  #isExpected(fingerprint: string): boolean {
    return this.#expected.has(toPlainFingerprint(fingerprint));
  }

  /** Null when the server has presented no key, or the right one. */
  findProblem(): PlatformError | null {
    if (this.#presented === null) return null;
    const { type, fingerprint } = this.#presented;
    if (this.#isExpected(fingerprint)) return null;
    return new PlatformError(
      "bad_config",
      this.#expected.size === 0
        ? `the key of this server is not pinned: ${fingerprint} (${type}). Compare it with what the server's administrator says, and save it in the connection as hostKeyFingerprint. Nothing was sent to the server.`
        : `this is another server than the connection names: its key is ${fingerprint} (${type}). If the server's administrator confirms it, save it in the connection as hostKeyFingerprint; otherwise somebody may be in between. Nothing was sent to the server.`,
    );
  }
}

function toPlainFingerprint(text: string): string {
  return text.replace(/^SHA256:/i, "").replace(/=+$/, "");
}

/** Relative to the folder in which the user signs in, unless the connection's folder begins with `/`. */
function toPath(
  { folder = "" }: SftpCredentials,
  names: readonly string[],
): string {
  const path = [...splitFolder(folder), ...names].join("/");
  return folder.trim().startsWith("/") ? `/${path}` : path;
}

function join(folder: string, name: string): string {
  return folder === "" || folder.endsWith("/")
    ? `${folder}${name}`
    : `${folder}/${name}`;
}

/** @throws PlatformError `invalid_field`. */
function assertShort(name: string): void {
  const bytes = Buffer.byteLength(name);
  if (bytes <= maxNameBytes) return;
  throw new PlatformError(
    "invalid_field",
    `the name "${name.slice(0, 60)}…" has ${bytes} bytes, and servers allow ${maxNameBytes}. Shorten \`folder\` or \`filename\`, and retry the delivery.`,
  );
}

/** Status codes of SFTP 3. */
const status = {
  noSuchFile: 2,
  permissionDenied: 3,
  unsupported: 8,
} as const;

/** The server's refusal; null for any other error. */
function getStatus(error: unknown): number | null {
  const code: unknown = Object(error).code;
  return typeof code === "number" ? code : null;
}

function toStatusError(
  code: number,
  cause: unknown,
  act: string,
): PlatformError {
  const detail = { cause };
  switch (code) {
    case status.noSuchFile:
      return new PlatformError(
        "not_found",
        `the server cannot ${act}, because the folder does not exist. Create it, or correct \`folder\`.`,
        detail,
      );
    case status.permissionDenied:
      return new PlatformError(
        "forbidden",
        `the user may not ${act}. Give the user that permission on the server, or choose another folder.`,
        detail,
      );
    default:
      return new PlatformError(
        "unavailable",
        `the server could not ${act}: ${toLine(cause)}. Check whether its disk or the user's quota is full, and whether a folder has that name.`,
        detail,
      );
  }
}

function toLine(error: unknown): string {
  const text = error instanceof Error ? error.message : "";
  return text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 300);
}

/** A failure before anything was written. */
function toConnectError(
  cause: unknown,
  { user, privateKey }: SftpCredentials,
): unknown {
  if (cause instanceof PlatformError) return cause;
  const said = toLine(cause);
  const level: unknown = Object(cause).level;
  const detail = { cause };
  if (level === "client-authentication")
    return new PlatformError(
      "auth",
      `the server did not accept the user "${user}" with this ${privateKey === undefined ? "password" : "private key"}. Correct the connection${privateKey === undefined ? "" : ", and put the public key on the server"}.`,
      detail,
    );
  if (said.startsWith("Cannot parse privateKey"))
    return new PlatformError(
      "bad_config",
      `the private key cannot be read: ${said.replace(/^.*?: /, "")}. Save the whole file, and its passphrase if it has one.`,
      detail,
    );
  if (level === "handshake" || level === "protocol")
    return new PlatformError(
      "bad_config",
      `no encrypted connection to the server is possible: ${said}. Check the host and the port; a very old server needs an update.`,
      detail,
    );
  if (/subsystem|channel/i.test(said))
    return new PlatformError(
      "bad_config",
      `the server does not offer SFTP to this user: ${said}. Ask its administrator to enable it.`,
      detail,
    );
  return new PlatformError(
    "try_later",
    `the server cannot be reached, or ended the connection: ${said}. Check the connection's host and port if it never worked.`,
    detail,
  );
}
