import { useId, useState } from "preact/hooks";
import type {
  Json,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { useTyped } from "../../ui/use-typed.js";
import { useEditor } from "../model/editor.js";
import type { PathOption } from "../scope/path-options.js";
import { keysOf } from "../scope/path-text.js";
import { PathChoice } from "../text/path-choice.js";
import { type ValueKind, arity, asList } from "./logic.js";

interface ValueInputProps {
  label: string;
  kind: ValueKind;
  value: Json | undefined;
  /** Suggested while something is typed. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

/** A value of a kind; what is of another kind stays as text until it is changed. */
export function ValueInput({
  label,
  kind,
  value,
  examples,
  onChange,
}: ValueInputProps) {
  const editor = useEditor();
  const list = useId();
  const written = writtenValue(value);
  const type = inputType(kind, written);
  return (
    <>
      <input
        class="input small"
        aria-label={label}
        placeholder={type === "number" ? "0" : "Value"}
        type={type}
        step={type === "number" ? "any" : undefined}
        list={type === "date" ? undefined : list}
        value={written}
        onInput={({ currentTarget }) => onChange(readValue(currentTarget))}
        onBlur={() => editor.endThread()}
      />
      {type !== "date" && <Suggestions id={list} values={examples} />}
    </>
  );
}

/** A field can show no more than its kind of text: what does not fit is shown as text. */
function inputType(kind: ValueKind, written: string) {
  const isEmpty = written === "";
  if (kind === "number" && (isEmpty || !Number.isNaN(Number(written))))
    return "number";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written);
  return kind === "date" && (isEmpty || isDay) ? "date" : "text";
}

function readValue({ type, value, valueAsNumber }: HTMLInputElement): Json {
  return type === "number" && value !== "" ? valueAsNumber : value;
}

function writtenValue(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

interface RuleValueProps {
  rule: Rule;
  kind: ValueKind;
  options: readonly PathOption[];
  /** What the sample has in that field. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

const today = "TODAY()";

/** With what a field is compared. */
export function RuleValue(props: RuleValueProps) {
  const { rule, kind, examples, onChange } = props;
  const { operator, value, valueSource } = rule;
  const wanted = arity(operator);
  if (wanted === "none" || typeof value === "boolean") return null;
  if (valueSource === "field") return <OtherField {...props} />;
  if (wanted === "many")
    return (
      <TokenInput
        kind={kind}
        values={asList(value)}
        examples={examples}
        onChange={onChange}
      />
    );
  if (wanted === "one")
    return (
      <ValueInput
        label="Value"
        kind={kind}
        value={value}
        examples={examples}
        onChange={onChange}
      />
    );
  return <Range {...props} />;
}

/** Two ends, both of which count. */
function Range({ rule, kind, examples, onChange }: RuleValueProps) {
  const [low = "", high = ""] = asList(rule.value);
  return (
    <div class="rule-range">
      <ValueInput
        label="From"
        kind={kind}
        value={low}
        examples={examples}
        onChange={(next) => onChange([next, high])}
      />
      <span>and</span>
      <ValueInput
        label="To"
        kind={kind}
        value={high}
        examples={examples}
        onChange={(next) => onChange([low, next])}
      />
    </div>
  );
}

function OtherField({ rule, kind, options, onChange }: RuleValueProps) {
  const source = typeof rule.value === "string" ? rule.value : "";
  const isKnown = source === "" || source === today || keysOf(source) !== null;
  const isListed = options.some(({ path }) => path === source);
  return isKnown || isListed ? (
    <PathChoice
      label="Other field"
      value={source}
      options={options}
      others={kind === "date" || source === today ? [[today, "Today"]] : []}
      onChange={onChange}
    />
  ) : (
    <ExpressionInput label="Other formula" value={source} onChange={onChange} />
  );
}

interface TokenInputProps {
  kind: ValueKind;
  values: readonly Json[];
  examples: readonly (string | number)[];
  onChange: (values: Json[]) => void;
}

/** Several values: each is added with Enter, a comma, or by leaving the field. */
function TokenInput({ kind, values, examples, onChange }: TokenInputProps) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const taken = values.map(writtenValue);
  const add = () => {
    const text = typed.trim();
    setTyped("");
    if (text === "" || taken.includes(text)) return;
    onChange([...values, valueOf(kind, text)]);
  };
  const left = examples.filter((one) => !taken.includes(String(one)));
  return (
    <div class="rule-tokens">
      {values.map((one, index) => (
        <Token
          words={writtenValue(one)}
          onTake={() => onChange(values.filter((_one, at) => at !== index))}
          key={index}
        />
      ))}
      <input
        class="input small"
        aria-label="Add a value"
        placeholder="Add a value"
        list={list}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => isEnd(event) && add()}
      />
      <Suggestions id={list} values={left} />
    </div>
  );
}

/** A key that ends one value; it is no letter of the next. */
function isEnd(event: KeyboardEvent): boolean {
  const ends = event.key === "Enter" || event.key === ",";
  if (ends) event.preventDefault();
  return ends;
}

function Token({ words, onTake }: { words: string; onTake: () => void }) {
  return (
    <span class="rule-token">
      {words}
      <button type="button" aria-label={`Take ${words} away`} onClick={onTake}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

function valueOf(kind: ValueKind, text: string): Json {
  return inputType(kind, text) === "number" ? Number(text) : text;
}

interface ExpressionInputProps {
  label: string;
  value: string;
  onChange: (source: string) => void;
}

/** A formula that no choice can show, as it is written; taken over when the field is left. */
export function ExpressionInput({
  label,
  value,
  onChange,
}: ExpressionInputProps) {
  const [typed, setTyped] = useTyped(value);
  const settle = () => {
    setTyped(null, value);
    const isNew = typed !== null && typed.trim() !== "" && typed !== value;
    if (isNew) onChange(typed);
  };
  return (
    <input
      class="input small rule-source"
      aria-label={label}
      title={value}
      spellcheck={false}
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value, value)}
      onBlur={settle}
      onKeyDown={({ key }) => {
        if (key === "Enter") settle();
      }}
    />
  );
}

interface SuggestionsProps {
  id: string;
  values: readonly (string | number)[];
}

/** What a field offers while something is typed in it. */
function Suggestions({ id, values }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {values.map((one) => (
        <option value={String(one)} key={one} />
      ))}
    </datalist>
  );
}
