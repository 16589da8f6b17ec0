import { spawn } from "node:child_process";
import { createHash, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { once } from "node:events";
import { createServer, type Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ssh2, { type Connection, type SFTPWrapper } from "ssh2";
import { getPort } from "./free-port.js";

const { Server, utils } = ssh2;
const { STATUS_CODE, OPEN_MODE } = utils.sftp;

/** OpenSSH's own, where it is installed; null elsewhere. */
export const opensshServer =
  [
    "/usr/lib/openssh/sftp-server",
    "/usr/lib/ssh/sftp-server",
    "/usr/libexec/openssh/sftp-server",
    "/usr/libexec/sftp-server",
  ].find((path) => existsSync(path)) ?? null;

interface SftpServerOptions {
  /** The program that serves files; null: one in this process, which has no extension of the protocol. */
  program?: string | null;
  /** Who may sign in by a key instead. */
  publicKey?: string;
  /** Whether the password is asked for as a question, as many servers do. */
  isInteractive?: boolean;
}

/** One of 250 keys that ssh2 creates cannot be read by itself. */
export function createSshKeys(passphrase?: string): {
  private: string;
  public: string;
} {
  const lock = { cipher: "aes256-ctr", rounds: 4 };
  for (;;) {
    const keys = passphrase
      ? utils.generateKeyPairSync("ed25519", { passphrase, ...lock })
      : utils.generateKeyPairSync("ed25519");
    const key = utils.parseKey(keys.private, passphrase);
    if (!(key instanceof Error)) return keys;
  }
}

/** A real SSH server on loopback, with a temporary folder in which users begin. */
export class SftpServer {
  readonly user = "platen";
  readonly password = "s3cret";
  connections = 0;
  /** Called before each write is answered; the reply waits for it. In this process only. */
  beforeWrite: (count: number) => Promise<void> | void = () => undefined;
  /** What the user may not do, and which status it is answered with. In this process only. */
  readonly refused = new Map<"OPEN" | "WRITE" | "RENAME" | "MKDIR", number>();
  private writes = 0;
  private readonly clients = new Set<Connection>();

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly hostKeyFingerprint: string,
    private readonly listener: NetServer,
  ) {}

  static async start({
    program = null,
    publicKey,
    isInteractive = false,
  }: SftpServerOptions = {}): Promise<SftpServer> {
    const hostKey = createSshKeys().private;
    const folder = await mkdtemp(join(tmpdir(), "platen-sftp-"));
    const server = new Server({ hostKeys: [hostKey] });
    const listener = createServer({ noDelay: true }, (socket) =>
      server.injectSocket(socket),
    );
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const started = new SftpServer(
      folder,
      getPort(listener),
      createFingerprint(hostKey),
      listener,
    );
    const accepted = publicKey === undefined ? null : parseKey(publicKey);
    server.on("connection", (client) => {
      started.connections += 1;
      started.clients.add(client);
      client.on("error", () => undefined);
      client.on("close", () => started.clients.delete(client));
      client.on("authentication", (context) => {
        const { method, username } = context;
        if (username !== started.user) return context.reject();
        if (method === "password" && !isInteractive)
          return context.password === started.password
            ? context.accept()
            : context.reject();
        if (method === "keyboard-interactive" && isInteractive)
          return context.prompt(
            [{ prompt: "Password: ", echo: false }],
            ([answer]) =>
              answer === started.password ? context.accept() : context.reject(),
          );
        if (method === "publickey" && accepted) {
          const sent = context.key.data;
          const known = accepted.getPublicSSH();
          const isKnown =
            sent.length === known.length && timingSafeEqual(sent, known);
          const { signature, blob, hashAlgo } = context;
          const isSigned =
            !signature ||
            (blob !== undefined && accepted.verify(blob, signature, hashAlgo));
          return isKnown && isSigned ? context.accept() : context.reject();
        }
        return context.reject(
          isInteractive ? ["keyboard-interactive"] : ["password", "publickey"],
        );
      });
      client.on("ready", () =>
        client.on("session", (accept) => {
          const session = accept();
          if (program === null)
            session.on("sftp", (acceptSftp) => started.serve(acceptSftp()));
          else
            session.on("subsystem", (acceptChannel, reject, { name }) => {
              if (name !== "sftp") return reject();
              const channel = acceptChannel();
              const child = spawn(program, ["-d", folder], {
                stdio: ["pipe", "pipe", "ignore"],
              });
              child.stdin.on("error", () => undefined);
              channel.pipe(child.stdin);
              child.stdout.pipe(channel);
              channel.on("close", () => child.kill());
              return undefined;
            });
        }),
      );
    });
    return started;
  }

  /** With the password. */
  get credentials() {
    const { port, user, password, hostKeyFingerprint } = this;
    return { host: "127.0.0.1", port, user, password, hostKeyFingerprint };
  }

  /** All files, by their paths in the folder; none that is renamed or deleted meanwhile. */
  async list(): Promise<{ name: string; bytes: Buffer }[]> {
    const entries = await readdir(this.folder, {
      recursive: true,
      withFileTypes: true,
    });
    const files = entries.map(async (entry) => {
      if (!entry.isFile()) return [];
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch(() => null);
      return bytes ? [{ name: path.slice(this.folder.length + 1), bytes }] : [];
    });
    return (await Promise.all(files)).flat();
  }

  /** Breaks all connections. */
  disconnect(): void {
    for (const client of this.clients) client.end();
  }

  async close(): Promise<void> {
    this.listener.close();
    this.disconnect();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** SFTP version 3 without extensions: a rename to a name that is taken fails. */
  private serve(sftp: SFTPWrapper): void {
    const handles = new Map<string, FileHandle>();
    const toPath = (path: string) => resolve(this.folder, path);
    const find = (handle: Buffer) => {
      const found = handles.get(handle.toString("hex"));
      if (!found)
        throw Object.assign(new Error("no handle"), { code: "EBADF" });
      return found;
    };
    const answer = (id: number, work: () => Promise<unknown>) => {
      work().then(
        () => sftp.status(id, STATUS_CODE.OK),
        (error: unknown) => sftp.status(id, toStatus(error)),
      );
    };
    const refuse = (act: "OPEN" | "WRITE" | "RENAME" | "MKDIR") => {
      const status = this.refused.get(act);
      if (status !== undefined)
        throw Object.assign(new Error("refused"), { status });
    };
    sftp.on("close", () => {
      for (const file of handles.values())
        void file.close().catch(() => undefined);
    });
    sftp.on("OPEN", (id, path, flags) => {
      const isNew = (flags & OPEN_MODE.EXCL) !== 0;
      (async () => {
        refuse("OPEN");
        return open(toPath(path), isNew ? "wx" : "w");
      })().then(
        (file) => {
          const handle = Buffer.from(String(handles.size));
          handles.set(handle.toString("hex"), file);
          return sftp.handle(id, handle);
        },
        (error: unknown) => sftp.status(id, toStatus(error)),
      );
    });
    sftp.on("WRITE", (id, handle, offset, data) =>
      answer(id, async () => {
        refuse("WRITE");
        await find(handle).write(data, 0, data.length, offset);
        this.writes += 1;
        await this.beforeWrite(this.writes);
      }),
    );
    sftp.on("FSTAT", (id, handle) => {
      find(handle)
        .stat()
        .then(({ mode, uid, gid, size, atimeMs, mtimeMs }) =>
          sftp.attrs(id, {
            mode,
            uid,
            gid,
            size,
            atime: Math.floor(atimeMs / 1000),
            mtime: Math.floor(mtimeMs / 1000),
          }),
        )
        .catch((error: unknown) => sftp.status(id, toStatus(error)));
    });
    sftp.on("STAT", (id, path) => {
      stat(toPath(path)).then(
        ({ mode, uid, gid, size }) =>
          sftp.attrs(id, { mode, uid, gid, size, atime: 0, mtime: 0 }),
        (error: unknown) => sftp.status(id, toStatus(error)),
      );
    });
    sftp.on("CLOSE", (id, handle) =>
      answer(id, async () => {
        await find(handle).close();
      }),
    );
    sftp.on("REMOVE", (id, path) => answer(id, () => unlink(toPath(path))));
    sftp.on("MKDIR", (id, path) =>
      answer(id, async () => {
        refuse("MKDIR");
        await mkdir(toPath(path));
      }),
    );
    sftp.on("RENAME", (id, from, to) =>
      answer(id, async () => {
        refuse("RENAME");
        if (existsSync(toPath(to))) throw new Error("the name is taken");
        await rename(toPath(from), toPath(to));
      }),
    );
  }
}

function parseKey(text: string) {
  const key = utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
}

/** As `ssh-keygen -l` prints it. */
function createFingerprint(hostKey: string): string {
  const digest = createHash("sha256")
    .update(parseKey(hostKey).getPublicSSH())
    .digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

function toStatus(error: unknown): number {
  const { code, status: chosen } = Object(error);
  if (typeof chosen === "number") return chosen;
  if (code === "ENOENT") return STATUS_CODE.NO_SUCH_FILE;
  if (code === "EACCES") return STATUS_CODE.PERMISSION_DENIED;
  return STATUS_CODE.FAILURE;
}

/** A server while the suite runs. */
export function useSftpServer(options?: SftpServerOptions): () => SftpServer {
  let server: SftpServer;
  before(async () => {
    server = await SftpServer.start(options);
  });
  after(() => server.close());
  return () => server;
}
