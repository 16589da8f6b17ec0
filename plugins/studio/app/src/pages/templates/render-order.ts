import { wordsOf } from "../../api.js";
import type { Template } from "./template.js";

export type Format = "pdf" | "html" | "image" | "mjml";

/** What is to be made, as the form has it. */
export interface RenderOrder {
  source: "sample" | "own";
  /** JSON, as far as it was typed. */
  text: string;
  format: Format;
  isTest: boolean;
}

const ofDocuments: [Format, string][] = [
  ["pdf", "PDF"],
  ["html", "HTML"],
  ["image", "Picture"],
];
const ofEmails: [Format, string][] = [
  ["html", "HTML"],
  ["mjml", "MJML"],
  ["image", "Picture"],
  ["pdf", "PDF"],
];

/** What this template can be made into, the most usual first. */
export function formatsOf({ templateType }: Template): [Format, string][] {
  return templateType === "email" ? ofEmails : ofDocuments;
}

export function firstOrder(template: Template): RenderOrder {
  return {
    source: "sample",
    text: JSON.stringify(template.definition.sample ?? {}, null, 2),
    format: formatsOf(template)[0]?.[0] ?? "pdf",
    isTest: true,
  };
}

/** The request's body. */
export function bodyOf(
  { id, definition }: Template,
  { source, text, format, isTest }: RenderOrder,
  version: number | null,
): Record<string, unknown> {
  const own = (): unknown => JSON.parse(text);
  return {
    templateId: id,
    data: source === "own" ? own() : (definition.sample ?? {}),
    formats: [format],
    isTest,
    ...(version !== null && { templateVersion: version }),
  };
}

/** Why the data is no record yet; null when it is one. */
export function dataFault({ source, text }: RenderOrder): string | null {
  if (source === "sample") return null;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord =
      typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord ? null : "A record is an object: { … }.";
  } catch (error) {
    return `This is no JSON yet. ${wordsOf(error)}`;
  }
}
