import { useId, useState } from "preact/hooks";
import type {
  Json,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { useInputText } from "../../ui/form.js";
import { useEditor } from "../model/editor-context.js";
import type { PathOption } from "../scope/path-options.js";
import { keysOf } from "../scope/path-text.js";
import { PathSelect } from "../text/path-choice.js";
import { type ValueKind, getArity, toList } from "./logic.js";
import { t } from "../../messages/index.js";

interface ValueInputProps {
  label: string;
  kind: ValueKind;
  value: Json | undefined;
  /** Suggestions. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

/** An input for one value; a value of another kind is shown as text. */
export function ValueInput({
  label,
  kind,
  value,
  examples,
  onChange,
}: ValueInputProps) {
  const editor = useEditor();
  const list = useId();
  const written = formatValue(value);
  const type = getInputType(kind, written);
  return (
    <>
      <input
        class="input small"
        aria-label={label}
        placeholder={type === "number" ? "0" : t("common.value")}
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

/** The input type that can show the written value. */
function getInputType(kind: ValueKind, written: string) {
  const isEmpty = written === "";
  if (kind === "number" && (isEmpty || !Number.isNaN(Number(written))))
    return "number";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written);
  return kind === "date" && (isEmpty || isDay) ? "date" : "text";
}

function readValue({ type, value, valueAsNumber }: HTMLInputElement): Json {
  return type === "number" && value !== "" ? valueAsNumber : value;
}

function formatValue(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

interface RuleValueProps {
  rule: Rule;
  kind: ValueKind;
  options: readonly PathOption[];
  /** The field's values in the sample. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

const today = "TODAY()";

/** The value of a rule. */
export function RuleValue(props: RuleValueProps) {
  const { rule, kind, examples, onChange } = props;
  const { operator, value, valueSource } = rule;
  const wanted = getArity(operator);
  if (wanted === "none" || typeof value === "boolean") return null;
  if (valueSource === "field") return <OtherField {...props} />;
  if (wanted === "many")
    return (
      <TokenInput
        kind={kind}
        values={toList(value)}
        examples={examples}
        onChange={onChange}
      />
    );
  if (wanted === "one")
    return (
      <ValueInput
        label={t("common.value")}
        kind={kind}
        value={value}
        examples={examples}
        onChange={onChange}
      />
    );
  return <Range {...props} />;
}

/** Both ends of an inclusive range. */
function Range({ rule, kind, examples, onChange }: RuleValueProps) {
  const [low = "", high = ""] = toList(rule.value);
  return (
    <div class="rule-range">
      <ValueInput
        label={t("rules.from")}
        kind={kind}
        value={low}
        examples={examples}
        onChange={(next) => onChange([next, high])}
      />
      <span>{t("rules.and")}</span>
      <ValueInput
        label={t("rules.to")}
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
    <PathSelect
      label={t("rules.otherField")}
      value={source}
      options={options}
      others={
        kind === "date" || source === today ? [[today, t("rules.today")]] : []
      }
      onChange={onChange}
    />
  ) : (
    <ExpressionInput
      label={t("rules.otherFormula")}
      value={source}
      onChange={onChange}
    />
  );
}

interface TokenInputProps {
  kind: ValueKind;
  values: readonly Json[];
  examples: readonly (string | number)[];
  onChange: (values: Json[]) => void;
}

/** Several values; Enter, a comma or leaving the field adds one. */
function TokenInput({ kind, values, examples, onChange }: TokenInputProps) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const taken = values.map(formatValue);
  const add = () => {
    const text = typed.trim();
    setTyped("");
    if (text === "" || taken.includes(text)) return;
    onChange([...values, parseValue(kind, text)]);
  };
  const left = examples.filter((one) => !taken.includes(String(one)));
  return (
    <div class="rule-tokens">
      {values.map((one, index) => (
        <Token
          words={formatValue(one)}
          onRemove={() => onChange(values.filter((_one, at) => at !== index))}
          key={index}
        />
      ))}
      <input
        class="input small"
        aria-label={t("rules.addValue")}
        placeholder={t("rules.addValue")}
        list={list}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => isSeparator(event) && add()}
      />
      <Suggestions id={list} values={left} />
    </div>
  );
}

/** Whether a key ends the value; the key is not typed. */
function isSeparator(event: KeyboardEvent): boolean {
  const ends = event.key === "Enter" || event.key === ",";
  if (ends) event.preventDefault();
  return ends;
}

function Token({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <span class="rule-token">
      {words}
      <button
        type="button"
        aria-label={t("rules.removeWords", { words })}
        onClick={onRemove}
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

function parseValue(kind: ValueKind, text: string): Json {
  return getInputType(kind, text) === "number" ? Number(text) : text;
}

interface ExpressionInputProps {
  label: string;
  value: string;
  onChange: (source: string) => void;
}

/** An expression as text; applied on Enter or when the field loses focus. */
export function ExpressionInput({
  label,
  value,
  onChange,
}: ExpressionInputProps) {
  const [typed, setTyped] = useInputText(value);
  const commit = () => {
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
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === "Enter") commit();
      }}
    />
  );
}

interface SuggestionsProps {
  id: string;
  values: readonly (string | number)[];
}

/** The suggestions of an input. */
function Suggestions({ id, values }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {values.map((one) => (
        <option value={String(one)} key={one} />
      ))}
    </datalist>
  );
}
