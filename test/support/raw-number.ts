/** A number that is sent with exactly these digits, which no JavaScript number holds. */
export function rawNumber(digits: string): object {
  const json: object = JSON;
  if ("rawJSON" in json && typeof json.rawJSON === "function")
    return json.rawJSON(digits) as object;
  throw new Error("this Node has no JSON.rawJSON");
}
