import type { ServerResponse } from "node:http";
import type { NodeServerResponseLike } from "@modelcontextprotocol/node";

/**
 * A response as the library writes to it, whose headers go out at once: else they wait for the first word that follows,
 * which with a long call is a keep-alive after many seconds, and clients take that for a server that does not answer.
 */
export function promptResponse(
  response: ServerResponse,
): NodeServerResponseLike {
  return {
    writeHead(status, headers) {
      response.writeHead(status, headers);
      setImmediate(() => {
        if (!response.writableEnded) response.flushHeaders();
      });
    },
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}
