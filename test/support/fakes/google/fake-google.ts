import { googleErrors, GoogleError } from "./google-errors.js";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { FakeAccounts } from "./fake-accounts.js";
import { FakeDrive } from "./fake-drive.js";
import {
  type FakeCell,
  FakeSheet,
  batchGet,
  type FakeSpreadsheet,
  put,
  show,
} from "./fake-spreadsheet.js";

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  type: string;
  body: Uint8Array;
  user: string;
}

interface Told {
  body: unknown;
  headers?: Record<string, string>;
}

/** Google's accounts, Sheets and Drive as far as the plugin needs them, with their limits, on the loopback interface. */
export class FakeGoogle {
  readonly accounts = new FakeAccounts();
  readonly drive = new FakeDrive();
  readonly spreadsheets: FakeSpreadsheet[] = [];
  /** `METHOD /path` of each request. */
  readonly log: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.serve(request, response);
  });

  private constructor(private readonly quota: Quota) {}

  /** @param perMinute of reads, and of writes, for each user. */
  static async start(perMinute = 60): Promise<FakeGoogle> {
    const fake = new FakeGoogle(new Quota(perMinute));
    fake.server.listen(0, "127.0.0.1");
    await once(fake.server, "listening");
    return fake;
  }

  get url(): string {
    const address = this.server.address();
    const port = typeof address === "object" ? address?.port : null;
    return `http://127.0.0.1:${port}`;
  }

  /** @param sheets by their titles: rows, the first of which names the columns. */
  addSpreadsheet(
    title: string,
    users: readonly string[],
    sheets: Readonly<Record<string, FakeCell[][]>>,
  ): FakeSpreadsheet {
    const spreadsheet = {
      id: `spreadsheet-${this.spreadsheets.length}`.padEnd(44, "0"),
      title,
      timeZone: "Europe/Berlin",
      users: new Set(users),
      sheets: Object.entries(sheets).map(
        ([name, rows]) => new FakeSheet(name, rows),
      ),
    };
    this.spreadsheets.push(spreadsheet);
    return spreadsheet;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }

  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { status, told } = await this.answer(request);
    response.writeHead(status, {
      "content-type": "application/json; charset=UTF-8",
      ...told.headers,
    });
    response.end(told.body === null ? "" : JSON.stringify(told.body));
  }

  private async answer(
    request: IncomingMessage,
  ): Promise<{ status: number; told: Told }> {
    try {
      const url = new URL(request.url ?? "/", this.url);
      const { method = "GET", headers } = request;
      this.log.push(`${method} ${url.pathname}`);
      const body = await buffer(request);
      const type = headers["content-type"] ?? "";
      const path = decodeURIComponent(url.pathname);
      const query = url.searchParams;
      if (path === "/token") {
        const form = new URLSearchParams(body.toString());
        return {
          status: 200,
          told: { body: await this.accounts.grant(form) },
        };
      }
      const user = path.startsWith("/upload/session/")
        ? ""
        : this.accounts.userOf(headers.authorization);
      const asked = { method, path, query, type, body, user };
      return { status: 200, told: this.tell(asked) };
    } catch (error) {
      const refusal =
        error instanceof GoogleError
          ? error
          : new GoogleError(500, { error: { message: String(error) } });
      return { status: refusal.status, told: { body: refusal.body } };
    }
  }

  private tell(asked: Asked): Told {
    const { path } = asked;
    if (path.startsWith("/v4/spreadsheets/")) return this.tellSheets(asked);
    if (path.startsWith("/upload/")) return this.tellUpload(asked);
    if (path.startsWith("/drive/v3/")) return this.tellDrive(asked);
    throw googleErrors.notFound();
  }

  private tellSheets(asked: Asked): Told {
    const { path, user, method } = asked;
    this.quota.use(user, method === "GET" ? "Read" : "Write");
    const found = /^\/v4\/spreadsheets\/([\w-]+)(?:\/values([:/].+))?$/.exec(
      path,
    );
    const [, id = "", rest = ""] = found ?? [];
    const spreadsheet = this.spreadsheets.find((one) => one.id === id);
    if (!spreadsheet) throw googleErrors.notFound();
    if (!spreadsheet.users.has(user)) throw googleErrors.permission();
    if (rest === ":batchGet")
      return { body: batchGet(spreadsheet, asked.query) };
    if (method === "PUT")
      return { body: put(spreadsheet, rest.slice(1), asked) };
    return { body: show(spreadsheet, asked.query) };
  }

  private tellDrive({ path, query, user, method }: Asked): Told {
    if (path === "/drive/v3/about")
      return { body: { user: { emailAddress: user } } };
    if (path === "/drive/v3/files") return { body: this.list(query, user) };
    const id = path.split("/").at(-1) ?? "";
    if (method === "DELETE") {
      if (!this.drive.files.delete(id)) throw googleErrors.notFound();
      return { body: null };
    }
    if (!this.drive.sharedFolders.has(id)) throw googleErrors.notFound();
    const capabilities = { canAddChildren: true };
    return { body: { id, driveId: "shared-drive", capabilities } };
  }

  private tellUpload({ path, query, user, type, body, method }: Asked): Told {
    const session = /^\/upload\/session\/(.+)$/.exec(path)?.[1];
    const isService = (email: string) => this.accounts.isServiceAccount(email);
    if (session !== undefined && method === "PUT") {
      const { id } = this.drive.finishResumable(session, isService, body);
      return { body: { id } };
    }
    if (query.get("uploadType") === "resumable") {
      const id = this.drive.startResumable(user, body);
      const location = `${this.url}/upload/session/${id}`;
      return { body: null, headers: { location } };
    }
    const isOne = isService(user);
    const { id } = this.drive.createMultipart(user, isOne, type, body);
    return { body: { id } };
  }

  private list(query: URLSearchParams, user: string) {
    const seen = this.spreadsheets.filter(({ users }) => users.has(user));
    const size = Math.min(Number(query.get("pageSize") ?? 100), 1000);
    const from = Number(query.get("pageToken") ?? 0);
    const files = seen
      .slice(from, from + size)
      .map(({ id, title }) => ({ id, name: title }));
    const next = from + size;
    return {
      files,
      ...(next < seen.length && { nextPageToken: String(next) }),
    };
  }
}

const minuteMs = 60_000;

/** So many reads and so many writes in any minute for each user. */
class Quota {
  private readonly starts = new Map<string, number[]>();

  constructor(private readonly perMinute: number) {}

  use(user: string, metric: "Read" | "Write"): void {
    const key = `${metric} ${user}`;
    const now = Date.now();
    const recent = (this.starts.get(key) ?? []).filter(
      (at) => at > now - minuteMs,
    );
    if (recent.length >= this.perMinute) throw googleErrors.quota(metric);
    this.starts.set(key, [...recent, now]);
  }
}
