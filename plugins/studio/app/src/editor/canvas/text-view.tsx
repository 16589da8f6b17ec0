import type {
  Inline,
  Text,
} from "../../../../../../core/contract/definition.js";
import { fieldName } from "./component-name.js";

export function TextView({ text }: { text: Text; owner: string }) {
  const parts = typeof text === "string" ? [text] : text;
  return <>{parts.map(drawn)}</>;
}
function drawn(part: Inline) {
  if (typeof part === "string") return chips(part);
  if ("br" in part) return <br />;
  if ("pageNumber" in part) return "1";
  return (part.marks ?? []).includes("bold") ? (
    <strong>{chips(part.text)}</strong>
  ) : (
    chips(part.text)
  );
}
const chips = (s: string) =>
  s.replaceAll(/\{\{(.*?)\}\}/g, (_a, e: string) => fieldName(e));
