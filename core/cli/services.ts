import type { Automations } from "../automations/index.js";
import type {
  Actor,
  ApiKeys,
  Metric,
  Organizations,
  Users,
} from "../accounts/index.js";
import type { Grants } from "../accounts/oauth/index.js";
import type { Assets } from "../assets/index.js";
import type { SigningCertificates } from "../certificates/index.js";
import type { ConnectionService } from "../integrations/connections/index.js";
import type { Problem } from "../plugin-api/index.js";
import type {
  DataValidation,
  Numbers,
  RenderRequest,
} from "../documents/index.js";
import type { LocalPrinter } from "../template-files/index.js";
import type { Templates } from "../templates/index.js";
import type { Signatures } from "../signatures/index.js";
import type { WebhookDeliveries, WebhookEndpoints } from "../webhooks/index.js";
import type { Plugins } from "../integrations/host/index.js";
import type { Links } from "../integrations/platforms/index.js";
import type {
  LoginLinks,
  LoginMail,
  Members,
} from "../accounts/sessions/index.js";

/** What the process gives its commands. Each part is loaded when a command asks for it. */
export interface CommandLine {
  /** Of the package. */
  version: string;
  /** Opens the services, runs `act` with them, and closes them whatever happened. */
  withServices: (
    act: (services: CliServices) => Promise<void>,
  ) => Promise<void>;
  /** Turns this process, or so many others, into the service or a part of it. Resolves once it is ready. */
  runService: (
    role: "all" | "serve" | "worker",
    processes: number,
  ) => Promise<void>;
  /** Checks the installation, in whatever state it is. With `fix`, repairs the permissions of its files first. */
  examine: (options: { fix: boolean }) => Promise<Finding[]>;
  /** Opens what checks and prints templates of files, without the service's data, and closes it whatever happened. */
  withLocalPrinter: (
    act: (printer: LocalPrinter) => Promise<void>,
  ) => Promise<void>;
  /** An environment variable, such as PLATEN_API_KEY; null when it is not set. */
  readVariable: (name: string) => Promise<string | null>;
}

/** What the check of one part of an installation found. */
export interface Finding {
  /** The part, in a word or two. */
  check: string;
  /** `warn`: it works, but somebody should know. `fail`: something does not work. */
  state: "ok" | "warn" | "fail";
  message: string;
  /** How to fix it; null when there is nothing to fix. */
  fix: string | null;
}

/** A document that was rendered in one format. */
export interface RenderedFile {
  documentId: string;
  bytes: Uint8Array;
  /** What the document is missing: values, images, characters, room. */
  warnings: readonly Problem[];
}

/** The services on the database and files that the configuration names, while the service itself may be running. */
export interface CliServices {
  /** Who acts, for the audit trail. */
  actor: Actor;
  organizations: Organizations;
  users: Users;
  keys: ApiKeys;
  /** @param month such as `2026-07`. */
  usage: (
    organizationId: string,
    month: string,
  ) => Promise<Record<Metric, number>>;
  signIn: () => Promise<{
    members: Members;
    loginLinks: LoginLinks;
    /** null: no mail server is configured. */
    loginMail: LoginMail | null;
  }>;
  grants: () => Promise<Grants>;
  templates: () => Promise<Templates>;
  dataValidation: () => Promise<DataValidation>;
  numbers: () => Promise<Numbers>;
  assets: () => Promise<Assets>;
  events: () => Promise<{
    endpoints: WebhookEndpoints;
    deliveries: WebhookDeliveries;
  }>;
  platforms: () => Promise<{
    plugins: Plugins;
    connections: ConnectionService;
  }>;
  certificates: () => Promise<SigningCertificates>;
  links: () => Promise<Links>;
  automations: () => Promise<Automations>;
  signatures: () => Promise<Signatures>;
  /** Renders in this process what `POST /api/export` would: stored, listed and counted alike. */
  render: (request: RenderRequest) => Promise<RenderedFile>;
  /** Resolves when its client is gone. @param root the folder from which it may upload files; null: from none. */
  runToolServer: (root: string | null) => Promise<void>;
}
