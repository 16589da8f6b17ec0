// The studio's routes below /studio, for what its pages do not do by the public API.
import { join } from "node:path";
import { AuditLog, Usage } from "../../../accounts/index.js";
import {
  Consent,
  Grants,
  OAUTH_ADDRESSES,
} from "../../../accounts/oauth/index.js";
import {
  People,
  SessionKeys,
  Sessions,
  SignIn,
} from "../../../accounts/sessions/index.js";
import { BatchLog } from "../../../batches/index.js";
import { DocumentLog } from "../../../documents/index.js";
import { Authorizations } from "../../../integrations/connections/index.js";
import { PluginCatalog } from "../../../integrations/host/index.js";
import {
  ButtonSetup,
  PastedRows,
} from "../../../integrations/platforms/index.js";
import type { Get } from "../../../lib/injection.js";
import { LOG, PACKAGE } from "../../../lib/process-values.js";
import { TemplateGallery } from "../../../templates/index.js";
import {
  DraftService,
  FieldService,
  PersonFirstSteps,
} from "../../../templates/drafts/index.js";
import {
  assistantRoutes,
  auditRoutes,
  keyRoutes,
  peopleRoutes,
  pluginRoutes,
} from "./administration.js";
import { authorizationRoutes } from "./authorizations.js";
import { designRoutes, draftRoutes, fieldRoutes, rowRoutes } from "./drafts.js";
import { CHANGES, eventRoutes, listRoutes, usageRoutes } from "./lists.js";
import type { App } from "./router.js";
import { sessionRoutes, signInRoutes } from "./sign-in.js";
import { wizardRoutes } from "./wizard.js";

export { appRouter } from "./router.js";

/** The pages are in the build folder. */
export function createStudio(get: Get): App {
  const drafts = get(DraftService);
  return {
    files: {
      folder: join(get(PACKAGE).folder, "dist", "studio"),
      hashed: "assets",
    },
    routes: [
      ...signInRoutes(get(SignIn), get(LOG)),
      ...sessionRoutes(get(Sessions), get(PersonFirstSteps)),
      ...keyRoutes(get(SessionKeys)),
      ...assistantRoutes(
        get(Consent),
        get(Grants),
        get(OAUTH_ADDRESSES).resource,
      ),
      ...listRoutes(get(TemplateGallery), get(DocumentLog), get(BatchLog)),
      ...eventRoutes(get(CHANGES)),
      ...usageRoutes(get(Usage)),
      ...auditRoutes(get(AuditLog)),
      ...peopleRoutes(get(People)),
      ...pluginRoutes(get(PluginCatalog)),
      ...designRoutes(drafts),
      ...draftRoutes(drafts),
      ...fieldRoutes(get(FieldService)),
      ...rowRoutes(get(PastedRows)),
      ...wizardRoutes(get(ButtonSetup)),
      ...authorizationRoutes(get(Authorizations)),
    ],
  };
}
