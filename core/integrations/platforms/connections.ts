import type { OpenConnection } from "../connections/index.js";

/** What this room asks of the connections of organizations. */
export interface Connections {
  /** @throws PlatenError `not_found` when no such platform is installed, `unavailable` when its plugin is broken. */
  checkPlatform(platform: string): Promise<void>;
  /** An organization's connections to a platform. */
  ofPlatform(
    organizationId: string,
    platform: string,
  ): Promise<{ id: string; name: string }[]>;
  /** @throws PlatenError `not_found` for another organization's too; others when it cannot be used now. */
  open(organizationId: string, id: string): Promise<OpenConnection>;
}
