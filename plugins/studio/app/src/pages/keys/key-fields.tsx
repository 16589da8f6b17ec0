import { Choices } from "../../ui/choices.js";

type Preset = "render" | "all" | "own";
type Life = "never" | "30" | "90" | "365";

/** The key to be made, as the form has it. */
export interface KeyOrder {
  name: string;
  preset: Preset;
  /** Those chosen one by one. */
  own: readonly string[];
  life: Life;
}

const rendering = ["templates:read", "documents:read", "documents:write"];

const presets: [Preset, string][] = [
  ["render", "Make documents"],
  ["all", "Everything"],
  ["own", "Choose"],
];

const lives: [Life, string][] = [
  ["never", "Never"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
];

export function firstKeyOrder(): KeyOrder {
  return { name: "", preset: "render", own: rendering, life: "never" };
}

/** The request's body. */
export function keyBodyOf(
  { name, preset, own, life }: KeyOrder,
  all: readonly string[],
) {
  const scopes = { render: rendering, all, own }[preset];
  const end = Date.now() + Number(life) * 86_400_000;
  const expiresAt = life === "never" ? null : new Date(end).toISOString();
  return { name, scopes, expiresAt };
}

interface KeyFieldsProps {
  scopes: readonly string[];
  order: KeyOrder;
  onChange: (patch: Partial<KeyOrder>) => void;
}

export function KeyFields({ scopes, order, onChange }: KeyFieldsProps) {
  return (
    <>
      <NameField name={order.name} onInput={(name) => onChange({ name })} />
      <div class="field">
        <span class="label">It may</span>
        <Choices
          legend="It may"
          options={presets}
          value={order.preset}
          onChoose={(preset) => onChange({ preset })}
        />
      </div>
      {order.preset === "own" && (
        <Scopes
          all={scopes}
          chosen={order.own}
          onChoose={(own) => onChange({ own })}
        />
      )}
      <div class="field">
        <span class="label">It ends after</span>
        <Choices
          legend="It ends after"
          options={lives}
          value={order.life}
          onChoose={(life) => onChange({ life })}
        />
      </div>
    </>
  );
}

function NameField({
  name,
  onInput,
}: {
  name: string;
  onInput: (name: string) => void;
}) {
  return (
    <div class="field">
      <label for="key-name">Name</label>
      <input
        id="key-name"
        class="input"
        required
        maxLength={200}
        autocomplete="off"
        placeholder="Where it is used, such as Web shop"
        value={name}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Scopes({
  all,
  chosen,
  onChoose,
}: {
  all: readonly string[];
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
}) {
  const turn = (scope: string) =>
    onChoose(
      chosen.includes(scope)
        ? chosen.filter((one) => one !== scope)
        : [...chosen, scope],
    );
  return (
    <fieldset class="scopes">
      <legend class="hidden-text">Permissions</legend>
      {all.map((scope) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={() => turn(scope)}
          />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}
