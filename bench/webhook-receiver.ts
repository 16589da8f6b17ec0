import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";

// A receiver of webhooks on loopback in a process of its own, which answers 200 at once. It says its port and, when as
// many different messages as it was told to expect have arrived, how many came in all, with some of them.

const SAMPLES = 20;

let expected = Infinity;
let count = 0;
const ids = new Set<string>();
const samples: { headers: object; body: string }[] = [];

const server = createServer((request, response) => {
  void receive(request, response);
});

async function receive(request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  response.writeHead(200).end();
  const { headers } = request;
  count += 1;
  ids.add(String(headers["webhook-id"] ?? count));
  if (samples.length < SAMPLES) samples.push({ headers, body });
  if (ids.size === expected) process.send?.({ count, samples });
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
process.on("message", (message: { expected: number }) => {
  ({ expected } = message);
  count = 0;
  ids.clear();
  samples.length = 0;
});
process.on("disconnect", () => process.exit());
