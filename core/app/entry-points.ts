// The entry points for others: the REST API, the tool server and the plugins with pages, on the composition of all
// capabilities.
import { shippedApps } from "../../plugins/index.js";
import { Consent, Grants, OAUTH_ADDRESSES } from "../accounts/oauth/index.js";
import {
  People,
  SessionKeys,
  Sessions,
  SignIn,
} from "../accounts/sessions/index.js";
import { AuditLog, Usage } from "../accounts/index.js";
import { APPS, READINESS_CHECK, TOOL_SERVER_MOUNT } from "../api/index.js";
import { BatchLog } from "../batches/index.js";
import { DocumentLog } from "../documents/index.js";
import { Authorizations } from "../integrations/connections/index.js";
import { PluginCatalog } from "../integrations/host/index.js";
import { ButtonSetup } from "../integrations/platforms/index.js";
import { type DependencyContainer, provide } from "../lib/injection.js";
import { DRAINING, LOG } from "../lib/process-values.js";
import { HttpTransport } from "../mcp/index.js";
import { type AppServices, PlatenError } from "../plugin-api/index.js";
import { type Renderer, RENDERER } from "../rendering/index.js";
import { STORE, type Store } from "../storage/database/index.js";
import {
  DraftService,
  FieldService,
  PersonFirstSteps,
} from "../templates/drafts/index.js";
import { TemplateGallery } from "../templates/index.js";
import { LiveChanges } from "./live-changes.js";
export { createContainer } from "./composition.js";

provide(READINESS_CHECK, (c) =>
  createReadinessCheck(
    c.resolve(STORE),
    c.resolve(RENDERER),
    c.resolve(DRAINING).signal,
  ),
);
provide(TOOL_SERVER_MOUNT, (c) => c.resolve(HttpTransport));
provide(APPS, (c) => {
  const services = createAppServices(c);
  return shippedApps.map((plugin) => ({
    id: plugin.meta.id,
    app: plugin.open(services),
  }));
});

/** The services that plugins with pages receive. */
function createAppServices(c: DependencyContainer): AppServices {
  const store = c.resolve(STORE);
  const templates = c.resolve(TemplateGallery);
  const documents = c.resolve(DocumentLog);
  const batches = new BatchLog(store);
  const audit = c.resolve(AuditLog);
  const usage = c.resolve(Usage);
  const consent = c.resolve(Consent);
  const grants = c.resolve(Grants);
  const log = c.resolve(LOG);
  const drafts = c.resolve(DraftService);
  return {
    signIn: c.resolve(SignIn),
    sessions: c.resolve(Sessions),
    firstSteps: c.resolve(PersonFirstSteps),
    keys: c.resolve(SessionKeys),
    assistants: {
      address: c.resolve(OAUTH_ADDRESSES).resource,
      ask: (who, query) => consent.ask(who, query),
      answer: (who, query, answer) => consent.answer(who, query, answer),
      list: (who) => grants.listFor(who),
      revoke: (who, id) => grants.revokeAs(who, id),
    },
    people: c.resolve(People),
    plugins: c.resolve(PluginCatalog),
    templates: {
      list: (who, query) => templates.list(who.organizationId, query),
      isChanged: (who, id) => templates.isChanged(who.organizationId, id),
    },
    documents: {
      list: (who, query) => documents.list(who.organizationId, query),
      failures: (who, id) => documents.failures(who.organizationId, id),
    },
    batches: { list: (who, query) => batches.list(who.organizationId, query) },
    audit: { list: (who, query) => audit.list(who.organizationId, query) },
    usage: {
      days: (who, month) => usage.listDays(who.organizationId, month),
    },
    drafts,
    fields: c.resolve(FieldService),
    wizard: c.resolve(ButtonSetup),
    authorizations: c.resolve(Authorizations),
    changes: new LiveChanges(store, (organizationId, id) =>
      drafts.pulse({ organizationId }, id),
    ),
    log,
  };
}

/** Rejects with PlatenError `unavailable`, saying what is missing, while the service cannot render. */
export function createReadinessCheck(
  store: Pick<Store, "read">,
  renderer: Pick<Renderer, "health">,
  draining?: AbortSignal,
): () => Promise<void> {
  return async () => {
    if (draining?.aborted) throw unavailable("The service is shutting down.");
    try {
      await store.read.query("SELECT 1");
    } catch (cause) {
      throw unavailable("The database does not answer.", cause);
    }
    const { ready, reason } = renderer.health();
    if (!ready) throw unavailable(`Nothing can be printed. ${reason}`);
  };
}

function unavailable(message: string, cause?: unknown): PlatenError {
  return new PlatenError("unavailable", message, { cause });
}
