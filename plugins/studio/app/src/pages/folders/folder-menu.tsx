import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { everything, showPlace } from "./folder-place.js";
import { type PlacedFolder, withinOf } from "./folder-tree.js";
import type { Library } from "./library.js";
import { MoveDialog } from "./move-dialog.js";
import { NewFolder } from "./new-folder.js";

interface FolderMenuProps {
  library: Library;
  folder: PlacedFolder;
}

type Asked = "rename" | "inside" | "move" | "delete";

/** What an editor does with a folder. */
export function FolderMenu({ library, folder }: FolderMenuProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <ActionMenu
        label={`Actions for the folder ${folder.name}`}
        isQuiet
        actions={[
          {
            words: "Rename",
            icon: "edit",
            onPress: () => setAsked("rename"),
          },
          {
            words: "New folder inside",
            icon: "plus",
            onPress: () => setAsked("inside"),
          },
          { words: "Move", icon: "move", onPress: () => setAsked("move") },
          {
            words: "Delete",
            icon: "trash",
            isGrave: true,
            onPress: () => setAsked("delete"),
          },
        ]}
      />
      {asked === "inside" && (
        <NewFolder library={library} parentId={folder.id} onClose={close} />
      )}
      {asked && asked !== "inside" && (
        <Asking
          library={library}
          folder={folder}
          asked={asked}
          onClose={close}
        />
      )}
    </>
  );
}

interface AskingProps extends FolderMenuProps {
  asked: "rename" | "move" | "delete";
  onClose: () => void;
}

function Asking({ library, folder, asked, onClose }: AskingProps) {
  const change = async (changes: object) => {
    await askPublic(`folders/${folder.id}`, "PATCH", changes);
    await library.onFolders();
  };
  if (asked === "rename")
    return (
      <NameDialog
        title={`Rename ${folder.name}`}
        name={folder.name}
        act="Rename"
        onName={(name) => change({ name })}
        onClose={onClose}
      />
    );
  if (asked === "move")
    return (
      <MoveDialog
        what={folder.name}
        folders={library.folders}
        without={withinOf(library.folders, folder)}
        from={folder.parentId}
        onMove={(parentId) => change({ parentId })}
        onClose={onClose}
      />
    );
  const remove = async () => {
    await askPublic(`folders/${folder.id}`, "DELETE");
    if (library.place.folderId === folder.id) showPlace(everything);
    await library.onFolders();
  };
  return (
    <AskFirst
      title={`Delete the folder ${folder.name}?`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
    >
      <p>Only an empty folder can be deleted. Nothing in it is lost.</p>
    </AskFirst>
  );
}
