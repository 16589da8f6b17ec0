import type {
  Actor,
  ApiKeys,
  Metric,
  Organizations,
  Users,
} from "../accounts/index.js";
import type { Connections } from "../integrations/connections/index.js";
import type { Templates } from "../templates/index.js";
import type { WebhookDeliveries, WebhookEndpoints } from "../webhooks/index.js";
import type { Signatures } from "../signatures/index.js";
import type { Assets } from "../assets/index.js";
import type { Finding } from "./finding.js";
import type { Plugins } from "../integrations/host/index.js";
import type { Links } from "../integrations/platforms/index.js";
import type {
  LoginLinks,
  LoginMail,
  Members,
} from "../accounts/sessions/index.js";

/** What commands work with. What takes long to load is loaded when it is asked for. */
export interface CliServices {
  /** Who acts, for the audit trail. */
  actor: Actor;
  organizations: Organizations;
  users: Users;
  members: Members;
  loginLinks: LoginLinks;
  /** null: no mail server is configured. */
  loginMail: LoginMail | null;
  keys: ApiKeys;
  /** @param month such as `2026-07`. */
  usage: (
    organizationId: string,
    month: string,
  ) => Promise<Record<Metric, number>>;
  templates: () => Promise<Templates>;
  assets: () => Promise<Assets>;
  events: () => Promise<{
    endpoints: WebhookEndpoints;
    deliveries: WebhookDeliveries;
  }>;
  links: () => Promise<Links>;
  signatures: () => Promise<Signatures>;
  /** Resolves when its client is gone. @param root the folder from which it may upload files. */
  runToolServer: (root: string | null) => Promise<void>;
  platforms: () => Promise<{ plugins: Plugins; connections: Connections }>;
}

/** Opens the services, runs a command with them, and closes them, whatever happened. */
export type WithServices = (
  act: (services: CliServices) => Promise<void>,
) => Promise<void>;

/** Has this process be the service, or a part of it. Resolves once it is ready. */
export type RunService = (role: "serve" | "worker") => Promise<void>;

/** Looks at the installation, whatever is the matter with it. */
export type Examine = () => Promise<Finding[]>;
