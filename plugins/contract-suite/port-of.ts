import type { Server } from "node:net";

/** The port that the system has picked for a listening server. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  return address.port;
}
