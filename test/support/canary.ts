import { once } from "node:events";
import { createServer } from "node:http";

export interface Canary {
  url: string;
  /** What was asked for, and how many connections were opened with or without a question. */
  heard: { paths: string[]; connections: number };
  close(): Promise<void>;
}

/** A server on the loopback address that writes down whoever comes. */
export async function listenForLeaks(): Promise<Canary> {
  const heard = { paths: new Array<string>(), connections: 0 };
  const server = createServer((request, response) => {
    heard.paths.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("x");
  });
  server.on("connection", () => (heard.connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new TypeError("the canary listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    heard,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
