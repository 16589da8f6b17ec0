import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { FixtureService } from "./fixture-service.js";

/**
 * The suite's checks of an authorization server. They ask somebody to open an address and to allow what is asked there:
 * here, the service's person does, by the requests that the studio's page would send.
 * @param program the suite.
 * @returns its exit code.
 */
export async function runAuthorizationSuite(
  program: string,
  service: FixtureService,
): Promise<number> {
  const port = await findFreePort();
  const clientId = await register(service, port);
  const args = [
    "authorization",
    "--url",
    service.url,
    "--client-id",
    clientId,
    "--resource",
    `${service.url}/mcp`,
    "--port",
    String(port),
  ];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    process.stdout.write(`${line}\n`);
    if (line.startsWith(`${service.url}/oauth/authorize?`))
      await allow(service, line);
  }
  const [code] = await ended;
  return typeof code === "number" ? code : 1;
}

async function register(
  service: FixtureService,
  port: number,
): Promise<string> {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Conformance suite",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    }),
  });
  const body: unknown = await response.json();
  return z.object({ client_id: z.string() }).parse(body).client_id;
}

/** Follows the address, says yes, and goes where the answer leads. */
async function allow(service: FixtureService, address: string): Promise<void> {
  const { cookie, organizationId } = await service.signIn();
  const page = await fetch(address, { redirect: "manual" });
  const query = new URL(page.headers.get("location") ?? "").search.slice(1);
  const answer = await fetch(`${service.url}/studio/api/consent`, {
    method: "POST",
    headers: {
      cookie,
      "x-platen-app": "studio",
      "content-type": "application/json",
    },
    body: JSON.stringify({ query, organizationId }),
  });
  const body: unknown = await answer.json();
  await fetch(z.object({ redirect: z.string() }).parse(body).redirect);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("There is no free port.");
}
