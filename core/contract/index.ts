// All that a plugin, and every room, may see: types, ports and the one error class. Imports nothing.
export * from "./app-lists.js";
export * from "./app-plugin.js";
export * from "./deadline.js";
export * from "./error-text.js";
export * from "./errors.js";
export * from "./esign-provider.js";
export * from "./file-key.js";
export * from "./file-store-plugin.js";
export * from "./file-store.js";
export * from "./log.js";
export * from "./metrics.js";
export * from "./nearest-word.js";
export * from "./output.js";
export * from "./plans.js";
export * from "./platform-error.js";
export * from "./platform-plugin.js";
export * from "./plugin.js";
