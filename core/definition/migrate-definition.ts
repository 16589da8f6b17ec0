/**
 * Upgrades a stored definition to the current schema version. There is only version 1 so far, so every input is
 * returned unchanged, and the checker reports an unknown `schemaVersion`. Whatever reads stored definitions calls this
 * function first: a second version is added here.
 */
export function migrateDefinition(input: unknown): unknown {
  return input;
}
