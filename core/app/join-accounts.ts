import type { DependencyContainer } from "tsyringe";
import { Authenticator, CallerCache } from "../accounts/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** Who may call. */
export function joinAccounts(container: DependencyContainer): void {
  make(container, t.CALLER_CACHE, () => new CallerCache());
  make(
    container,
    t.AUTHENTICATOR,
    (c) =>
      new Authenticator(
        c.resolve(t.STORE),
        c.resolve(t.CALLER_CACHE),
        c.resolve(t.LOG),
      ),
  );
}
