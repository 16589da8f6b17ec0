import type { FileStore } from "../../plugin-api/index.js";

/** Longer than anything takes between a file and its row: until then files look like orphans that are none. */
const youngestMs = 60 * 60_000;

export interface UnnamedFiles {
  folder: string;
  /** Whether the key is of the kind that rows name; others are left alone. */
  isOurs: (key: string) => boolean;
  /** Those of these keys that a row names; others beside them do no harm. */
  namedAmong: (keys: readonly string[]) => Promise<ReadonlySet<string | null>>;
  /** How many keys are asked about at once. */
  chunk: number;
}

/** Deletes the files of a folder that no row names: a crash between the file and the row leaves them. @returns how many. */
export async function deleteUnnamed(
  files: FileStore,
  { folder, isOurs, namedAmong, chunk }: UnnamedFiles,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - youngestMs);
  let total = 0;
  const deleteAmong = async (keys: readonly string[]) => {
    if (keys.length === 0) return;
    const named = await namedAmong(keys);
    for (const key of keys.filter((one) => !named.has(one)))
      if (await files.deleteIfOlder(key, before)) total += 1;
  };
  let keys: string[] = [];
  for await (const key of files.keys(folder)) {
    if (!isOurs(key)) continue;
    keys.push(key);
    if (keys.length < chunk) continue;
    await deleteAmong(keys);
    keys = [];
  }
  await deleteAmong(keys);
  return total;
}
