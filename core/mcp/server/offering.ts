import type { McpServer } from "@modelcontextprotocol/server";
import type { Scope } from "../../account/index.js";
import { publicError } from "../call/public-error.js";
import { errorText } from "../../contract/index.js";
import type { Session } from "../session.js";

/** A server that is being made, and for whom. */
export interface Offering {
  server: McpServer["server"];
  session: Session;
  /** An error of the protocol, -32602. */
  refuse: (message: string) => Error;
}

/** Those that the session's key may use. */
export function within<T extends { scope: Scope }>(
  { caller }: Session,
  all: readonly T[],
): T[] {
  return all.filter(({ scope }) => caller.scopes.includes(scope));
}

/** What is neither a tool's answer nor ours to throw as it is, becomes an error of the protocol in our words. */
export async function inProtocol<T>(
  { session, refuse }: Offering,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw refuse(errorText(publicError(thrown, session.log)));
  }
}
