/** The code of a PlatformError, of whichever copy of the class, as the host reads it; null of anything else. */
export function errorCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "PlatformError") return null;
  return "code" in error && typeof error.code === "string" ? error.code : null;
}
