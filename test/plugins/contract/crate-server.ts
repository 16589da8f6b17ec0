import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { json } from "node:stream/consumers";

/** A box in the crate: what a row holds. */
interface Box {
  id: string;
  label: string;
  inside: string[];
  papers: { id: string; name: string }[];
}

const inlined = 25;
const page = 100;

type Reply = readonly [status: number, body: unknown];
const none: Reply = [404, { error: "none" }];

/** A platform with the bad habits of real ones: it inlines 25 links and says nothing of the rest; a write sets the whole cell. */
export class CrateServer {
  readonly boxes = new Map<string, Box>();
  #made = 0;
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new TypeError("the server listens on no port");
    return `http://127.0.0.1:${address.port}`;
  }

  add(linked: number): string {
    const id = `b${(this.#made += 1)}`;
    const inside = Array.from({ length: linked }, (_, at) => `x${at}`);
    this.boxes.set(id, { id, label: `Box ${id}`, inside, papers: [] });
    return id;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? "/", "http://crate");
    const body = request.method === "GET" ? null : await json(request);
    const [status, answer] =
      request.headers.authorization === "Bearer good"
        ? this.#answer(request.method ?? "", url, body)
        : ([401, { error: "who?" }] as const);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  #answer(method: string, url: URL, body: unknown): Reply {
    const [, table, id, part] = url.pathname.split("/");
    if (table === "me") return [200, { name: "Ada" }];
    if (table === "papers") return [200, { id: `p${(this.#made += 1)}` }];
    if (table !== "boxes") return none;
    if (id === undefined) return [200, this.#list(url)];
    const box = this.boxes.get(decodeURIComponent(id));
    if (!box) return none;
    if (part === "inside") return [200, linksFrom(box, url)];
    if (method === "PATCH") Object.assign(box, body);
    return [200, box];
  }

  #list(url: URL): unknown[] {
    const ids = url.searchParams.getAll("id");
    return ids
      .flatMap((id) => this.boxes.get(id) ?? [])
      .map((box) => ({ ...box, inside: box.inside.slice(0, inlined) }));
  }
}

function linksFrom({ inside }: Box, url: URL): string[] {
  const from = Number(url.searchParams.get("from"));
  return inside.slice(from, from + page);
}
