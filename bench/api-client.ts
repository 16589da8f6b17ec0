import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** Asks a service over connections that are kept open, with its demo key. */
export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** @throws Error when it is not answered with 2xx. */
  get(path: string): Promise<Buffer> {
    return this.#send("GET", path, "");
  }

  /** @throws Error when it is not answered with 2xx. */
  post(path: string, body: object): Promise<Buffer> {
    return this.#send("POST", path, JSON.stringify(body));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, body: string): Promise<Buffer> {
    const call = request(this.url + path, {
      method,
      agent: this.#agent,
      headers: {
        "x-api-key": this.key,
        ...(body && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        }),
      },
    });
    call.end(body);
    const [response]: IncomingMessage[] = await once(call, "response");
    if (!response) throw new Error("the service did not answer");
    const answer = await buffer(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return answer;
    throw new Error(`the service answered ${statusCode}: ${answer.toString()}`);
  }
}
