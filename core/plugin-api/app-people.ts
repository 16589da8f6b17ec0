import type { AppRole, AppVisitor } from "./app-plugin.js";

/** Someone in the organization. Times are ISO 8601. */
export interface PersonInfo {
  id: string;
  name: string;
  email: string;
  role: AppRole;
  joinedAt: string;
  /** The visitor. */
  isYou: boolean;
}

/** A way in for someone, once. */
export interface PersonLink {
  /** null when it is not shown: the person belongs to other organizations too, into which it would lead as well. */
  url: string | null;
  expiresAt: string;
  /** `off`: no mail server is set up. */
  mail: "sent" | "failed" | "off";
}

/** The people of the organization, for its owners. */
export interface AppPeople {
  /** The first joined first. */
  list(visitor: AppVisitor): Promise<PersonInfo[]>;
  /** @throws PlatenError `invalid_request`; `conflict` for someone who is there already. */
  invite(
    visitor: AppVisitor,
    input: { name: string; email: string; role: AppRole },
  ): Promise<PersonLink>;
  /** Another link for someone. @throws PlatenError `not_found`. */
  link(visitor: AppVisitor, userId: string): Promise<PersonLink>;
  /** @throws PlatenError `not_found`; `conflict` for the last owner. */
  changeRole(visitor: AppVisitor, userId: string, role: AppRole): Promise<void>;
  /** @returns how many keys in their name still work. @throws PlatenError `not_found`; `conflict` for the last owner. */
  remove(visitor: AppVisitor, userId: string): Promise<{ keys: number }>;
}
