import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { randomInt } from "node:crypto";

/** Below those that systems give out by themselves: nobody comes by one of these in the meantime without asking for it. */
const [first, last] = [10_240, 32_767];

/** A port that is free, for a server that has to know its own before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "0.0.0.0");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, "close");
  return true;
}

/** Where a server listens. */
export function getPort(server: Server): number {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
