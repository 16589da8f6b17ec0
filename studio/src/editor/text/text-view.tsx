import type { SampleRow } from "../../../../core/compiler/views.js";
import "./text.css";
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type {
  Inline,
  Mark,
  Text,
} from "../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { findRowProblem, getChipKey } from "../model/sample-problems.js";
import { Markup } from "../canvas/views/markup.js";
import { useSampleScope } from "../scope/sample-scope.js";
import { getChipLabel } from "./chip.js";
import {
  getConstantStyle,
  toInlines,
  PAGE_NUMBER_LABELS,
  getExpression,
  parseTemplate,
  type TemplatePart,
} from "./template.js";

interface TextViewProps {
  text: Text;
  /** The component that the text belongs to; null for a text of the page. */
  owner: string | null;
}

export function TextView({ text, owner }: TextViewProps) {
  return (
    <>
      {toInlines(text).map((inline, at) => (
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
    <>
      {(inline.marks ?? []).reduceRight<ComponentChildren>(wrapInMark, content)}
    </>
  );
}

const MARK_ELEMENTS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
} as const;

function wrapInMark(content: ComponentChildren, mark: Mark) {
  if (typeof mark === "string") {
    const Element = MARK_ELEMENTS[mark];
    return <Element>{content}</Element>;
  }
  if ("link" in mark) return <a title={mark.link}>{content}</a>;
  return <span style={getConstantStyle(mark.style)}>{content}</span>;
}

function TemplateView({
  source,
  owner,
}: {
  source: string;
  owner: string | null;
}) {
  return (
    <>
      {parseTemplate(source).map((part, at) => (
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
  if (part.kind === "braces") return <span data-leaf>{"{{"}</span>;
  return <Chip key={part.source} source={part.source} owner={owner} />;
}

/** A variable's name, or its value in the sample. */
function Chip({ source, owner }: { source: string; owner: string | null }) {
  const editor = useEditor();
  const scope = useSampleScope();
  const expression = getExpression(source);
  const find = (printed: SampleRow | null) =>
    printed?.values[owner ?? ""]?.[expression];
  const findMarkup = (printed: SampleRow | null) =>
    printed?.markup[owner ?? ""]?.[expression];
  // Computed, so that new facts re-render only the chips whose value changed.
  const edited = useComputed(() =>
    editor.showsValues.value ? find(editor.facts.value) : undefined,
  ).value;
  const editedMarkup = useComputed(() =>
    editor.showsValues.value ? findMarkup(editor.facts.value) : undefined,
  ).value;
  const value = scope.row ? find(scope.row) : edited;
  const markup = scope.row ? findMarkup(scope.row) : editedMarkup;
  // The row that is edited shows the problems of all rows.
  const problem = useComputed(() => {
    const marks = editor.sampleMarks.value;
    const chip = getChipKey(owner, expression);
    if (!scope.isCopy) return marks.chips.get(chip);
    return scope.row ? findRowProblem(marks, chip, scope.row) : undefined;
  }).value;
  const unfit = problem === undefined ? "" : " unfit";
  const { label, isFormula } = getChipLabel(editor, owner, source);
  if (markup) return <Markup html={markup} />;
  // An unknown field prints nothing: its name shows where it is.
  if (value !== undefined && (value !== "" || problem === undefined))
    return (
      <span class={`chip printed${unfit}`} title={withProblem(label, problem)}>
        {value}
      </span>
    );
  return (
    <span
      class={`chip${isFormula ? " formula" : ""}${unfit}`}
      title={withProblem(source, problem)}
    >
      {label}
    </span>
  );
}

function withProblem(title: string, problem: string | undefined): string {
  return problem === undefined ? title : `${title}\n${problem}`;
}

/** The number of the page, or of all pages, or a name for it. */
function PageNumber({ which }: { which: "page" | "pages" }) {
  const editor = useEditor();
  const { page, pages } = useSampleScope();
  if (!editor.showsValues.value)
    return <span class="chip">{PAGE_NUMBER_LABELS[which]}</span>;
  return (
    <span class="chip printed" title={PAGE_NUMBER_LABELS[which]}>
      {which === "page" ? page : pages}
    </span>
  );
}
