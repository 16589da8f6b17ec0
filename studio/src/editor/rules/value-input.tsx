import { useId, useState } from "preact/hooks";
import type { Json, Rule } from "../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { useInputText } from "../../ui/form.js";
import { Suggestions } from "../inspector/fields.js";
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
  fault?: string | undefined;
  onChange: (value: Json) => void;
}

/** An input for one value; a value of another kind is shown as text. */
export function ValueInput({
  label,
  kind,
  value,
  examples,
  fault,
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
        aria-invalid={fault !== undefined}
        title={fault}
        placeholder={type === "number" ? "0" : t("common.value")}
        type={type}
        step={type === "number" ? "any" : undefined}
        list={type === "date" ? undefined : list}
        value={written}
        onInput={({ currentTarget }) => onChange(readValue(currentTarget))}
        onBlur={() => editor.endThread()}
      />
      {type !== "date" && (
        <Suggestions id={list} options={toOptions(examples)} />
      )}
    </>
  );
}

function toOptions(values: readonly (string | number)[]) {
  return values.map((value) => [String(value), ""] as const);
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

export function RuleValue(props: RuleValueProps) {
  const { rule, kind, examples, onChange } = props;
  const { operator, value, valueSource } = rule;
  const arity = getArity(operator);
  const shared = { kind, examples };
  if (arity === "none" || typeof value === "boolean") return null;
  if (valueSource === "field") return <OtherField {...props} />;
  if (arity === "many")
    return (
      <TokenInput {...shared} values={toList(value)} onChange={onChange} />
    );
  if (arity === "one")
    return (
      <ValueInput
        {...shared}
        label={t("common.value")}
        value={value}
        onChange={onChange}
      />
    );
  const [low = "", high = ""] = toList(value);
  return (
    <div class="rule-range">
      <ValueInput
        {...shared}
        label={t("rules.from")}
        value={low}
        onChange={(next) => onChange([next, high])}
      />
      <span>{t("rules.and")}</span>
      <ValueInput
        {...shared}
        label={t("rules.to")}
        value={high}
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
    onChange([
      ...values,
      getInputType(kind, text) === "number" ? Number(text) : text,
    ]);
  };
  const left = examples.filter((example) => !taken.includes(String(example)));
  return (
    <div class="rule-tokens">
      {values.map((value, index) => (
        <span class="rule-token" key={index}>
          {formatValue(value)}
          <button
            type="button"
            aria-label={t("common.removeName", { name: formatValue(value) })}
            onClick={() => onChange(values.toSpliced(index, 1))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input
        class="input small"
        aria-label={t("rules.addValue")}
        placeholder={t("rules.addValue")}
        list={list}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== ",") return;
          event.preventDefault();
          add();
        }}
      />
      <Suggestions id={list} options={toOptions(left)} />
    </div>
  );
}

interface ExpressionInputProps {
  label: string;
  value: string;
  onChange: (source: string) => void;
}

/** Applied on Enter or when the field loses focus. */
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
