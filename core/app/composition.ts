// The composition root. Loading a capability registers its services (see lib/injection.ts). The factories below connect
// an interface of one capability with its implementation in another, where the first may not import the second.
//
// The container stays in core/app and in the factories of `provide`: code that does work never receives it. A test
// replaces a service in a child container: `registerValue(container.createChildContainer(), RENDERER, fake)`.
// Everything that injects it is then created anew around it.
import { shippedPlugins } from "../../plugins/index.js";
import { findPrivateNetworks } from "../accounts/index.js";
import { Assets, EmailImages } from "../assets/index.js";
import { createSubscriptionRetry } from "../automations/index.js";
import { RECORD_SOURCE } from "../batches/index.js";
import "../deliveries/index.js";
import { CREDENTIALS_OBSERVER } from "../integrations/connections/index.js";
import { SHIPPED_PLUGINS } from "../integrations/host/index.js";
import { PlatformRecordSource } from "../integrations/platforms/index.js";
import { createContainer, provide } from "../lib/injection.js";
import { FIND_ORGANIZATION_NETWORKS } from "../lib/outbound/index.js";
import { PACKAGE } from "../lib/process-values.js";
import { QUEUE } from "../queue/index.js";
import {
  getFamilyAliases,
  listShippedFaces,
  readFace,
} from "../rendering/index.js";
import { SIGNED_FILES_SINK } from "../signatures/index.js";
import { STORE } from "../storage/database/index.js";
import { CLEANUP_TASKS } from "../storage/files/index.js";
import { SHIPPED_FONTS } from "../templates/drafts/index.js";
import { InlineTemplates } from "../templates/index.js";

/** For a container of the whole service. CONFIG, LOG, PACKAGE, STORE, FILE_STORE, SECRET and BASE_URL are registered by the process. */
export { createContainer };

provide(FIND_ORGANIZATION_NETWORKS, (c) => {
  const { read } = c.resolve(STORE);
  return (organizationId) => findPrivateNetworks(read, organizationId);
});
provide(CLEANUP_TASKS, (c) => [
  (now) => c.resolve(Assets).sweep(now),
  (now) => c.resolve(EmailImages).sweep(now),
  async (now) => {
    await c.resolve(InlineTemplates).sweep(now);
  },
]);
provide(RECORD_SOURCE, (c) => c.resolve(PlatformRecordSource));
provide(SIGNED_FILES_SINK, (c) => c.resolve(PlatformRecordSource));
provide(CREDENTIALS_OBSERVER, (c) => createSubscriptionRetry(c.resolve(QUEUE)));
provide(SHIPPED_PLUGINS, (c) => {
  const { version } = c.resolve(PACKAGE);
  const shipped = { version, source: "shipped", fault: null };
  return shippedPlugins.map((plugin) => ({ ...shipped, ...plugin }));
});
provide(SHIPPED_FONTS, () => ({
  faces: listShippedFaces(),
  aliases: getFamilyAliases(),
  read: readFace,
}));
