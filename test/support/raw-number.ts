/** A number that is sent with exactly these digits, which no JavaScript number holds. */
export function rawNumber(digits: string): object {
  const json: object = JSON;
  const raw: unknown =
    "rawJSON" in json && typeof json.rawJSON === "function"
      ? json.rawJSON(digits)
      : null;
  if (typeof raw === "object" && raw !== null) return raw;
  throw new Error("this Node has no JSON.rawJSON");
}
