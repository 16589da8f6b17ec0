import type { DraftAnalysis } from "../../../../core/compiler/views.js";
import type { Signal } from "@preact/signals";
import {
  useEffect,
  useRef,
  useState,
  useLayoutEffect,
  useMemo,
} from "preact/hooks";
import { clock } from "../../../../core/lib/clock.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import type { Problem } from "../../../../core/plugin-api/errors.js";
import { parseLosslessJson } from "../../../../core/plugin-api/lossless-json.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { copyText } from "../../ui/dialog.js";
import { selectText } from "../../ui/form.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { mergeDefinitions } from "../model/merge-definitions.js";
import {
  type Span,
  findSpan,
  keepIds,
  type Reading,
  readJson,
} from "./read-json.js";
import "./json.css";
import { t } from "../../messages/index.js";

interface JsonViewProps {
  /** Typed text that could not be applied; null for none. */
  typed: Signal<TypedText | null>;
}

export function JsonView({ typed }: JsonViewProps) {
  const editor = useEditor();
  const json = useTypedJson(editor, typed);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => () => editor.endThread(), [editor]);
  const go = (span: Span) => {
    if (field.current) selectText(field.current, span);
  };
  return (
    <div class="editor-whole json-view">
      <section class="json-text" aria-label={t("json.templateAsJson")}>
        <Tools json={json} />
        <TextField json={json} field={field} isReadOnly={!editor.mayEdit} />
      </section>
      <section class="json-findings" aria-label={t("json.validationResults")}>
        {json.fault !== null && (
          <NotApplied
            json={json}
            onGo={() => go({ from: json.faultAt, to: json.faultAt + 1 })}
          />
        )}
        <FindingList
          facts={editor.facts.value}
          onGo={(path) => go(findSpan(json.text, path))}
        />
      </section>
    </div>
  );
}

function Tools({ json }: { json: TypedJson }) {
  const format = () => {
    const value = parseLosslessJson(json.text);
    json.type(JSON.stringify(value, null, 2));
  };
  return (
    <div class="json-tools">
      <p class="muted small">{t("json.changesAreAppliedAsYou")}</p>
      <span class="row">
        <Button
          kind="quiet"
          reason={json.fault === null ? null : t("json.fixJsonFirst")}
          onPress={format}
        >
          {t("common.format")}
        </Button>
        <Button
          kind="quiet"
          onPress={() => copyText(json.text, t("json.jsonCopied"))}
        >
          <Icon name="copy" size={18} />
          {t("json.copyAll")}
        </Button>
      </span>
    </div>
  );
}

interface TextFieldProps {
  json: TypedJson;
  field: { current: HTMLTextAreaElement | null };
  isReadOnly: boolean;
}

function TextField({ json, field, isReadOnly }: TextFieldProps) {
  const [scrolled, setScrolled] = useState(0);
  useStableCaret(field, json.text);
  return (
    <div class="json-field">
      <LineNumbers text={json.text} scrolled={scrolled} />
      <textarea
        ref={field}
        class="code"
        aria-label={t("json.templateAsJson")}
        aria-invalid={json.fault !== null}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        readOnly={isReadOnly}
        value={json.text}
        onInput={({ currentTarget }) => json.type(currentTarget.value)}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        // The field has its own undo; the page's shortcuts do not apply.
        onKeyDown={(event) => event.stopPropagation()}
      />
    </div>
  );
}

function NotApplied({ json, onGo }: { json: TypedJson; onGo: () => void }) {
  return (
    <div class="notice warn" role="status">
      <strong>{t("json.notAppliedYet")}</strong>
      <p>{json.fault}</p>
      <span class="row">
        <Button onPress={onGo}>{t("json.showWhere")}</Button>
        <Button kind="quiet" onPress={json.reset}>
          {t("json.discardMyChanges")}
        </Button>
      </span>
    </div>
  );
}

interface FindingListProps {
  /** Null before the first response. */
  facts: DraftAnalysis | null;
  onGo: (jsonPath: string) => void;
}

/** The server's validation results, the same that the API returns. */
function FindingList({ facts, onGo }: FindingListProps) {
  if (!facts) return <p class="muted">{t("json.checking")}</p>;
  const { problems, warnings } = facts;
  if (problems.length + warnings.length === 0)
    return (
      <p class="all-well">
        <Icon name="check" size={18} />
        {t("json.noProblems")}
      </p>
    );
  return (
    <>
      <Findings
        title={t("common.countProblems", { count: problems.length })}
        tone="bad"
        list={problems}
        onGo={onGo}
      />
      <Findings
        title={t("json.countWarnings", { count: warnings.length })}
        tone="warn"
        list={warnings}
        onGo={onGo}
      />
    </>
  );
}

interface FindingsProps {
  title: string;
  tone: "bad" | "warn";
  list: readonly Problem[];
  onGo: (jsonPath: string) => void;
}

function Findings({ title, tone, list, onGo }: FindingsProps) {
  if (list.length === 0) return null;
  return (
    <section>
      <h2 class={`finding-title ${tone}`}>{title}</h2>
      <ul class="finding-list">
        {list.map(({ path, code, message, hint }) => (
          <li key={`${path} ${code} ${message}`}>
            <button type="button" onClick={() => onGo(path)}>
              <code>{path}</code>
              <span>{message}</span>
              {hint && <span class="muted">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const commitDelayMs = 250;

/** Typed text that is not applied yet. */
export interface TypedText {
  text: string;
  /** The template when the typing began. */
  base: ProjectData;
}

interface TypedJson {
  text: string;
  /** Why the text is not applied; null when the template matches it. */
  fault: string | null;
  /** The position of the fault, in characters. */
  faultAt: number;
  type: (text: string) => void;
  /** Discards the typed text. */
  reset: () => void;
}

/**
 * The definition as editable text. Valid text is applied at once, merged with what others changed meanwhile; invalid text
 * is kept with the reason, also while another view is shown.
 */
function useTypedJson(
  editor: Editor,
  typedText: Signal<TypedText | null>,
): TypedJson {
  const definition = editor.definition.value;
  const begun = typedText.peek();
  const [text, setText] = useState(() => begun?.text ?? formatJson(definition));
  const [fault, setFault] = useState(
    () => begun && toFault(readJson(begun.text)),
  );
  /** The definition that the text represents. */
  const shownDefinition = useRef(begun?.base ?? definition);
  const show = (now: ProjectData) => {
    shownDefinition.current = now;
    setText(formatJson(now));
  };
  const commit = () => {
    const typed = typedText.peek();
    if (!typed) return;
    const reading = readJson(typed.text);
    setFault(toFault(reading));
    if (reading.fault !== null) return;
    typedText.value = null;
    const isAlone = apply(editor, reading.definition, typed.base);
    if (isAlone) shownDefinition.current = editor.definition.peek();
    else show(editor.definition.peek());
  };
  useCommit(text, commit);
  useEffect(() => {
    // Changed by undo or by someone else.
    if (definition !== shownDefinition.current && !typedText.peek())
      show(definition);
  }, [definition, typedText]);
  const type = (typed: string) => {
    typedText.value = { text: typed, base: shownDefinition.current };
    setText(typed);
  };
  const reset = () => {
    typedText.value = null;
    setFault(null);
    show(editor.definition.peek());
  };
  return { text, ...(fault ?? { fault: null, faultAt: 0 }), type, reset };
}

/** Commits shortly after the last input and before another view is shown. */
function useCommit(text: string, commit: () => void): void {
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => {
    const timer = clock.after(commitDelayMs, () => latest.current());
    return () => timer.cancel();
  }, [text]);
  useEffect(() => () => latest.current(), []);
}

/** @returns whether nothing else changed since the typing began */
function apply(editor: Editor, typed: ProjectData, base: ProjectData): boolean {
  const mine = keepIds(typed, base);
  const theirs = editor.definition.peek();
  const isAlone = theirs === base;
  const after = isAlone
    ? mine
    : mergeDefinitions({ base, mine, theirs }).definition;
  editor.replace(t("json.editAsJson"), after, "json");
  return isAlone;
}

function formatJson(definition: ProjectData): string {
  return JSON.stringify(definition, null, 2);
}

function toFault(reading: Reading) {
  if (reading.fault === null) return null;
  return { fault: reading.fault, faultAt: reading.at };
}

/** Maps a caret position to the changed text; a position inside the replaced part moves to its start. */
function mapPosition(before: string, after: string, at: number): number {
  const maxLength = Math.min(before.length, after.length);
  let head = 0;
  while (head < maxLength && before[head] === after[head]) head += 1;
  if (at <= head) return at;
  let tail = 0;
  while (
    tail < maxLength - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const isBehind = at >= before.length - tail;
  return isBehind ? at + after.length - before.length : head;
}

/** Keeps the caret and scroll position of a field when its text is changed from outside. */
function useStableCaret(
  field: { current: HTMLTextAreaElement | null },
  text: string,
): void {
  const { current } = field;
  const before = current && {
    text: current.value,
    from: current.selectionStart,
    to: current.selectionEnd,
    top: current.scrollTop,
  };
  useLayoutEffect(() => {
    // The field already contains what was typed.
    if (!current || !before || before.text === text) return;
    const from = mapPosition(before.text, text, before.from);
    const to = mapPosition(before.text, text, before.to);
    current.setSelectionRange(from, to);
    current.scrollTop = before.top;
  }, [text]);
}

interface LineNumbersProps {
  text: string;
  /** The scroll position of the text, in px. */
  scrolled: number;
}

function LineNumbers({ text, scrolled }: LineNumbersProps) {
  const numbers = useMemo(
    () =>
      text
        .split("\n")
        .map((_, index) => index + 1)
        .join("\n"),
    [text],
  );
  return (
    <div class="line-numbers" aria-hidden="true">
      <pre style={{ transform: `translateY(-${scrolled}px)` }}>{numbers}</pre>
    </div>
  );
}
