import {
  type OutFile,
  type PlatenError,
  PlatformError,
  type PlatformPlugin,
  type WriteMode,
} from "../../plugin-api/index.js";
import { refusedBy } from "./platform-fault.js";

/** @throws PlatenError for what a platform is known not to take, before anything is sent. */
export function refuseFiles(
  plugin: PlatformPlugin,
  files: readonly OutFile[],
  mode: WriteMode,
): void {
  const { title } = plugin.meta;
  const { attachments, modes, maxFileBytes, needsPublicUrl } =
    plugin.capabilities;
  const refuse = (code: "unsupported" | "too_large", message: string) =>
    refusedBy(title, new PlatformError(code, message));
  if (attachments === "none" || !plugin.writeBack)
    throw refuse("unsupported", "files cannot be written to its records.");
  if (!modes.includes(mode)) throw refuse("unsupported", modeRefusal(mode));
  const large = files.find(({ sizeBytes }) => sizeBytes > maxFileBytes);
  if (large)
    throw refuse(
      "too_large",
      `"${large.filename}" has ${large.sizeBytes} bytes, and it takes at most ${maxFileBytes}. Use smaller images, or fewer pages.`,
    );
  if (needsPublicUrl && files.some((file) => !file.publicUrl))
    throw noPublicUrl(title);
}

function modeRefusal(mode: WriteMode): string {
  return mode === "append"
    ? "it can only replace the files of a field. Set overwriteExisting to true."
    : "it can only add files to a field. Set overwriteExisting to false.";
}

function noPublicUrl(title: string): PlatenError {
  const message =
    "it fetches files by their address, and this service has no public one. Set PLATEN_BASE_URL to its https address.";
  return refusedBy(title, new PlatformError("bad_config", message));
}
