import type { ComponentChildren } from "preact";
import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { Button } from "../../../ui/button.js";
import { Icon, type IconName } from "../../../ui/icon.js";
import { LengthInput } from "../controls/length-field.js";
import { t } from "../../../messages/index.js";

interface ListTexts {
  add: string;
  moveUp: (parameters: { number: number }) => string;
  remove: (parameters: { number: number }) => string;
}

const texts: Record<"column" | "choice" | "link" | "value", ListTexts> = {
  column: {
    add: t("editor.addColumn"),
    moveUp: (item) => t("content.moveColumnUp", item),
    remove: (item) => t("content.removeColumn", item),
  },
  choice: {
    add: t("content.addChoice"),
    moveUp: (item) => t("content.moveChoiceUp", item),
    remove: (item) => t("content.removeChoice", item),
  },
  link: {
    add: t("content.addLink"),
    moveUp: (item) => t("content.moveLinkUp", item),
    remove: (item) => t("content.removeLink", item),
  },
  value: {
    add: t("content.addValue"),
    moveUp: (item) => t("content.moveValueUp", item),
    remove: (item) => t("content.removeValue", item),
  },
};

interface ListFieldProps<T> {
  label: string;
  noun: keyof typeof texts;
  list: readonly T[];
  draw: (one: T, index: number) => ComponentChildren;
  make: () => T;
  /** Minimum number of items. */
  min?: number;
  onChange: (list: T[]) => void;
}

/** A list of items with their own fields; items can be added, moved and removed. */
export function ListField<T>({
  label,
  noun,
  list,
  draw,
  make,
  min = 0,
  onChange,
}: ListFieldProps<T>) {
  const { add, moveUp, remove } = texts[noun];
  return (
    <fieldset class="prop-list">
      <legend>{label}</legend>
      {list.map((one, index) => (
        <div class="prop-line" key={index}>
          <div class="prop-line-fields">{draw(one, index)}</div>
          {index > 0 && (
            <LineButton
              label={moveUp({ number: index + 1 })}
              icon="up"
              onPress={() => onChange(raised(list, index))}
            />
          )}
          {list.length > min && (
            <LineButton
              label={remove({ number: index + 1 })}
              icon="close"
              onPress={() => onChange(list.filter((_one, at) => at !== index))}
            />
          )}
        </div>
      ))}
      <Button kind="quiet" onPress={() => onChange([...list, make()])}>
        <Icon name="plus" size={14} />
        {add}
      </Button>
    </fieldset>
  );
}

interface LineButtonProps {
  label: string;
  icon: IconName;
  onPress: () => void;
}

function LineButton({ label, icon, onPress }: LineButtonProps) {
  return (
    <Button kind="quiet" isIcon label={label} onPress={onPress}>
      <Icon name={icon} size={14} />
    </Button>
  );
}

function raised<T>(list: readonly T[], index: number): T[] {
  const one = list.slice(index, index + 1);
  const before = list.slice(index - 1, index);
  return [
    ...list.slice(0, index - 1),
    ...one,
    ...before,
    ...list.slice(index + 1),
  ];
}

type Column = NonNullable<ComponentOf<"table">["columns"]>[number];

const aligns = [
  ["left", t("common.left")],
  ["center", t("common.center")],
  ["right", t("common.right")],
] as const;

interface TableColumnsProps {
  id: string;
  columns: readonly Column[];
  onChange: (columns: Column[] | undefined) => void;
}

/** Width and alignment of a table's columns. */
export function TableColumns({ id, columns, onChange }: TableColumnsProps) {
  const change = (index: number, next: Column) =>
    onChange(columns.map((one, at) => (at === index ? next : one)));
  return (
    <ListField
      label={t("content.columns")}
      noun="column"
      list={columns}
      make={(): Column => ({})}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      draw={(column, index) => (
        <>
          <LengthInput
            id={`${id}-width-${index}`}
            label={t("content.widthOfColumnNumber", { number: index + 1 })}
            value={column.width}
            isRelative
            unit="%"
            placeholder={t("content.shared")}
            onChange={(width) => change(index, without({ ...column, width }))}
          />
          <AlignSelect
            label={t("content.alignmentOfColumnNumber", { number: index + 1 })}
            value={column.align}
            onChange={(align) => change(index, without({ ...column, align }))}
          />
        </>
      )}
    />
  );
}

interface AlignSelectProps {
  label: string;
  value: Column["align"];
  onChange: (align: Column["align"]) => void;
}

function AlignSelect({ label, value, onChange }: AlignSelectProps) {
  return (
    <select
      class="input small"
      aria-label={label}
      value={value ?? ""}
      onChange={({ currentTarget }) =>
        onChange(aligns.find(([one]) => one === currentTarget.value)?.[0])
      }
    >
      <option value="">{t("content.sameAsText")}</option>
      {aligns.map(([one, words]) => (
        <option value={one} key={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Omits undefined properties. */
function without(column: Column): Column {
  const set = Object.entries(column).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set);
}

interface ChoiceLinesProps {
  options: readonly string[];
  onChange: (options: string[] | undefined) => void;
}

export function ChoicesField({ options, onChange }: ChoiceLinesProps) {
  return (
    <ListField
      label={t("content.choices")}
      noun="choice"
      list={options}
      make={() => t("content.choiceLength", { length: options.length + 1 })}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      draw={(option, index) => (
        <input
          class="input small"
          aria-label={t("content.choiceNumber", { number: index + 1 })}
          value={option}
          onInput={({ currentTarget: { value } }) =>
            onChange(options.map((one, at) => (at === index ? value : one)))
          }
        />
      )}
    />
  );
}

interface SocialLink {
  network: string;
  href: string;
}

interface SocialLinksProps {
  items: readonly SocialLink[];
  onChange: (items: SocialLink[]) => void;
}

export function SocialLinks({ items, onChange }: SocialLinksProps) {
  const change = (index: number, part: Partial<SocialLink>) =>
    onChange(
      items.map((one, at) => (at === index ? { ...one, ...part } : one)),
    );
  return (
    <ListField
      label={t("content.links")}
      noun="link"
      list={items}
      make={(): SocialLink => ({ network: "web", href: "https://" })}
      onChange={onChange}
      draw={(item, index) => (
        <>
          <input
            class="input small"
            aria-label={t("content.networkNumber", { number: index + 1 })}
            value={item.network}
            onInput={({ currentTarget: { value } }) =>
              change(index, { network: value })
            }
          />
          <input
            class="input small"
            aria-label={t("content.addressNumber", { number: index + 1 })}
            value={item.href}
            onInput={({ currentTarget: { value } }) =>
              change(index, { href: value })
            }
          />
        </>
      )}
    />
  );
}
