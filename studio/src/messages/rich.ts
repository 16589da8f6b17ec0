import { type ComponentChildren, h } from "preact";
import { type MessageArguments, type MessageKey, t } from "./index.js";

/** Takes the place of `<` in values, so that they never contain tags. */
const lessThan = "\uE000";

/**
 * Returns a message that contains tags, such as "Press <b>Continue</b>.", as nodes. Each tag encloses plain text and is
 * drawn by the function of its name, by default as the element.
 */
export function rich<Key extends MessageKey>(
  key: Key,
  tags: Record<string, (text: string) => ComponentChildren>,
  ...values: MessageArguments<Key>
): ComponentChildren[] {
  // Only the content of strings changes, and not the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const safe = values.map((value: object) => hideTags(value)) as never;
  return splitTags(t(key, ...(safe as MessageArguments<Key>))).map(
    ({ tag, content }) => {
      const text = content.replaceAll(lessThan, "<");
      if (tag === null) return text;
      const draw = tags[tag];
      return draw ? draw(text) : h(tag, {}, text);
    },
  );
}

function hideTags(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? value.replaceAll("<", lessThan) : value,
    ]),
  );
}

interface MessagePart {
  /** Null for text outside of tags. */
  tag: string | null;
  content: string;
}

function splitTags(text: string): MessagePart[] {
  // Alternates between text, the name of a tag and its content.
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/s);
  return parts.flatMap((part, index): MessagePart[] => {
    if (index % 3 === 0) return part ? [{ tag: null, content: part }] : [];
    if (index % 3 === 2) return [];
    return [{ tag: part, content: parts[index + 1] ?? "" }];
  });
}
