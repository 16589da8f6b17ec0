import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { wordsOf } from "../../api.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import { carriedOf, isCarried } from "./carried.js";
import { FolderMenu } from "./folder-menu.js";
import {
  everything,
  type FolderPlace,
  inTrash,
  queryOf,
} from "./folder-place.js";
import type { Library } from "./library.js";

/** The folders at the side. What is dragged onto one is moved into it. */
export function FolderList({ library }: { library: Library }) {
  const { folders, place, page, words } = library;
  const isHere = (one: FolderPlace) => queryOf(one) === queryOf(place);
  return (
    <nav class="folder-list" aria-label="Folders">
      <ul>
        <FolderEntry
          library={library}
          icon={page === "templates" ? "templates" : "image"}
          words={words.all}
          to={everything}
          isHere={isHere(everything)}
        />
        {folders.map((folder) => (
          <FolderEntry
            library={library}
            icon="folder"
            words={folder.name}
            to={{ show: "folder", folderId: folder.id }}
            isHere={isHere({ show: "folder", folderId: folder.id })}
            depth={folder.depth}
            key={folder.id}
          >
            {may("editor") && <FolderMenu library={library} folder={folder} />}
          </FolderEntry>
        ))}
        <FolderEntry
          library={library}
          icon="trash"
          words="Trash"
          to={inTrash}
          isHere={isHere(inTrash)}
        />
      </ul>
    </nav>
  );
}

interface FolderEntryProps {
  library: Library;
  icon: IconName;
  words: string;
  to: FolderPlace;
  isHere: boolean;
  depth?: number;
  children?: ComponentChildren;
}

function FolderEntry(props: FolderEntryProps) {
  const { library, icon, words, to, isHere, depth = 0, children } = props;
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    setOver(false);
    if (!isCarried(event)) return;
    event.preventDefault();
    void library
      .onDrop(carriedOf(event), to)
      .catch((error: unknown) => toast(wordsOf(error)));
  };
  return (
    <li
      class={`folder-entry ${isHere ? "here" : ""} ${isOver ? "over" : ""}`}
      style={{ "--depth": String(depth) }}
      onDragOver={(event) => {
        if (!isCarried(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Link to={`${library.page}${queryOf(to)}`} isHere={isHere}>
        <Icon name={icon} size={18} />
        <span title={words}>{words}</span>
      </Link>
      {children}
    </li>
  );
}
