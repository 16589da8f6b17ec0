import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import type { IconName } from "../../ui/icon-paths.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { everything, placeAsked, showPlace } from "./folder-place.js";
import { type PlacedFolder, withinOf } from "./folder-tree.js";
import type { Library } from "./library.js";
import { MoveDialog } from "./move-dialog.js";
import { NewFolder } from "./new-folder.js";

interface FolderMenuProps {
  library: Library;
  folder: PlacedFolder;
}

type Asked = "rename" | "inside" | "move" | "delete";

const offered: readonly [what: Asked, words: string, icon: IconName][] = [
  ["rename", "Rename", "edit"],
  ["inside", "New folder inside", "plus"],
  ["move", "Move", "move"],
  ["delete", "Delete", "trash"],
];

/** What an editor does with a folder. */
export function FolderMenu({ library, folder }: FolderMenuProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const actions = offered.map(([what, words, icon]) => ({
    words,
    icon,
    isGrave: what === "delete",
    onPress: () => setAsked(what),
  }));
  return (
    <>
      <ActionMenu
        label={`Actions for the folder ${folder.name}`}
        isQuiet
        actions={actions}
      />
      {asked && (
        <Asking
          library={library}
          folder={folder}
          asked={asked}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface AskingProps extends FolderMenuProps {
  asked: Asked;
  onClose: () => void;
}

function Asking({ library, folder, asked, onClose }: AskingProps) {
  const { id, name, parentId } = folder;
  const change = async (changes: object) => {
    await askPublic(`folders/${id}`, "PATCH", changes);
    await library.onFolders();
  };
  if (asked === "inside")
    return <NewFolder library={library} parentId={id} onClose={onClose} />;
  if (asked === "rename")
    return (
      <NameDialog
        title={`Rename ${name}`}
        name={name}
        act="Rename"
        onName={(to) => change({ name: to })}
        onClose={onClose}
      />
    );
  if (asked === "move")
    return (
      <MoveDialog
        what={name}
        folders={library.folders}
        without={withinOf(library.folders, folder)}
        from={parentId}
        onMove={(to) => change({ parentId: to })}
        onClose={onClose}
      />
    );
  return <Delete library={library} folder={folder} onClose={onClose} />;
}

interface DeleteProps extends FolderMenuProps {
  onClose: () => void;
}

function Delete({ library, folder, onClose }: DeleteProps) {
  const { id, name } = folder;
  const remove = async () => {
    await askPublic(`folders/${id}`, "DELETE");
    if (placeAsked().folderId === id) showPlace(everything);
    await library.onFolders();
  };
  return (
    <AskFirst
      title={`Delete the folder ${name}?`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
    >
      <p>Only an empty folder can be deleted. Nothing in it is lost.</p>
    </AskFirst>
  );
}
