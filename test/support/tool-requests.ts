import { request } from "node:http";
import { text } from "node:stream/consumers";

/** A JSON-RPC request as clients of the year 2025 send it. */
export function rpc(method: string, params: object = {}, id: number = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

const jsonHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Posts a message, to `/mcp` unless told. */
export function postMessage(
  url: string,
  headers: Record<string, string>,
  message: unknown = rpc("tools/list"),
): Promise<Response> {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = "/mcp";
  return fetch(address, {
    method: "POST",
    headers: { ...jsonHeaders, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

/** Posts `tools/list` under a Host of one's own, which `fetch` does not allow. Resolves with the status. */
export async function postAs(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/mcp`,
      { method: "POST", headers: { ...jsonHeaders, ...headers } },
      (response) => {
        const status = response.statusCode ?? 0;
        text(response).then((body) => resolve({ status, body }), reject);
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(rpc("tools/list")));
  });
}
