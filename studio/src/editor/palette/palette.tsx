import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { BlockPalette } from "../blocks/block-panel.js";
import { toast } from "../../ui/toast.js";
import {
  addComponent,
  enterNew,
  scrollToSelected,
} from "../commands/page-commands.js";
import { getCatalogEntry, COMPONENT_TYPES } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { insertComponents } from "../model/edits.js";
import { listAddableTypes, nearestSpot } from "../model/placement.js";
import { type EmailSection, makeSection, SECTIONS } from "./email-sections.js";
import "./palette.css";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";

/** A click adds a component at the selection; a component can also be dragged. */
export function Palette() {
  const editor = useEditor();
  const query = useSignal("");
  const groups = getPaletteGroups(editor, query.value);
  const here = listTypesForSelection(editor).filter((type) =>
    matchesSearch(type, query.value),
  );
  if (!editor.mayEdit)
    return <p class="palette-note">{t("editor.viewersCannotEdit")}</p>;
  return (
    <div class="palette">
      <div class="search">
        <Icon name="search" size={16} />
        <input
          class="input"
          type="search"
          placeholder={t("common.search")}
          aria-label={t("editor.searchComponents")}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
        />
      </div>
      {groups.length === 0 && here.length === 0 && (
        <p class="palette-note">{t("editor.noMatchesTryShorterWord")}</p>
      )}
      {groups.map(({ name, types }) => (
        <PaletteGroupView key={name} name={name} types={types} />
      ))}
      <SectionPalette query={query.value} />
      <BlockPalette query={query.value} />
      <p class="palette-keys">{rich("editor.paletteKeys", {})}</p>
      {here.length > 0 && (
        <div class="palette-here">
          <PaletteGroupView name={t("editor.here")} types={here} />
        </div>
      )}
    </div>
  );
}

interface PaletteGroup {
  name: string;
  types: ComponentType[];
}

function PaletteGroupView({ name, types }: PaletteGroup) {
  const editor = useEditor();
  const id = useId();
  return (
    <div class="palette-group" role="group" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul>
        {types.map((type) => {
          const { words, icon, purpose } = getCatalogEntry(type);
          return (
            <li key={type}>
              <button
                type="button"
                class="palette-item"
                title={purpose}
                data-new={type}
                onClick={({ detail }) => {
                  const isAdded = addComponent(editor, type);
                  // A click moves on to the new component; with the keyboard, the focus stays to add more.
                  if (isAdded && detail > 0) enterNew(editor);
                }}
              >
                <Icon name={icon} />
                {words}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Sections that are ready to be filled in, for emails. */
function SectionPalette({ query }: { query: string }) {
  const editor = useEditor();
  const id = useId();
  const sections = Object.entries(SECTIONS).filter(([, { words }]) =>
    words.toLowerCase().includes(query.trim().toLowerCase()),
  );
  if (editor.templateType !== "email" || sections.length === 0) return null;
  const add = (section: EmailSection) => {
    const made = makeSection(editor, section);
    const spot = nearestSpot(editor, [made.type], editor.selected.peek());
    if (!spot) {
      toast(t("editor.cannotAddHere", { component: section.words }));
      return;
    }
    const name = t("edits.addComponent", { component: section.words });
    insertComponents(editor, [made], spot, name);
    scrollToSelected(editor);
  };
  return (
    <div class="palette-group" role="group" aria-labelledby={id}>
      <h2 id={id}>{t("emailSections.readyMade")}</h2>
      <ul>
        {sections.map(([key, section]) => (
          <li key={key}>
            <button
              type="button"
              class="palette-item"
              data-new-section={key}
              onClick={() => add(section)}
            >
              <Icon name={section.icon} />
              {section.words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The types that only the place of the selection allows. They are shown below the others, which stay where they are. */
function listTypesForSelection(editor: Editor): ComponentType[] {
  const selected = editor.selectedEntry.value;
  return listAddableTypes(editor, selected?.id ?? null).filter(
    (type) => getCatalogEntry(type).group === null,
  );
}

function getPaletteGroups(editor: Editor, query: string): PaletteGroup[] {
  const groups = new Map<string, ComponentType[]>();
  const { emailOnly, documentOnly } = editor.design;
  const others = editor.templateType === "email" ? documentOnly : emailOnly;
  for (const type of COMPONENT_TYPES) {
    const { group } = getCatalogEntry(type);
    if (group === null || others.includes(type)) continue;
    groups.set(group, [...(groups.get(group) ?? []), type]);
  }
  return [...groups].flatMap(([name, all]) => {
    const types = all.filter((type) => matchesSearch(type, query));
    return types.length === 0 ? [] : [{ name, types }];
  });
}

/** Whether a type's name, purpose or group contains all words of a query. */
export function matchesSearch(type: ComponentType, query: string): boolean {
  const { words, purpose, group } = getCatalogEntry(type);
  const text = `${words} ${purpose} ${group ?? ""} ${type}`.toLowerCase();
  const parts = query.toLowerCase().split(/\s+/);
  return parts.every((part) => text.includes(part));
}
