// The tokens of all capabilities, for the composition root and tests. A capability imports those that it needs from
// where they are declared.
export * from "../accounts/tokens.js";
export * from "../accounts/oauth/tokens.js";
export * from "../accounts/sessions/tokens.js";
export * from "../api/tokens.js";
export * from "../assets/tokens.js";
export * from "../automations/tokens.js";
export * from "../batches/tokens.js";
export * from "../certificates/tokens.js";
export * from "../compute/tokens.js";
export * from "../deliveries/tokens.js";
export * from "../documents/tokens.js";
export * from "../folders/tokens.js";
export * from "../integrations/connections/tokens.js";
export * from "../integrations/host/tokens.js";
export * from "../integrations/platforms/tokens.js";
export * from "../lib/tokens.js";
export * from "../lib/outbound/tokens.js";
export * from "../mcp/tokens.js";
export * from "../queue/tokens.js";
export * from "../rendering/tokens.js";
export * from "../signatures/tokens.js";
export * from "../storage/database/tokens.js";
export * from "../storage/files/tokens.js";
export * from "../templates/tokens.js";
export * from "../templates/drafts/tokens.js";
export * from "../webhooks/tokens.js";
