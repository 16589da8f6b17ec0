import type { Draft } from "immer";
import { useId, useState } from "preact/hooks";
import type { Component } from "../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { IconButton } from "../../ui/icon-button.js";
import { useEditor } from "../model/editor-context.js";
import { updateComponents } from "../model/edits.js";
import type { Editor } from "../model/editor.js";
import { at, type Entry } from "../model/tree.js";
import {
  Group,
  Row,
  SelectField,
  SwitchField,
  useShownPart,
} from "./fields.js";
import {
  AllProperties,
  editComponentStyle,
  editNamedStyle,
  StyleFields,
} from "./style-fields.js";
import { t } from "../../messages/index.js";

interface EntriesProps {
  entries: readonly Entry[];
}

/** The style of components: what all of them have in common, changed for all of them. */
export function StylePanel({ entries }: EntriesProps) {
  const editor = useEditor();
  const styleEditor = editComponentStyle(editor, entries);
  return (
    <>
      <AppliedStyles entries={entries} />
      <StyleFields styleEditor={styleEditor} />
      {editor.templateType === "document" && (
        <PageBreakFields entries={entries} />
      )}
      <AllProperties styleEditor={styleEditor} />
    </>
  );
}

function PageBreakFields({ entries }: EntriesProps) {
  const editor = useEditor();
  const styleEditor = editComponentStyle(editor, entries);
  const ids = entries.map(({ id }) => id);
  const setTogether = (isTogether: boolean) =>
    updateComponents(editor, ids, t("style.changeHowPagesBreak"), (draft) => {
      if (isTogether) draft.keepTogether = true;
      else delete draft.keepTogether;
    });
  return (
    <Group title={t("style.pages")} isFolded>
      <SwitchField
        label={t("style.keepTogether")}
        hint={t("style.dontSplitAcrossPages")}
        value={entries.every(({ component }) => component.keepTogether)}
        onChange={setTogether}
      />
      <SwitchField
        label={t("style.startOnNewPage")}
        value={styleEditor.style["break-before"] === "page"}
        onChange={(begins) =>
          styleEditor.set("break-before", begins ? "page" : undefined)
        }
      />
    </Group>
  );
}

/** Adds, removes, creates and edits the named styles that all of these components have. */
function AppliedStyles({ entries }: EntriesProps) {
  const editor = useEditor();
  const [edited, setEdited] = useState<string | null>(null);
  const [first, ...others] = entries;
  const names = first
    ? getStyleNames(first.component).filter((name) =>
        others.every(({ component }) =>
          getStyleNames(component).includes(name),
        ),
      )
    : [];
  const all = Object.keys(editor.definition.value.styles ?? {});
  const free = all.filter((name) => !names.includes(name));
  return (
    <Group title={t("common.styles")}>
      {names.map((name) => (
        <div class="style-chip" key={name}>
          <button
            type="button"
            aria-label={t("style.editStyleName", { name })}
            onClick={() => setEdited(name)}
          >
            {name}
          </button>
          <IconButton
            icon="close"
            label={t("style.removeStyleName", { name })}
            onPress={() =>
              setStyles(editor, entries, (styleNames) =>
                styleNames.filter((other) => other !== name),
              )
            }
          />
        </div>
      ))}
      {free.length > 0 && (
        <SelectField
          label={t("style.addStyle")}
          value=""
          none={t("style.chooseStyle")}
          options={free.map((name) => [name, name])}
          onChange={(name) =>
            name &&
            setStyles(editor, entries, (styleNames) => [
              ...styleNames.filter((other) => other !== name),
              name,
            ])
          }
        />
      )}
      {first?.component.style && others.length === 0 && (
        <CreateStyle entry={first} />
      )}
      {edited !== null && (
        <EditStyle name={edited} onClose={() => setEdited(null)} />
      )}
    </Group>
  );
}

function CreateStyle({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const id = useId();
  const [name, setName] = useState("");
  const fault = name === "" ? null : findNameError(editor, name);
  const form = useShownPart<HTMLFormElement>("save-style");
  return (
    <form
      ref={form}
      class="prop-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "" && fault === null) createStyle(editor, entry, name);
      }}
    >
      <label for={id}>{t("style.saveAsStyle")}</label>
      <div class="prop-control">
        <div class="prop-pair">
          <input
            id={id}
            class="input small"
            placeholder={t("style.styleName")}
            value={name}
            aria-invalid={fault !== null}
            onInput={({ currentTarget }) =>
              setName(toStyleName(currentTarget.value))
            }
          />
          <IconButton type="submit" icon="plus" label={t("style.saveStyle")} />
        </div>
        {fault && <small class="prop-fault">{fault}</small>}
      </div>
    </form>
  );
}

interface EditStyleProps {
  name: string;
  onClose: () => void;
}

/** Edits a named style for all components that use it. */
function EditStyle({ name: opened, onClose }: EditStyleProps) {
  const editor = useEditor();
  const [name, setName] = useState(opened);
  const count = findStyleUsers(editor, name).length;
  return (
    <Dialog title={t("style.styleTitle", { name })} onClose={onClose}>
      <p class="muted">{t("style.usedBy", { count })}</p>
      <StyleName
        name={name}
        onRename={(next) => {
          renameStyle(editor, name, next);
          setName(next);
        }}
      />
      <div class="style-sheet">
        <StyleFields styleEditor={editNamedStyle(editor, name)} />
        <AllProperties styleEditor={editNamedStyle(editor, name)} />
      </div>
      <div class="row">
        <Button kind="primary" onPress={onClose}>
          {t("common.done")}
        </Button>
        <Button
          onPress={() => {
            deleteStyle(editor, name);
            onClose();
          }}
        >
          {count > 0 ? t("style.deleteItEverywhere") : t("common.delete")}
        </Button>
      </div>
    </Dialog>
  );
}

interface StyleNameProps {
  name: string;
  onRename: (name: string) => void;
}

function StyleName({ name, onRename }: StyleNameProps) {
  const editor = useEditor();
  const id = useId();
  const [typed, setTyped] = useState(name);
  const fault = typed === name ? null : findNameError(editor, typed);
  const settle = () => {
    if (typed !== name && fault === null) onRename(typed);
  };
  return (
    <Row id={id} label={t("common.name")} hint={fault ?? undefined}>
      <input
        id={id}
        class="input small"
        value={typed}
        aria-invalid={fault !== null}
        onInput={({ currentTarget }) =>
          setTyped(toStyleName(currentTarget.value))
        }
        onBlur={settle}
        onKeyDown={({ key }) => {
          if (key === "Enter") settle();
        }}
      />
    </Row>
  );
}

/** As the validation requires, since a name becomes a class. */
const styleName = /^[A-Za-z][\w-]*$/;

/** Converts typed text to a valid name: "Big words" becomes "Big-words". */
function toStyleName(typed: string): string {
  return typed.trimStart().replaceAll(/\s+/g, "-");
}

function getStyleNames(component: Pick<Component, "class">): string[] {
  return component.class?.split(/\s+/).filter(Boolean) ?? [];
}

/** The components that use a named style. */
function findStyleUsers(editor: Editor, name: string): Entry[] {
  return [...editor.tree.value.entries.values()].filter(({ component }) =>
    getStyleNames(component).includes(name),
  );
}

/** Why the name is invalid or taken; null if it can be used. */
function findNameError(editor: Editor, name: string): string | null {
  if (!styleName.test(name)) return t("style.styleNameInvalid");
  const isTaken = Object.hasOwn(editor.definition.peek().styles ?? {}, name);
  return isTaken ? t("style.styleNameTaken") : null;
}

function setStyles(
  editor: Editor,
  entries: readonly Entry[],
  change: (names: readonly string[]) => readonly string[],
): void {
  const ids = entries.map(({ id }) => id);
  updateComponents(editor, ids, t("style.changeStyles"), (draft) => {
    writeStyles(draft, change(getStyleNames(draft)));
  });
}

/** Moves a component's own style into a new named style. */
function createStyle(editor: Editor, entry: Entry, name: string): void {
  editor.change(t("style.createStyleName", { name }), (draft) => {
    const component = componentIn(draft, entry);
    (draft.styles ??= {})[name] = component.style ?? {};
    delete component.style;
    writeStyles(component, [...getStyleNames(component), name]);
  });
}

/** Renames the style and updates all components that use it. */
function renameStyle(editor: Editor, from: string, to: string): void {
  const users = findStyleUsers(editor, from);
  editor.change(t("style.renameStyleFrom", { from }), (draft) => {
    const styles = Object.entries(draft.styles ?? {});
    draft.styles = Object.fromEntries(
      styles.map(([name, style]) => [name === from ? to : name, style]),
    );
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = getStyleNames(component);
      writeStyles(
        component,
        names.map((name) => (name === from ? to : name)),
      );
    }
  });
}

/** Deletes the style and removes it from all components. */
function deleteStyle(editor: Editor, name: string): void {
  const users = findStyleUsers(editor, name);
  editor.change(t("style.deleteStyleName", { name }), (draft) => {
    if (draft.styles) Reflect.deleteProperty(draft.styles, name);
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = getStyleNames(component);
      writeStyles(
        component,
        names.filter((other) => other !== name),
      );
    }
  });
}

function writeStyles(component: Draft<Component>, names: readonly string[]) {
  if (names.length === 0) delete component.class;
  else component.class = names.join(" ");
}

function componentIn(draft: object, { path }: Entry): Draft<Component> {
  // The path comes from the tree of this definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return at(draft, path) as Draft<Component>;
}
