/** The system's name for an error, such as `ENOENT`; empty when it has none. */
export function systemCode(error: unknown): string {
  const isCoded = error instanceof Error && "code" in error;
  return isCoded ? String(error.code) : "";
}
