import { MIGRATIONS, type Migration } from "./migrations.js";

/**
 * A definition of any earlier version as one of this version; without `schemaVersion` it is of version 1. Whatever is
 * no definition of a known version is given back as it is, for the checker to refuse.
 */
export function liftDefinition(
  input: unknown,
  migrations: readonly Migration[] = MIGRATIONS,
): unknown {
  if (!isObject(input)) return input;
  const { schemaVersion = 1 } = input;
  const newest = migrations.length + 1;
  const isOlder =
    Number.isInteger(schemaVersion) &&
    Number(schemaVersion) >= 1 &&
    Number(schemaVersion) < newest;
  if (!isOlder) return input;
  const steps = migrations.slice(Number(schemaVersion) - 1);
  const lifted = steps.reduce((definition, step) => step(definition), input);
  return { ...lifted, schemaVersion: newest };
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}
