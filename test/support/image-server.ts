import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { after, before } from "mocha";

export interface ImageServer {
  at(path: string): string;
  /** The paths that were asked for. */
  readonly heard: string[];
}

/** What a server sends for a path; nothing is 404. A function answers by itself, or never. */
export type Served =
  | { body: Uint8Array | string; headers?: Record<string, string> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server of images for the suite that calls this. */
export function useImageServer(files: Record<string, Served>): ImageServer {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? "");
    const served = files[request.url ?? ""];
    if (served === undefined) response.writeHead(404).end("none");
    else if (typeof served === "function") served(request, response);
    else response.writeHead(200, served.headers ?? {}).end(served.body);
  });
  let port = 0;
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new TypeError("the server listens on no port");
    port = address.port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, at: (path) => `http://127.0.0.1:${port}${path}` };
}
