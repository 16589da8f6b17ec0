import "./text.css";
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type {
  Inline,
  Mark,
  Text,
} from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor.js";
import { chipWords } from "./chip/chip-words.js";
import { fixedStyle } from "./fixed-style.js";
import {
  expressionOf,
  readTemplate,
  type TemplatePart,
} from "./model/template-parts.js";
import { inlinesOf } from "./model/text-to-doc.js";
import { PAGE_WORDS } from "./page-words.js";

interface TextViewProps {
  text: Text;
  /** The component that it belongs to, by which its variables are named. */
  owner: string | null;
}

/** A text with its marks, and its variables by name. */
export function TextView({ text, owner }: TextViewProps) {
  return (
    <>
      {inlinesOf(text).map((inline, at) => (
        <InlineView key={at} inline={inline} owner={owner} />
      ))}
    </>
  );
}

function InlineView({
  inline,
  owner,
}: {
  inline: Inline;
  owner: string | null;
}) {
  if (typeof inline === "string")
    return <TemplateView source={inline} owner={owner} />;
  if ("br" in inline) return <br />;
  if ("pageNumber" in inline) return <PageNumber which={inline.pageNumber} />;
  const content = <TemplateView source={inline.text} owner={owner} />;
  return (
    <>{(inline.marks ?? []).reduceRight<ComponentChildren>(marked, content)}</>
  );
}

const ELEMENTS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
} as const;

function marked(content: ComponentChildren, mark: Mark) {
  if (typeof mark === "string") {
    const Element = ELEMENTS[mark];
    return <Element>{content}</Element>;
  }
  if ("link" in mark) return <a title={mark.link}>{content}</a>;
  return <span style={fixedStyle(mark.style)}>{content}</span>;
}

/** Texts and variables of a Template, in a line. */
export function TemplateView({
  source,
  owner,
}: {
  source: string;
  owner: string | null;
}) {
  return (
    <>
      {readTemplate(source).map((part, at) => (
        <PartView key={at} part={part} owner={owner} />
      ))}
    </>
  );
}

function PartView({
  part,
  owner,
}: {
  part: TemplatePart;
  owner: string | null;
}) {
  if (part.kind === "text") return <>{part.text}</>;
  if (part.kind === "break") return <br />;
  if (part.kind === "braces") return <>{"{{"}</>;
  return <Chip key={part.source} source={part.source} owner={owner} />;
}

/** A variable by its name, or as it prints with the sample. */
function Chip({ source, owner }: { source: string; owner: string | null }) {
  const editor = useEditor();
  // Computed, so that new facts draw only what they change.
  const value = useComputed(() =>
    editor.showsValues.value
      ? editor.facts.value?.values[owner ?? ""]?.[expressionOf(source)]
      : undefined,
  ).value;
  const { words, isFormula } = chipWords(editor, owner, source);
  if (value !== undefined)
    return (
      <span class="chip printed" title={words}>
        {value}
      </span>
    );
  return (
    <span class={isFormula ? "chip formula" : "chip"} title={source}>
      {words}
    </span>
  );
}

function PageNumber({ which }: { which: "page" | "pages" }) {
  return <span class="chip">{PAGE_WORDS[which]}</span>;
}
