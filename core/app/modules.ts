// The composition root: which modules make up the service.
//
// A capability has two files for this:
//
// - `core/<capability>/tokens.ts` declares the names under which its services are injected:
//   `export const DOCUMENTS = createToken<Documents>("Documents")`. It imports types only, from "./index.js", so that
//   a token loads nothing, and a class and the module that registers it can both import it.
//   Process-wide values (CONFIG, LOG, SECRETS, BASE_URL, FILE_STORE, METRICS, ...) are in core/lib/tokens.ts.
// - `core/<capability>/module.ts` has one function, `registerDocuments(container)`, which registers its classes:
//   `registerClass(container, DOCUMENTS, Documents)`. There is one instance per container, created when it is first needed.
//   `registerFactory` is for values that are computed from the configuration and for services that are functions.
//
// A service is a class with `@injectable()`, and each parameter of its constructor has `@inject(TOKEN)`; both come from
// core/lib/injection.ts. The compiler checks that the token's type fits the parameter. A class that needs a value of
// the configuration injects a token for that value, not CONFIG. Classes that every command loads (those of accounts/)
// have no decorators and are registered by factories, because decorators load tsyringe.
//
// Background work is a method of such a class, which registers its handlers with the queue; `startWork` in service.ts calls it.
//
// The container stays in module.ts files and in core/app: code that does work never receives it. Where the import rules
// forbid a capability to import the one that implements what it needs, it declares a token for its own interface, and
// the implementing module registers it (SIGNING); if that may not import it either, `registerProcess` connects the two
// tokens (TOOL_SERVER_MOUNT).
//
// Tests replace a service in a child container: `registerValue(container.createChildContainer(), RENDERER, fake)`.
// Everything that injects it is then created anew around it.
import { registerAccounts } from "../accounts/module.js";
import { registerOauth } from "../accounts/oauth/module.js";
import { registerSessions } from "../accounts/sessions/module.js";
import { registerApi } from "../api/module.js";
import { registerAssets } from "../assets/module.js";
import { registerAutomations } from "../automations/module.js";
import { registerBatches } from "../batches/module.js";
import { registerCertificates } from "../certificates/module.js";
import { registerCompute } from "../compute/module.js";
import { registerDeliveries } from "../deliveries/module.js";
import { registerDocuments } from "../documents/module.js";
import { registerConnections } from "../integrations/connections/module.js";
import { registerPluginHost } from "../integrations/host/module.js";
import { registerPlatforms } from "../integrations/platforms/module.js";
import {
  createEmptyContainer,
  type DependencyContainer,
} from "../lib/injection.js";
import { registerFolders } from "../folders/module.js";
import { registerOutbound } from "../lib/outbound/module.js";
import { registerMcp } from "../mcp/module.js";
import { registerQueue } from "../queue/module.js";
import { registerRendering } from "../rendering/module.js";
import { registerSignatures } from "../signatures/module.js";
import { registerFiles } from "../storage/files/module.js";
import { registerDrafts } from "../templates/drafts/module.js";
import { registerTemplates } from "../templates/module.js";
import { registerWebhooks } from "../webhooks/module.js";
import { registerApps } from "./apps.js";
import { registerProcess } from "./process-module.js";
import { registerShippedPlugins } from "./shipped-plugins.js";

const modules: readonly ((container: DependencyContainer) => void)[] = [
  registerProcess,
  registerAccounts,
  registerSessions,
  registerOauth,
  registerFiles,
  registerFolders,
  registerAssets,
  registerOutbound,
  registerShippedPlugins,
  registerPluginHost,
  registerConnections,
  registerQueue,
  registerCompute,
  registerCertificates,
  registerRendering,
  registerTemplates,
  registerDocuments,
  registerDrafts,
  registerWebhooks,
  registerBatches,
  registerPlatforms,
  registerDeliveries,
  registerAutomations,
  registerSignatures,
  registerMcp,
  registerApps,
  registerApi,
];

/** CONFIG, LOG, PACKAGE, STORE, FILE_STORE, SECRET and BASE_URL are registered by the process that starts the service. */
export function createContainer(): DependencyContainer {
  const container = createEmptyContainer();
  for (const register of modules) register(container);
  return container;
}
