import { useId, useState } from "preact/hooks";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { useEditor } from "../../model/editor.js";
import { Row } from "../controls/row.js";
import { AllProperties } from "./all-properties.js";
import {
  asStyleName,
  deleteStyle,
  nameFault,
  renameStyle,
  usersOf,
} from "./named-styles.js";
import { StyleFields } from "./style-fields.js";
import { namedStyle } from "./use-style.js";

interface EditStyleProps {
  name: string;
  onClose: () => void;
}

/** One of the template's styles, changed for all that use it. */
export function EditStyle({ name: opened, onClose }: EditStyleProps) {
  const editor = useEditor();
  const [name, setName] = useState(opened);
  const count = usersOf(editor, name).length;
  const used = count === 1 ? "One part uses it." : `${count} parts use it.`;
  return (
    <Dialog title={`The style ${name}`} onClose={onClose}>
      <p class="muted">{used} What you change here changes in all of them.</p>
      <StyleName
        name={name}
        onRename={(next) => {
          renameStyle(editor, name, next);
          setName(next);
        }}
      />
      <div class="style-sheet">
        <StyleFields desk={namedStyle(editor, name)} />
        <AllProperties desk={namedStyle(editor, name)} />
      </div>
      <div class="row">
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
        <Button
          onPress={() => {
            deleteStyle(editor, name);
            onClose();
          }}
        >
          {count > 0 ? "Delete it everywhere" : "Delete"}
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
  const fault = typed === name ? null : nameFault(editor, typed);
  const settle = () => {
    if (typed !== name && fault === null) onRename(typed);
  };
  return (
    <Row id={id} label="Name" hint={fault ?? undefined}>
      <input
        id={id}
        class="input small"
        value={typed}
        aria-invalid={fault !== null}
        onInput={({ currentTarget }) =>
          setTyped(asStyleName(currentTarget.value))
        }
        onBlur={settle}
        onKeyDown={({ key }) => {
          if (key === "Enter") settle();
        }}
      />
    </Row>
  );
}
