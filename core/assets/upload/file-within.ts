import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { PlatenError } from "../../plugin-api/index.js";

/**
 * Opens a file for reading, which lies within `root` after all links have been followed.
 * @throws PlatenError `invalid_request`, which tells nothing of what is outside.
 */
export async function openFileWithin(
  root: string,
  path: string,
): Promise<FileHandle> {
  const real = await realPathWithin(root, path);
  if (real === null) throw refusal();
  // What is no file of bytes, such as a pipe, must not be waited for.
  const flags =
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(real, flags).catch(() => null);
  if (handle === null) throw refusal();
  if (await isStillThere(handle, root, path)) return handle;
  await handle.close();
  throw refusal();
}

async function realPathWithin(
  root: string,
  path: string,
): Promise<string | null> {
  const base = await realpath(root);
  if (path.includes("\0")) return null;
  const real = await realpath(resolve(base, path)).catch(() => null);
  const begin = base.endsWith(sep) ? base : base + sep;
  return real?.startsWith(begin) ? real : null;
}

/** A folder on the way may have become a link between the look and the opening: what is open must lie within too. */
async function isStillThere(
  handle: FileHandle,
  root: string,
  path: string,
): Promise<boolean> {
  const opened = await handle.stat();
  const real = await realPathWithin(root, path);
  const found = real === null ? null : await stat(real).catch(() => null);
  return (
    opened.isFile() && found?.ino === opened.ino && found.dev === opened.dev
  );
}

function refusal(): PlatenError {
  return new PlatenError("invalid_request", "The file cannot be read.", {
    problems: [
      {
        path: "$.filePath",
        code: "file_path",
        message: "is no file in the folder that may be read.",
        hint: "Give a path within the folder with which the server was started.",
      },
    ],
  });
}
