import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** Receives messages until `isLast` says so. */
export async function receive<Message>(
  start: (url: string) => Promise<void>,
  isLast: (message: Message) => boolean,
): Promise<Message[]> {
  const messages: Message[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message: Message = JSON.parse(body);
      messages.push(message);
      response.end();
      if (isLast(message)) end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("port");
  await start(`http://127.0.0.1:${address.port}`);
  await ended;
  server.close();
  return messages;
}

export function assert(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(what);
}
