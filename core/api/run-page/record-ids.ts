/** `recordId`, once or several times, each with one id or several with commas between; each id once. */
export function recordIdsOf(query: URLSearchParams): string[] {
  const ids = query
    .getAll("recordId")
    .flatMap((value) => value.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set(ids)];
}
