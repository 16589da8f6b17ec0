import "./json.css";
import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import { FindingList } from "./finding-list.js";
import { type Span, spanOf } from "./json-place.js";
import { useKeptCaret } from "./kept-caret.js";
import { LineNumbers } from "./line-numbers.js";
import {
  type TypedJson,
  type TypedText,
  useTypedJson,
} from "./use-typed-json.js";

interface JsonViewProps {
  /** What was typed and could not be applied; null when there is nothing. */
  typed: Signal<TypedText | null>;
}

/** The template as text, beside what the service's checker says of it. */
export function JsonView({ typed }: JsonViewProps) {
  const editor = useEditor();
  const json = useTypedJson(editor, typed);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => () => editor.endThread(), [editor]);
  const go = (span: Span) => {
    if (field.current) select(field.current, span);
  };
  return (
    <div class="editor-whole json-view">
      <section class="json-text" aria-label="Template as JSON">
        <Tools json={json} />
        <TextField json={json} field={field} isReadOnly={!editor.mayEdit} />
      </section>
      <section class="json-findings" aria-label="What the checker says">
        {json.fault !== null && (
          <NotApplied
            json={json}
            onGo={() => go({ from: json.faultAt, to: json.faultAt + 1 })}
          />
        )}
        <FindingList
          facts={editor.facts.value}
          onGo={(path) => go(spanOf(json.text, path))}
        />
      </section>
    </div>
  );
}

function Tools({ json }: { json: TypedJson }) {
  const copy = async () => {
    await navigator.clipboard.writeText(json.text);
    toast("All of it was copied.");
  };
  const format = () => {
    const value: unknown = JSON.parse(json.text);
    json.type(JSON.stringify(value, null, 2));
  };
  return (
    <div class="json-tools">
      <p class="muted small">Changes are applied as you type.</p>
      <span class="row">
        <Button
          kind="quiet"
          reason={json.fault === null ? null : "It has to be JSON first"}
          onPress={format}
        >
          Format
        </Button>
        <Button kind="quiet" onPress={copy}>
          <Icon name="copy" size={18} />
          Copy all
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
  useKeptCaret(field, json.text);
  return (
    <div class="json-field">
      <LineNumbers text={json.text} scrolled={scrolled} />
      <textarea
        ref={field}
        class="code"
        aria-label="Template as JSON"
        aria-invalid={json.fault !== null}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        readOnly={isReadOnly}
        value={json.text}
        onInput={({ currentTarget }) => json.type(currentTarget.value)}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        // Its own undo, and no keys of the page.
        onKeyDown={(event) => event.stopPropagation()}
      />
    </div>
  );
}

function NotApplied({ json, onGo }: { json: TypedJson; onGo: () => void }) {
  return (
    <div class="notice warn" role="status">
      <strong>Not applied yet</strong>
      <p>{json.fault}</p>
      <span class="row">
        <Button onPress={onGo}>Show where</Button>
        <Button kind="quiet" onPress={json.reset}>
          Drop what I typed
        </Button>
      </span>
    </div>
  );
}

/** Marks a place, and brings it into the middle. */
function select(field: HTMLTextAreaElement, { from, to }: Span): void {
  const before = field.value.slice(0, from).split("\n").length - 1;
  const lines = field.value.split("\n").length;
  const middle = (before / lines) * field.scrollHeight;
  field.focus();
  field.setSelectionRange(from, to);
  field.scrollTop = Math.max(0, middle - field.clientHeight / 3);
}
