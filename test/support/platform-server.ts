import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { after, before } from "mocha";

export type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/** A platform's server on the loopback interface, for the suite that calls this. */
export class PlatformServer {
  /** When each request arrived, by the clock of `performance.now`, and its path. */
  readonly arrived: { path: string; at: number }[] = [];
  answer: Answering = (_request, response) => response.end("{}");
  readonly #server = createServer((request, response) => {
    this.arrived.push({ path: request.url ?? "", at: performance.now() });
    this.answer(request, response);
  });

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the server does not listen yet");
    return `http://127.0.0.1:${address.port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function usePlatformServer(): PlatformServer {
  const server = new PlatformServer();
  before(() => server.listen());
  after(() => server.close());
  return server;
}
