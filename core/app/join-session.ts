import type { DependencyContainer } from "tsyringe";
import { shippedApps } from "../../plugins/index.js";
import { ApiKeys, AuditLog, listDailyUsage } from "../accounts/index.js";
import { BatchLog } from "../batches/index.js";
import type { AppServices } from "../plugin-api/index.js";
import { DocumentLog } from "../documents/index.js";
import { TemplateGallery } from "../templates/index.js";
import type { MountedApp } from "../api/index.js";
import { FieldService } from "../templates/drafts/index.js";
import { PluginCatalog } from "../integrations/host/index.js";
import { make } from "./make.js";
import { ButtonSetup } from "../integrations/platforms/index.js";
import { SecretBox } from "../lib/secrets.js";
import { serviceSecrets } from "./service-secrets.js";
import {
  LoginLinks,
  LoginMail,
  Members,
  OpenIdSignIn,
  People,
  SessionKeys,
  Sessions,
  SignIn,
} from "../accounts/sessions/index.js";
import { signInPage } from "./sign-in-page.js";
import * as t from "./tokens.js";

type AppLists = Pick<
  AppServices,
  "templates" | "documents" | "batches" | "usage" | "audit"
>;

/** People who are signed in, and the plugins whose pages they see. */
export function joinSession(container: DependencyContainer): void {
  make(container, t.SESSIONS, (c) => {
    const { sessionIdleMs, sessionMaxMs } = c.resolve(t.CONFIG).signIn;
    const times = { idleMs: sessionIdleMs, maxMs: sessionMaxMs };
    return new Sessions(c.resolve(t.STORE), times, c.resolve(t.LOG));
  });
  make(container, t.LOGIN_LINKS, (c) => {
    const { linkMs } = c.resolve(t.CONFIG).signIn;
    const page = signInPage(c.resolve(t.BASE_URL));
    return new LoginLinks(c.resolve(t.STORE), page, linkMs);
  });
  make(container, t.APPS, openApps);
}

function openApps(c: DependencyContainer): MountedApp[] {
  const keys = new ApiKeys(c.resolve(t.STORE), c.resolve(t.CALLER_CACHE));
  const services = {
    signIn: signInOf(c),
    sessions: c.resolve(t.SESSIONS),
    keys: new SessionKeys(keys),
    people: peopleOf(c),
    plugins: new PluginCatalog(c.resolve(t.PLUGINS)),
    ...listsOf(c),
    drafts: c.resolve(t.DRAFT_DESK),
    fields: new FieldService(),
    wizard: new ButtonSetup({
      store: c.resolve(t.STORE),
      connections: c.resolve(t.CONNECTIONS),
      log: c.resolve(t.LOG),
    }),
    log: c.resolve(t.LOG),
  };
  return shippedApps.map((plugin) => ({
    id: plugin.meta.id,
    app: plugin.open(services),
  }));
}

function listsOf(c: DependencyContainer): AppLists {
  const store = c.resolve(t.STORE);
  const gallery = new TemplateGallery(store, (id, hash) =>
    c.resolve(t.THUMBNAIL_LINKS).create(id, hash),
  );
  const log = new DocumentLog(store);
  const batches = new BatchLog(store);
  const audit = new AuditLog(store);
  return {
    templates: {
      list: (who, query) => gallery.list(who.organizationId, query),
    },
    documents: { list: (who, query) => log.list(who.organizationId, query) },
    batches: { list: (who, query) => batches.list(who.organizationId, query) },
    audit: { list: (who, query) => audit.list(who.organizationId, query) },
    usage: {
      days: (who, month) =>
        listDailyUsage(store.read, who.organizationId, month),
    },
  };
}

function peopleOf(c: DependencyContainer): People {
  const { mail } = c.resolve(t.CONFIG).signIn;
  const store = c.resolve(t.STORE);
  return new People({
    store,
    members: new Members(store),
    links: c.resolve(t.LOGIN_LINKS),
    mail: mail && new LoginMail(mail),
    log: c.resolve(t.LOG),
  });
}

function signInOf(c: DependencyContainer): SignIn {
  const { mail, openId } = c.resolve(t.CONFIG).signIn;
  const returnUrl = `${signInPage(c.resolve(t.BASE_URL))}/openid/return`;
  const seals = new SecretBox(serviceSecrets(c), "sign-in");
  return new SignIn({
    store: c.resolve(t.STORE),
    sessions: c.resolve(t.SESSIONS),
    links: c.resolve(t.LOGIN_LINKS),
    mail: mail && new LoginMail(mail),
    openId: openId && new OpenIdSignIn(openId, returnUrl, seals),
    log: c.resolve(t.LOG),
  });
}
