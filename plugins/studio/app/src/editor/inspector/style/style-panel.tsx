import { useId, useState } from "preact/hooks";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor-context.js";
import { updateComponent } from "../../model/edits.js";
import type { Entry } from "../../model/tree.js";
import { Group, Row, SwitchField } from "../controls/fields.js";
import {
  toStyleName,
  deleteStyle,
  createStyle,
  findNameError,
  renameStyle,
  setStyles,
  getStyleNames,
  findStyleUsers,
} from "./named-styles.js";
import { AllProperties, StyleFields } from "./style-fields.js";
import { editComponentStyle, editNamedStyle } from "./style-editor.js";
import { t } from "../../../messages/index.js";

export function StylePanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const desk = editComponentStyle(editor, entry);
  return (
    <>
      <AppliedStyles entry={entry} />
      <StyleFields desk={desk} />
      {editor.templateType === "document" && <PageBreakFields entry={entry} />}
      <AllProperties desk={desk} />
    </>
  );
}

function PageBreakFields({ entry: { id, component } }: { entry: Entry }) {
  const editor = useEditor();
  const desk = editComponentStyle(editor, { id, component });
  const setTogether = (isTogether: boolean) =>
    updateComponent(editor, id, t("style.changeHowPagesBreak"), (draft) => {
      if (isTogether) draft.keepTogether = true;
      else delete draft.keepTogether;
    });
  return (
    <Group title={t("style.pages")} isFolded>
      <SwitchField
        label={t("style.keepTogether")}
        hint={t("style.dontSplitAcrossPages")}
        value={component.keepTogether === true}
        onChange={setTogether}
      />
      <SwitchField
        label={t("style.startOnNewPage")}
        value={desk.style["break-before"] === "page"}
        onChange={(begins) =>
          desk.set("break-before", begins ? "page" : undefined)
        }
      />
    </Group>
  );
}

/** Adds, removes, creates and edits the named styles of a component. */
function AppliedStyles({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const [edited, setEdited] = useState<string | null>(null);
  const names = getStyleNames(entry.component);
  const all = Object.keys(editor.definition.value.styles ?? {});
  const free = all.filter((name) => !names.includes(name));
  return (
    <Group title={t("common.styles")}>
      {names.map((name) => (
        <StyleChip
          name={name}
          onEdit={() => setEdited(name)}
          onTakeOff={() =>
            setStyles(
              editor,
              entry.id,
              names.filter((one) => one !== name),
            )
          }
          key={name}
        />
      ))}
      {free.length > 0 && (
        <AddStyle
          names={free}
          onAdd={(name) => setStyles(editor, entry.id, [...names, name])}
        />
      )}
      {entry.component.style && <CreateStyle entry={entry} />}
      {edited !== null && (
        <EditStyle name={edited} onClose={() => setEdited(null)} />
      )}
    </Group>
  );
}

interface StyleChipProps {
  name: string;
  onEdit: () => void;
  onTakeOff: () => void;
}

function StyleChip({ name, onEdit, onTakeOff }: StyleChipProps) {
  return (
    <div class="style-chip">
      <button
        type="button"
        aria-label={t("style.editStyleName", { name })}
        onClick={onEdit}
      >
        {name}
      </button>
      <Button
        kind="quiet"
        isIcon
        label={t("style.removeStyleName", { name })}
        onPress={onTakeOff}
      >
        <Icon name="close" size={14} />
      </Button>
    </div>
  );
}

interface AddStyleProps {
  names: readonly string[];
  onAdd: (name: string) => void;
}

function AddStyle({ names, onAdd }: AddStyleProps) {
  const id = useId();
  return (
    <Row id={id} label={t("style.addStyle")}>
      <select
        id={id}
        class="input small"
        value=""
        onChange={({ currentTarget }) => onAdd(currentTarget.value)}
      >
        <option value="">{t("style.chooseStyle")}</option>
        {names.map((name) => (
          <option value={name} key={name}>
            {name}
          </option>
        ))}
      </select>
    </Row>
  );
}

function CreateStyle({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const id = useId();
  const [name, setName] = useState("");
  const fault = name === "" ? null : findNameError(editor, name);
  return (
    <form
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
          <Button
            type="submit"
            kind="quiet"
            isIcon
            label={t("style.saveStyle")}
          >
            <Icon name="plus" size={14} />
          </Button>
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
        <StyleFields desk={editNamedStyle(editor, name)} />
        <AllProperties desk={editNamedStyle(editor, name)} />
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
