import type { McpServer } from "@modelcontextprotocol/server";
import type { Scope } from "../../accounts/index.js";
import { publicError } from "../call/public-error.js";
import { errorText } from "../../plugin-api/index.js";
import type { Session } from "../session.js";

/** A server that is being made, and for whom. */
export interface Offering {
  server: McpServer["server"];
  session: Session;
  /** An error of the protocol, -32602. */
  refuse: (message: string, data?: object) => Error;
}

/** Those that the session's key may use. */
export function within<T extends { scope: Scope }>(
  { caller }: Session,
  all: readonly T[],
): T[] {
  return all.filter(({ scope }) => caller.scopes.includes(scope));
}

/**
 * What goes wrong outside of a tool's call becomes an error of the protocol, in our words.
 * @param uri the resource that was asked for.
 */
export async function inProtocol<T>(
  { session, refuse }: Offering,
  work: () => Promise<T>,
  uri?: string,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = publicError(thrown, session.log);
    const isMissing = uri !== undefined && error.code === "not_found";
    throw refuse(errorText(error), isMissing ? { uri } : undefined);
  }
}
