import { countOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { NameDialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import { renameField, usesOf } from "./field-uses.js";

interface RenameFieldProps {
  collectionId: string;
  /** In the data. */
  name: string;
  onClose: () => void;
}

/** Asks for another name in the data, and says where it is changed along. */
export function RenameField({ collectionId, name, onClose }: RenameFieldProps) {
  const editor = useEditor();
  const rename = async (to: string) => {
    if (to === name) return;
    await renameField(editor, collectionId, name, to);
    toast(`${name} is called ${to} now. Undo takes it back.`);
  };
  return (
    <NameDialog
      title={`Rename “${name}” in the data`}
      label="Name in the data"
      hint="As your records have it, to the letter. The name that people see stays."
      name={name}
      act="Rename"
      onName={rename}
      onClose={onClose}
    >
      <Uses collectionId={collectionId} name={name} />
    </NameDialog>
  );
}

const mostShown = 6;

function Uses({
  collectionId,
  name,
}: Pick<RenameFieldProps, "collectionId" | "name">) {
  const editor = useEditor();
  const { data: uses, fault } = useResource(`${collectionId} ${name}`, () =>
    usesOf(editor, collectionId, name),
  );
  if (fault) return <p class="data-hint">{fault}</p>;
  if (!uses) return <p class="data-hint">Looking where it is used…</p>;
  if (uses.length === 0)
    return <p class="data-hint">The template does not use it yet.</p>;
  const places = [...new Set(uses)];
  const more = places.length - mostShown;
  return (
    <div class="data-uses">
      <p>
        Used in {countOf(uses.length, "place")}, all of which are changed along:
      </p>
      <ul>
        {places.slice(0, mostShown).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {more > 0 && <p class="data-hint">And in {more} more.</p>}
    </div>
  );
}
