import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { may } from "../../me.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { FolderList } from "./folder-list.js";
import { FolderMenu } from "./folder-menu.js";
import { everything, inTrash, showPlace } from "./folder-place.js";
import "./folders.css";
import type { Library } from "./library.js";
import { NewFolder } from "./new-folder.js";

interface FolderFrameProps {
  library: Library;
  children: ComponentChildren;
}

/** A library beside its folders; on a phone, below a choice of them. */
export function FolderFrame({ library, children }: FolderFrameProps) {
  const [isMaking, setMaking] = useState(false);
  return (
    <div class="foldered">
      <aside class="folder-side">
        <FolderList library={library} />
        <FolderChoice library={library} />
        {may("editor") && (
          <Button kind="quiet" onPress={() => setMaking(true)}>
            <Icon name="plus" size={18} />
            New folder
          </Button>
        )}
      </aside>
      <div class="foldered-content">{children}</div>
      {isMaking && (
        <NewFolder
          library={library}
          parentId={null}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  );
}

function FolderChoice({ library }: { library: Library }) {
  const { folders, place, words } = library;
  const here = folders.find(({ id }) => id === place.folderId);
  return (
    <div class="folder-choice">
      <label>
        <span class="hidden-text">Folder</span>
        <select
          class="input"
          value={place.folderId ?? (place.show === "trash" ? "trash" : "")}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{words.all}</option>
          {folders.map(({ id, name, depth }) => (
            <option value={id} key={id}>
              {"\u2003".repeat(depth) + name}
            </option>
          ))}
          <option value="trash">Trash</option>
        </select>
      </label>
      {here && may("editor") && <FolderMenu library={library} folder={here} />}
    </div>
  );
}

/** What the choice calls it: a folder's id, `trash`, or nothing for all. */
function choose(value: string): void {
  if (value === "") showPlace(everything);
  else if (value === "trash") showPlace(inTrash);
  else showPlace({ show: "folder", folderId: value });
}
