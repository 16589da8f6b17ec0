import "./path-menu.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useMemo } from "preact/hooks";
import { Icon } from "../../../ui/icon.js";
import { Overlay } from "../overlay.js";
import { caretAnchor } from "../surface/anchors.js";
import { clearQuery, insertLeaf } from "../surface/surface-edits.js";
import type { TextSurface } from "../surface/text-surface.js";
import { matching } from "./matching.js";
import { type MenuItem, menuItems } from "./menu-items.js";

interface Step {
  title: string;
  items: readonly MenuItem[];
}

/** The list of what can be put into a text, at the caret; the keys stay in the text. */
export function PathMenu({ surface }: { surface: TextSurface }) {
  const { from = 0, query = "" } = surface.trigger.open.value ?? {};
  const id = useId();
  const { title, items, at, choose } = useChoice(surface, id, query);
  // Somebody goes on with a sentence.
  const isProse = items.length === 0 && /\s/.test(query);
  if (isProse) return null;
  return (
    <Overlay
      anchor={caretAnchor(surface, from)}
      placement="bottom-start"
      class="path-menu"
      role="presentation"
      keepsFocus
    >
      {title !== "" && <p class="path-menu-title">{title}</p>}
      <div role="listbox" id={id} aria-label="Your data" class="path-menu-list">
        {grouped(items).map(([group, members]) => (
          <Group key={`${group} ${members[0]?.at}`} name={group}>
            {members.map(({ item, at: index }) => (
              <ItemLine
                key={item.id}
                id={`${id}-${index}`}
                item={item}
                isActive={index === at}
                onChoose={() => choose(item)}
              />
            ))}
          </Group>
        ))}
      </div>
      {items.length === 0 && (
        <p class="path-menu-none">Nothing is called that.</p>
      )}
    </Overlay>
  );
}

/** What the menu shows for a search, which of it is at hand, and what becomes of a choice. */
function useChoice(surface: TextSurface, id: string, query: string) {
  const { editor, owner, isPlain } = surface.options;
  const first = useMemo(
    (): Step => ({ title: "", items: menuItems(editor, owner, isPlain) }),
    [editor, owner, isPlain],
  );
  const step = useSignal(first);
  const active = useSignal(0);
  const { title } = step.value;
  const items = matching(step.value.items, query);
  const at = Math.min(active.value, Math.max(0, items.length - 1));
  const choose = (item: MenuItem | undefined) => {
    if (!item) return;
    active.value = 0;
    step.value = take(surface, item) ?? step.value;
  };
  useLayoutEffect(() => {
    active.value = 0;
  }, [query]);
  useLayoutEffect(() => {
    surface.trigger.onKey = ({ key }) => {
      if (items.length === 0) return false;
      const to = stepTo(key, at, items.length);
      if (to !== null) active.value = to;
      else if (key === "Enter" || key === "Tab") choose(items[at]);
      else return false;
      return true;
    };
    describe(surface, id, items.length > 0 ? `${id}-${at}` : null);
    const line = document.getElementById(`${id}-${at}`);
    line?.scrollIntoView({ block: "nearest" });
  });
  useLayoutEffect(() => () => describe(surface, null, null), []);
  return { title, items, at, choose };
}

function Group({
  name,
  children,
}: {
  name: string;
  children: ComponentChildren;
}) {
  return (
    <div role="group" aria-label={name}>
      <div class="path-menu-heading" aria-hidden="true">
        {name}
      </div>
      {children}
    </div>
  );
}

function stepTo(key: string, at: number, count: number): number | null {
  if (key === "ArrowDown") return (at + 1) % count;
  return key === "ArrowUp" ? (at + count - 1) % count : null;
}

/** Does what an item says; what is to be chosen next, if anything. */
function take(surface: TextSurface, { act }: MenuItem): Step | null {
  if (act.kind === "step") {
    clearQuery(surface);
    return { title: act.title, items: act.items() };
  }
  const open = surface.trigger.open.peek();
  if (!open) return null;
  surface.trigger.close();
  insertLeaf(surface, act.kind, act.source, open.from, open.to);
  if (act.kind === "chip" && act.opens) surface.openChip.value = open.from;
  return null;
}

/** Tells who cannot see the menu what is chosen in it. */
function describe(
  surface: TextSurface,
  list: string | null,
  active: string | null,
): void {
  surface.describe(
    list === null
      ? {}
      : {
          role: "combobox",
          "aria-expanded": "true",
          "aria-haspopup": "listbox",
          "aria-autocomplete": "list",
          "aria-controls": list,
          ...(active !== null && { "aria-activedescendant": active }),
        },
  );
}

interface Member {
  item: MenuItem;
  /** Its place among all. */
  at: number;
}

/** Neighbours under one heading. */
function grouped(items: readonly MenuItem[]): [string, Member[]][] {
  const groups: [string, Member[]][] = [];
  for (const [at, item] of items.entries()) {
    const last = groups.at(-1);
    if (last?.[0] === item.group) last[1].push({ item, at });
    else groups.push([item.group, [{ item, at }]]);
  }
  return groups;
}

interface ItemLineProps {
  id: string;
  item: MenuItem;
  isActive: boolean;
  onChoose: () => void;
}

function ItemLine({ id, item, isActive, onChoose }: ItemLineProps) {
  return (
    <div
      role="option"
      id={id}
      class="path-menu-item"
      aria-selected={isActive}
      onClick={onChoose}
    >
      <Icon name={item.icon} size={16} />
      <span class="path-menu-label">{item.label}</span>
      {item.sample !== "" && (
        <span class="path-menu-sample">{item.sample}</span>
      )}
      {item.act.kind === "step" && <Icon name="next" size={14} />}
    </div>
  );
}
