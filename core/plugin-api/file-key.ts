import { PlatenError } from "./errors.js";

const pattern = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9._-]*){1,7}$/;
const longest = 200;

/** Every file store asks this first. @throws PlatenError `internal` for what is no key of ours, such as a path that climbs out of the store. */
export function checkFileKey(key: string): void {
  const isKey =
    key.length <= longest && pattern.test(key) && !key.includes("..");
  if (isKey) return;
  throw new PlatenError(
    "internal",
    "A stored file has a key that this store cannot hold.",
    { cause: new Error(`file key ${JSON.stringify(key.slice(0, 300))}`) },
  );
}
