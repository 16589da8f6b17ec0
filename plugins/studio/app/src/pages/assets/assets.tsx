import {
  type AssetKind,
  assetKinds,
  type AssetsAsked,
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
import { PageTitle } from "../../ui/page-title.js";
import { SearchField } from "../../ui/search-field.js";
import { FolderFrame } from "../folders/folder-frame.js";
import { placeAsked } from "../folders/folder-place.js";
import { useLibrary } from "../folders/use-library.js";
import { AssetGallery } from "./asset-gallery.js";

export function AssetsPage() {
  const asked = whatIsAsked();
  const assets = useAssets(asked);
  const library = useLibrary("asset", assets.reload);
  const uploads = useUploads(asked.folderId, assets.reload);
  const canUpload = may("editor") && !asked.isTrash;
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

/** What the address asks for. */
function whatIsAsked(): AssetsAsked {
  const { searchParams } = place.value;
  const { show, folderId } = placeAsked();
  return {
    q: searchParams.get("q") ?? "",
    kind: assetKinds.find((one) => one === searchParams.get("kind")) ?? null,
    folderId,
    isTrash: show === "trash",
  };
}

const kinds: [AssetKind | "", string][] = [
  ["", "All"],
  ...assetKinds.map((one): [AssetKind, string] => [one, kindWords[one].many]),
];

function Bar({ q, kind }: { q: string; kind: AssetKind | null }) {
  return (
    <div class="bar">
      <SearchField
        words="Search by name"
        value={q}
        onSearch={(asked) => setQuery({ q: asked })}
      />
      <Choices
        legend="Which assets"
        options={kinds}
        value={kind ?? ""}
        onChoose={(one) => setQuery({ kind: one })}
      />
    </div>
  );
}
