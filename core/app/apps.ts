import { shippedApps } from "../../plugins/index.js";
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
import { CONNECTIONS } from "../integrations/connections/tokens.js";
import { PluginCatalog } from "../integrations/host/index.js";
import { PLUGINS } from "../integrations/host/tokens.js";
import { ButtonSetup } from "../integrations/platforms/index.js";
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
  SHIPPED_FONTS,
} from "../templates/drafts/tokens.js";
import { TEMPLATE_GALLERY } from "../templates/tokens.js";

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
  const log = c.resolve(LOG);
  return {
    signIn: c.resolve(SIGN_IN),
    sessions: c.resolve(SESSIONS),
    keys: c.resolve(SESSION_KEYS),
    people: c.resolve(PEOPLE),
    plugins: new PluginCatalog(c.resolve(PLUGINS)),
    templates: {
      list: (who, query) => templates.list(who.organizationId, query),
    },
    documents: {
      list: (who, query) => documents.list(who.organizationId, query),
    },
    batches: { list: (who, query) => batches.list(who.organizationId, query) },
    audit: { list: (who, query) => audit.list(who.organizationId, query) },
    usage: {
      days: (who, month) => usage.listDays(who.organizationId, month),
    },
    drafts: c.resolve(DRAFT_SERVICE),
    fields: c.resolve(FIELD_SERVICE),
    wizard: new ButtonSetup({
      store,
      connections: c.resolve(CONNECTIONS),
      log,
    }),
    log,
  };
}
