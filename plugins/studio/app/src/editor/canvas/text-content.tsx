import type { Text } from "../../../../../../core/contract/definition.js";
import { TextView } from "../text/text-view.js";

interface TextContentProps {
  id: string;
  text: Text | undefined;
}

/** A component's text; where it stands one types it, too. */
export function TextContent({ id, text = "" }: TextContentProps) {
  return <TextView text={text} owner={id} />;
}
