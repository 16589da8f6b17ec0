// What a plugin and every capability may import: types, interfaces, error classes and a few pure helpers. Authors of
// plugins import it as `platen/contract`.
export { clock, type Timer } from "../lib/clock.js";
export * from "./boolean-text.js";
export * from "./deadline.js";
export * from "./definition.js";
export * from "./delivery-plugin.js";
export * from "./errors.js";
export * from "./esign-provider.js";
export * from "./file-reader.js";
export * from "./file-store.js";
export * from "./lossless-json.js";
export * from "./nearest-word.js";
export * from "./number-text.js";
export * from "./observability.js";
export * from "./output.js";
export * from "./platform-plugin.js";
export * from "./plugin.js";
export * from "./time-zones.js";
