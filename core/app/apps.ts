import { shippedApps } from "../../plugins/index.js";
import { CONSENT, GRANTS, OAUTH_ADDRESSES } from "../accounts/oauth/tokens.js";
import {
  PEOPLE,
  SESSION_KEYS,
  SESSIONS,
  SIGN_IN,
} from "../accounts/sessions/tokens.js";
import { AUDIT_LOG, USAGE } from "../accounts/tokens.js";
import { APPS } from "../api/tokens.js";
import { BatchLog } from "../batches/index.js";
import { DOCUMENT_LOG } from "../documents/tokens.js";
import { AUTHORIZATIONS } from "../integrations/connections/tokens.js";
import { PLUGIN_CATALOG } from "../integrations/host/tokens.js";
import { BUTTON_SETUP } from "../integrations/platforms/tokens.js";
import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import { LOG } from "../lib/tokens.js";
import type { AppServices } from "../plugin-api/index.js";
import {
  getFamilyAliases,
  listShippedFaces,
  readFace,
} from "../rendering/index.js";
import { STORE } from "../storage/database/tokens.js";
import {
  DRAFT_SERVICE,
  FIELD_SERVICE,
  FIRST_STEPS,
  SHIPPED_FONTS,
} from "../templates/drafts/tokens.js";
import { TEMPLATE_GALLERY } from "../templates/tokens.js";
import { LiveChanges } from "./live-changes.js";

/** Plugins with pages, and the services that they receive. */
export function registerApps(container: DependencyContainer): void {
  registerFactory(container, SHIPPED_FONTS, () => ({
    faces: listShippedFaces(),
    aliases: getFamilyAliases(),
    read: readFace,
  }));
  registerFactory(container, APPS, (c) => {
    const services = createAppServices(c);
    return shippedApps.map((plugin) => ({
      id: plugin.meta.id,
      app: plugin.open(services),
    }));
  });
}

function createAppServices(c: DependencyContainer): AppServices {
  const store = c.resolve(STORE);
  const templates = c.resolve(TEMPLATE_GALLERY);
  const documents = c.resolve(DOCUMENT_LOG);
  const batches = new BatchLog(store);
  const audit = c.resolve(AUDIT_LOG);
  const usage = c.resolve(USAGE);
  const consent = c.resolve(CONSENT);
  const grants = c.resolve(GRANTS);
  const log = c.resolve(LOG);
  const drafts = c.resolve(DRAFT_SERVICE);
  return {
    signIn: c.resolve(SIGN_IN),
    sessions: c.resolve(SESSIONS),
    firstSteps: c.resolve(FIRST_STEPS),
    keys: c.resolve(SESSION_KEYS),
    assistants: {
      address: c.resolve(OAUTH_ADDRESSES).resource,
      ask: (who, query) => consent.ask(who, query),
      answer: (who, query, answer) => consent.answer(who, query, answer),
      list: (who) => grants.listFor(who),
      revoke: (who, id) => grants.revokeAs(who, id),
    },
    people: c.resolve(PEOPLE),
    plugins: c.resolve(PLUGIN_CATALOG),
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
    fields: c.resolve(FIELD_SERVICE),
    wizard: c.resolve(BUTTON_SETUP),
    authorizations: c.resolve(AUTHORIZATIONS),
    changes: new LiveChanges(store, (organizationId, id) =>
      drafts.pulse({ organizationId }, id),
    ),
    log,
  };
}
