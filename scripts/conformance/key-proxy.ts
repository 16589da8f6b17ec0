import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface KeyProxy {
  url: string;
  close(): Promise<void>;
}

/** Passes requests on with a key in their header, for clients that cannot send one. Their Host stays as it is. */
export async function startKeyProxy(
  target: string,
  key: string,
): Promise<KeyProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, reply) => {
    const { method, url: path, headers } = incoming;
    const passed = { ...headers, "x-api-key": key };
    const outgoing = request(
      { hostname, port, method, path, headers: passed },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    outgoing.on("error", () => reply.destroy());
    reply.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Of a server that listens on TCP, it is no string.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
