import type { DependencyContainer } from "tsyringe";
import { joinAdmission } from "./join-admission.js";
import { joinAccounts } from "./join-accounts.js";
import { joinAssets } from "./join-assets.js";
import { joinBatches } from "./join-batches.js";
import { joinConnections } from "./join-connections.js";
import { joinDocuments } from "./join-documents.js";
import { joinDrafts } from "./join-drafts.js";
import { joinEsign } from "./join-esign.js";
import { joinEvents } from "./join-events.js";
import { joinFiles } from "./join-files.js";
import { joinHttp } from "./join-http.js";
import { joinLinks } from "./join-links.js";
import { joinMcp } from "./join-mcp.js";
import { joinOutbound } from "./join-outbound.js";
import { joinPlatforms } from "./join-platforms.js";
import { joinPlugins } from "./join-plugins.js";
import { joinProduction } from "./join-production.js";
import { joinQueue } from "./join-queue.js";
import { createEmptyContainer } from "./make.js";
import { joinSession } from "./join-session.js";

/**
 * Joins the rooms; only this and the `join-*` files beside it do. CONFIG, LOG, PACKAGE, STORE, FILE_STORE, SECRET and BASE_URL are
 * to be registered by whoever starts the service. Each container makes its parts once: in a child container with one
 * part replaced, everything that takes this part is made anew around it.
 */
export function createContainer(): DependencyContainer {
  const container = createEmptyContainer();
  joinAccounts(container);
  joinSession(container);
  joinAdmission(container);
  joinFiles(container);
  joinAssets(container);
  joinOutbound(container);
  joinPlugins(container);
  joinConnections(container);
  joinQueue(container);
  joinProduction(container);
  joinDocuments(container);
  joinDrafts(container);
  joinEvents(container);
  joinBatches(container);
  joinPlatforms(container);
  joinLinks(container);
  joinEsign(container);
  joinMcp(container);
  joinHttp(container);
  return container;
}
