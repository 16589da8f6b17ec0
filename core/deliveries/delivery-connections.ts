import {
  type DeliveryConnection,
  ConnectionService,
} from "../integrations/connections/index.js";
import { DeliveryHost } from "../integrations/host/index.js";
import type { MailSettings } from "../lib/mailer.js";
import { PlatenError } from "../plugin-api/index.js";
import { provide } from "../lib/injection.js";
import { CONFIG } from "../lib/process-values.js";

/** How requests name the mail server of the service. */
export const SERVICE_MAIL = "email";

/** The connections that documents are delivered through: those of an organization, and the mail server of the service. */
export class DeliveryConnections {
  constructor(
    private readonly connections: Pick<ConnectionService, "openDelivery">,
    private readonly methods: Pick<DeliveryHost, "connect">,
    private readonly mail: MailSettings | null,
  ) {}

  /**
   * @param id null for the mail server of the service.
   * @throws PlatenError `not_found`; `invalid_request` for a connection of another kind, or without a mail server;
   * `unavailable` when it cannot be used.
   */
  async open(
    organizationId: string,
    id: string | null,
  ): Promise<DeliveryConnection> {
    if (id !== null) return this.connections.openDelivery(organizationId, id);
    if (this.mail === null)
      throw new PlatenError(
        "invalid_request",
        "This service has no mail server. Name a connection of your own to one, or ask the operator to set PLATEN_SMTP_URL.",
      );
    const credentials = toCredentials(this.mail);
    const method = await this.methods.connect(SERVICE_MAIL, credentials, null);
    return { id: null, name: "", method };
  }
}

provide(
  DeliveryConnections,
  (c) =>
    new DeliveryConnections(
      c.resolve(ConnectionService),
      c.resolve(DeliveryHost),
      c.resolve(CONFIG).mail,
    ),
);

/** The service's mail server as the credentials of the plugin `email`. */
function toCredentials({ smtpUrl, from }: MailSettings) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    ...(port !== "" && { port: Number(port) }),
    security: protocol === "smtps:" ? "tls" : "opportunistic",
    ...(username !== "" && {
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }),
    from,
  };
}
