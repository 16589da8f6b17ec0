import { useState } from "preact/hooks";
import { may } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Empty, Fault, Notice } from "../ui/notice.js";
import { SearchField } from "../ui/form.js";
import { ShowMore } from "../ui/list.js";
import {
  type Asset,
  assetFacts,
  type AssetKind,
  AssetPreview,
  kindWords,
  useAssets,
} from "./assets.js";
import "./assets.css";
import { DropZone, UploadButton, UploadList, useUploads } from "./uploads.js";
import { t } from "../messages/index.js";

interface AssetPickerProps {
  kind: AssetKind;
  onChoose: (asset: Asset) => unknown;
  onClose: () => void;
}

/** Asks for an asset from the library, or for an upload. */
export function AssetPicker({ kind, onChoose, onClose }: AssetPickerProps) {
  const [q, setQ] = useState("");
  const [other, setOther] = useState<Asset | null>(null);
  const filter = { q, kind, folderId: null, isTrash: false };
  const assets = useAssets(filter);
  const uploads = useUploads(null, async (asset) => {
    if (asset.assetType !== kind) setOther(asset);
    // Its upload says so, and it is the first to choose from.
    else if (asset.details?.changes) await assets.reload();
    else await onChoose(asset);
  });
  const { choose, search, getMismatch } = kindWords[kind];
  return (
    <Dialog title={choose} onClose={onClose}>
      <div class="row picker-bar">
        <SearchField words={search} value={q} onSearch={setQ} />
        {may("editor") && <UploadButton uploads={uploads} kind={kind} />}
      </div>
      {other && (
        <Notice tone="warn" title={getMismatch(other.name)}>
          <p>{t("assets.mismatchHelp")}</p>
        </Notice>
      )}
      <UploadList uploads={uploads} />
      <DropZone uploads={may("editor") ? uploads : null}>
        <Offers assets={assets} kind={kind} q={q} onChoose={onChoose} />
      </DropZone>
      <div class="dialog-end">
        <Button onPress={onClose}>{t("common.cancel")}</Button>
      </div>
    </Dialog>
  );
}

interface OffersProps extends Pick<AssetPickerProps, "kind" | "onChoose"> {
  assets: ReturnType<typeof useAssets>;
  q: string;
}

function Offers({ assets, kind, q, onChoose }: OffersProps) {
  const { data, fault, reload } = assets;
  if (fault && !data)
    return (
      <Fault
        what={t("assets.couldntLoadLibrary")}
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <p class="muted waiting">{t("common.loading")}</p>;
  if (data.total === 0) return <Nothing kind={kind} q={q} />;
  return (
    <>
      <ul class="asset-grid offers">
        {data.data.map((asset) => (
          <li key={asset.id}>
            <button
              type="button"
              class="offer"
              onClick={() => void onChoose(asset)}
            >
              <AssetPreview asset={asset} />
              <span class="asset-name">{asset.name}</span>
              <span class="muted small">{assetFacts(asset)}</span>
            </button>
          </li>
        ))}
      </ul>
      <ShowMore list={assets} />
    </>
  );
}

function Nothing({ kind, q }: { kind: AssetKind; q: string }) {
  const { noneYet, icon } = kindWords[kind];
  if (q !== "")
    return (
      <Empty icon="search" title={t("common.noMatches")}>
        <p>{t("common.youCanSearchForPart")}</p>
      </Empty>
    );
  return (
    <Empty icon={icon} title={noneYet}>
      <p>{t("assets.uploadOneOrDropFile")}</p>
    </Empty>
  );
}
