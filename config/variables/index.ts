import type { z } from "zod";
import { metricsVariables } from "./metrics.js";
import { assetVariables } from "./assets.js";
import { draftVariables } from "./drafts.js";
import { mcpVariables } from "./mcp.js";
import { pluginVariables } from "./plugins.js";
import { queueVariables } from "./queue.js";
import { batchVariables } from "./batches.js";
import { renderVariables } from "./render.js";
import { serviceVariables } from "./service.js";
import { signatureVariables } from "./signatures.js";
import { signInVariables } from "./sign-in.js";
import { storageVariables } from "./storage.js";
import { webhookVariables } from "./webhooks.js";

/** Every variable that the service reads; `example.env` shows the same. */
export const variables = {
  ...serviceVariables,
  ...storageVariables,
  ...queueVariables,
  ...renderVariables,
  ...batchVariables,
  ...assetVariables,
  ...metricsVariables,
  ...webhookVariables,
  ...pluginVariables,
  ...signatureVariables,
  ...signInVariables,
  ...mcpVariables,
  ...draftVariables,
};

export type VariableName = keyof typeof variables;
export type Values = {
  [N in VariableName]: z.output<(typeof variables)[N]["schema"]>;
};
