import type { ComponentChildren, TargetedDragEvent } from "preact";
import { useState } from "preact/hooks";
import { askPublic, wordsOf, type Schemas } from "../../api.js";
import { Link, place, setQuery, whereNow } from "../../router.js";
import { may } from "../../session.js";
import { askListPage, type Resource, useResource } from "../../resource.js";
import {
  ActionMenu,
  type MenuAction,
  renameAction,
} from "../../ui/action-menu.js";
import { askFirst, Dialog, FormDialog, NameDialog } from "../../ui/dialog.js";
import { Button } from "../../ui/button.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import "./folders.css";
import { t } from "../../messages/index.js";

interface FolderFrameProps {
  library: Library;
  children: ComponentChildren;
}

/** A library with its folders at the side; on a phone, with a folder select above it. */
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
            {t("folders.newFolder")}
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
  const { folders, words } = library;
  const here = folders.find(({ id }) => id === library.place.folderId);
  return (
    <div class="folder-choice">
      <label>
        <span class="hidden-text">{t("common.folder")}</span>
        <select
          class="input"
          value={
            library.place.folderId ??
            (library.place.show === "trash" ? "trash" : "")
          }
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{words.all}</option>
          {folders.map(({ id, name, depth }) => (
            <option value={id} key={id}>
              {"\u2003".repeat(depth) + name}
            </option>
          ))}
          <option value="trash">{t("common.trash")}</option>
        </select>
      </label>
      {here && may("editor") && <FolderMenu library={library} folder={here} />}
    </div>
  );
}

/** Takes an option's value: a folder's id, `trash`, or an empty string for everything. */
function choose(value: string): void {
  if (value === "") showPlace(everything);
  else if (value === "trash") showPlace(inTrash);
  else showPlace({ show: "folder", folderId: value });
}

/** A kind of entry that is kept in folders (templates or assets), and the place that the page shows. */
interface Library {
  kind: FolderKind;
  page: string;
  words: { all: string };
  folders: readonly PlacedFolder[];
  place: FolderPlace;
  /** Reloads the folders. */
  onFolders: () => Promise<void>;
  /** Moves a dropped entry into a folder, out of all folders or to trash. */
  onDrop: (id: string, to: FolderPlace) => Promise<void>;
}

/**
 * The folders of a kind and the place in the URL.
 * @param onMoved reloads the entries that are shown.
 */
export function useLibrary(
  kind: FolderKind,
  onMoved: () => Promise<void>,
): Library {
  const folders = useFolders(kind);
  const page = `${kind}s`;
  return {
    kind,
    page,
    words: {
      all:
        kind === "template"
          ? t("documents.allTemplates")
          : t("folders.allAssets"),
    },
    folders: folders.data ?? [],
    place: placeAsked(),
    onFolders: folders.reload,
    onDrop: async (id, to) => {
      await moveDropped(`${page}/${id}`, to);
      await onMoved();
    },
  };
}

async function moveDropped(at: string, { show, folderId }: FolderPlace) {
  if (show === "trash") await askPublic(at, "DELETE");
  else await askPublic(at, "PATCH", { folderId });
}

/** Entries can be dropped on the folders. */
function FolderList({ library }: { library: Library }) {
  const { folders, page, words } = library;
  const isHere = (folderPlace: FolderPlace) =>
    queryOf(folderPlace) === queryOf(library.place);
  return (
    <nav class="folder-list" aria-label={t("folders.folders")}>
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
          words={t("common.trash")}
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

interface FolderMenuProps {
  library: Library;
  folder: PlacedFolder;
}

function FolderMenu({ library, folder }: FolderMenuProps) {
  const { id, name, parentId } = folder;
  const change = async (changes: object) => {
    await askPublic(`folders/${id}`, "PATCH", changes);
    await library.onFolders();
  };
  const remove = async () => {
    await askPublic(`folders/${id}`, "DELETE");
    if (placeAsked().folderId === id) showPlace(everything);
    await library.onFolders();
  };
  const actions: MenuAction[] = [
    renameAction(name, (to) => change({ name: to })),
    {
      words: t("folders.newSubfolder"),
      icon: "plus",
      dialog: (close) => (
        <NewFolder library={library} parentId={id} onClose={close} />
      ),
    },
    {
      words: t("common.move"),
      icon: "move",
      dialog: (close) => (
        <MoveDialog
          what={name}
          folders={library.folders}
          without={withinOf(library.folders, folder)}
          from={parentId}
          onMove={(to) => change({ parentId: to })}
          onClose={close}
        />
      ),
    },
    {
      words: t("common.delete"),
      icon: "trash",
      isGrave: true,
      dialog: askFirst({
        title: t("folders.deleteFolderName", { name }),
        text: t("folders.onlyEmptyFoldersCanBe"),
        act: t("common.delete"),
        onAct: remove,
      }),
    },
  ];
  return (
    <ActionMenu
      label={t("folders.actionsForFolderName", { name })}
      isQuiet
      actions={actions}
    />
  );
}

interface NewFolderProps {
  library: Library;
  /** Null creates it at the top level. */
  parentId: string | null;
  onClose: () => void;
}

function NewFolder({ library, parentId, onClose }: NewFolderProps) {
  const make = async (name: string) => {
    const { kind } = library;
    const order = { name, kind, parentId };
    const isHere = whereNow();
    const { id } = await askPublic<Folder>("folders", "POST", order);
    await library.onFolders();
    if (isHere()) showPlace({ show: "folder", folderId: id });
  };
  return (
    <NameDialog
      title={t("folders.newFolder")}
      act={t("folders.createFolder")}
      onName={make}
      onClose={onClose}
    />
  );
}

interface MoveEntryProps {
  kind: FolderKind;
  entry: { name: string; folderId: string | null };
  onMove: (folderId: string | null) => Promise<void>;
  onClose: () => void;
}

/** The action of an entry that moves it to another folder. */
export function moveAction(
  kind: FolderKind,
  entry: MoveEntryProps["entry"],
  onMove: MoveEntryProps["onMove"],
): MenuAction {
  return {
    words: t("common.moveToFolder"),
    icon: "move",
    dialog: (onClose) => <MoveEntry {...{ kind, entry, onMove, onClose }} />,
  };
}

function MoveEntry({ kind, entry, onMove, onClose }: MoveEntryProps) {
  const { data, fault, reload } = useFolders(kind);
  if (data)
    return (
      <MoveDialog
        what={entry.name}
        folders={data}
        from={entry.folderId}
        onMove={onMove}
        onClose={onClose}
      />
    );
  if (!fault) return null;
  return (
    <Dialog
      title={t("folders.moveName", { name: entry.name })}
      onClose={onClose}
    >
      <Fault
        what={t("folders.couldntLoadFolders")}
        why={fault}
        onRetry={reload}
      />
    </Dialog>
  );
}

interface MoveDialogProps {
  /** Name of the moved entry. */
  what: string;
  folders: readonly PlacedFolder[];
  /** Folders that are not offered. */
  without?: readonly PlacedFolder[];
  /** The current folder. */
  from: string | null;
  onMove: (folderId: string | null) => Promise<void>;
  onClose: () => void;
}

function MoveDialog(props: MoveDialogProps) {
  const { what, folders, without = [], from, onMove, onClose } = props;
  const [to, setTo] = useState(from);
  const move = async () => {
    if (to !== from) await onMove(to);
    onClose();
  };
  const offered = folders.filter((folder) => !without.includes(folder));
  return (
    <FormDialog
      title={t("folders.moveName", { name: what })}
      act={t("common.move")}
      onSend={move}
      onClose={onClose}
    >
      <fieldset class="places">
        <legend class="hidden-text">{t("common.folder")}</legend>
        <Place
          words={t("common.noFolder")}
          isChosen={to === null}
          onChoose={() => setTo(null)}
        />
        {offered.map(({ id, name, depth }) => (
          <Place
            words={name}
            depth={depth}
            isChosen={to === id}
            onChoose={() => setTo(id)}
            key={id}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface PlaceProps {
  words: string;
  depth?: number;
  isChosen: boolean;
  onChoose: () => void;
}

function Place({ words, depth = 0, isChosen, onChoose }: PlaceProps) {
  return (
    <label class="place" style={{ "--depth": String(depth) }}>
      <input
        type="radio"
        name="folder"
        checked={isChosen}
        onChange={onChoose}
      />
      <Icon name="folder" size={18} />
      {words}
    </label>
  );
}

/** The part of a library that is shown. */
type FolderPlace =
  | { show: "all" | "trash"; folderId: null }
  | { show: "folder"; folderId: string };

/** Reads the URL's query. */
export function placeAsked(): FolderPlace {
  const { searchParams } = place.value;
  const folderId = searchParams.get("folder");
  if (folderId !== null) return { show: "folder", folderId };
  const isTrash = searchParams.get("show") === "trash";
  return { show: isTrash ? "trash" : "all", folderId: null };
}

function queryOf({ show, folderId }: FolderPlace): string {
  if (folderId !== null) return `?folder=${folderId}`;
  return show === "trash" ? "?show=trash" : "";
}

function showPlace({ show, folderId }: FolderPlace): void {
  setQuery({
    folder: folderId ?? "",
    show: show === "trash" ? "trash" : "",
    page: "",
  });
}

const everything: FolderPlace = { show: "all", folderId: null };
const inTrash: FolderPlace = { show: "trash", folderId: null };

type FolderKind = "template" | "asset";

type Folder = Schemas["Folder"];

/** A folder within the flattened tree. */
interface PlacedFolder extends Folder {
  /** 0 at the top. */
  depth: number;
}

/** All folders of a kind in tree order: each is followed by its descendants. */
export function useFolders(kind: FolderKind): Resource<PlacedFolder[]> {
  return useResource(kind, async () => placed(await readAll(kind)));
}

async function readAll(kind: FolderKind): Promise<Folder[]> {
  const all: Folder[] = [];
  for (let page = 1; ; page += 1) {
    const query = `folders?kind=${kind}&page=${page}&pageSize=100`;
    const { data, total } = await askListPage<Folder>(query);
    all.push(...data);
    if (data.length === 0 || all.length >= total) return all;
  }
}

function placed(
  all: readonly Folder[],
  parentId: string | null = null,
  depth = 0,
): PlacedFolder[] {
  return all
    .filter((folder) => folder.parentId === parentId)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap((folder) => [
      { ...folder, depth },
      ...placed(all, folder.id, depth + 1),
    ]);
}

/** The folder and its descendants. */
function withinOf(
  all: readonly PlacedFolder[],
  { id, depth }: PlacedFolder,
): PlacedFolder[] {
  const from = all.findIndex((folder) => folder.id === id);
  const rest = all.slice(from + 1);
  const end = rest.findIndex((folder) => folder.depth <= depth);
  return all.slice(from, end < 0 ? undefined : from + 1 + end);
}

/** The data type of dragged templates and assets. */
const type = "application/x-platen-entry";

export function carry(event: TargetedDragEvent<HTMLElement>, id: string) {
  event.dataTransfer?.setData(type, id);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
}

/** Whether a template or asset is dragged; anything else is left to the browser. */
function isCarried({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(type) ?? false;
}

function carriedOf({ dataTransfer }: DragEvent): string {
  return dataTransfer?.getData(type) ?? "";
}
