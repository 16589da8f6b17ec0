// Pages that are loaded together, when the first of them is opened.

export { AccountPage } from "./account.js";
export { AssetsPage } from "./assets.js";
export { AssistantsPage } from "./assistants.js";
export { AuditPage } from "./audit.js";
export { BatchesPage, BatchPage } from "./batches.js";
export { ButtonsPage } from "./buttons.js";
export { CertificatePage } from "./certificate.js";
export {
  AuthorizationReturnPage,
  ConnectionsPage,
} from "./connections/connections.js";
export { KeysPage } from "./keys.js";
export { NumbersPage } from "./numbers.js";
export { PeoplePage } from "./people.js";
export { PluginsPage } from "./plugins.js";
export { UsagePage } from "./usage.js";
export { WebhookPage, WebhooksPage } from "./webhooks/webhooks.js";
