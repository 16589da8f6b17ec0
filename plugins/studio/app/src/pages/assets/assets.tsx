import { askPublic } from "../../api.js";
import {
  type AssetKind,
  assetKinds,
  kindWords,
  useAssets,
} from "../../assets/asset.js";
import { DropZone } from "../../assets/drop-zone.js";
import { UploadButton } from "../../assets/upload-button.js";
import { UploadList } from "../../assets/upload-list.js";
import { useUploads } from "../../assets/use-uploads.js";
import { may } from "../../me.js";
import { place, setQuery } from "../../router.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { PageTitle } from "../../ui/page-title.js";
import { FolderFrame } from "../folders/folder-frame.js";
import { type FolderPlace, placeAsked } from "../folders/folder-place.js";
import { useFolders } from "../folders/folder-tree.js";
import { AssetGallery } from "./asset-gallery.js";

export function AssetsPage() {
  const { searchParams } = place.value;
  const shown = placeAsked();
  const isTrash = shown.show === "trash";
  const asked = {
    q: searchParams.get("q") ?? "",
    kind: assetKinds.find((one) => one === searchParams.get("kind")) ?? null,
    folderId: shown.folderId,
    isTrash,
  };
  const assets = useAssets(asked);
  const folders = useFolders("asset");
  const uploads = useUploads(shown.folderId, assets.reload);
  const library = {
    kind: "asset" as const,
    page: "assets",
    words: { all: "All assets" },
    folders: folders.data ?? [],
    place: shown,
    onFolders: folders.reload,
    onDrop: async (id: string, to: FolderPlace) => {
      await drop(id, to);
      await assets.reload();
    },
  };
  const canUpload = may("editor") && !isTrash;
  return (
    <>
      <PageTitle
        title="Assets"
        lead="Pictures, fonts, videos and PDFs for your templates."
      >
        {canUpload && <UploadButton uploads={uploads} kind={null} />}
      </PageTitle>
      <FolderFrame library={library}>
        <Bar q={asked.q} kind={asked.kind} />
        <UploadList uploads={uploads} />
        <DropZone uploads={canUpload ? uploads : null}>
          <AssetGallery assets={assets} asked={asked} />
        </DropZone>
      </FolderFrame>
    </>
  );
}

/** Where a card was let go. */
async function drop(id: string, { show, folderId }: FolderPlace) {
  if (show === "trash") await askPublic(`assets/${id}`, "DELETE");
  else await askPublic(`assets/${id}`, "PATCH", { folderId });
}

const kinds: [AssetKind | "", string][] = [
  ["", "All"],
  ...assetKinds.map((one): [AssetKind, string] => [one, kindWords[one].many]),
];

function Bar({ q, kind }: { q: string; kind: AssetKind | null }) {
  return (
    <div class="bar">
      <label class="search">
        <span class="hidden-text">Search by name</span>
        <Icon name="search" />
        <input
          class="input"
          type="search"
          placeholder="Search by name"
          value={q}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <Choices
        legend="Which assets"
        options={kinds}
        value={kind ?? ""}
        onChoose={(one) => setQuery({ kind: one })}
      />
    </div>
  );
}
