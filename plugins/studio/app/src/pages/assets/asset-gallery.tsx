import { useState } from "preact/hooks";
import {
  type Asset,
  assetFacts,
  type AssetsAsked,
  kindWords,
} from "../../assets/asset.js";
import { AssetPreview } from "../../assets/asset-preview.js";
import "../../assets/assets.css";
import { may } from "../../me.js";
import { listShown, type Paged } from "../../paged.js";
import { Fault } from "../../ui/notice.js";
import { ShowMore } from "../../ui/show-more.js";
import { carry } from "../folders/carried.js";
import { AssetDetails } from "./asset-details.js";
import { AssetMenu } from "./asset-menu.js";
import { NoAssets } from "./no-assets.js";

interface AssetGalleryProps {
  assets: Paged<Asset>;
  asked: AssetsAsked;
}

/** The assets as pictures; each opens what there is to know of it. */
export function AssetGallery({ assets, asked }: AssetGalleryProps) {
  const [opened, setOpened] = useState<Asset | null>(null);
  const { fault, reload } = assets;
  const data = listShown(assets);
  if (fault && !data)
    return (
      <Fault what="The assets could not be read" why={fault} onRetry={reload} />
    );
  if (!data) return <AssetBones />;
  if (data.total === 0) return <NoAssets asked={asked} />;
  return (
    <>
      <ul class="asset-grid">
        {data.data.map((asset) => (
          <AssetCard
            asset={asset}
            onOpen={() => setOpened(asset)}
            onChange={reload}
            key={asset.id}
          />
        ))}
      </ul>
      <ShowMore list={assets} />
      {opened && (
        <AssetDetails asset={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

interface AssetCardProps {
  asset: Asset;
  onOpen: () => void;
  onChange: () => Promise<void>;
}

function AssetCard({ asset, onOpen, onChange }: AssetCardProps) {
  const { id, name, assetType, isTrashed } = asset;
  const canMove = may("editor") && !isTrashed;
  return (
    <li class="card asset">
      <div
        draggable={canMove}
        onDragStart={(event) => canMove && carry(event, id)}
      >
        <button type="button" class="asset-open" onClick={onOpen}>
          <AssetPreview asset={asset} />
          <span class="asset-name">
            <span class="hidden-text">{kindWords[assetType].one}: </span>
            {name}
          </span>
        </button>
      </div>
      <span class="muted small">{assetFacts(asset)}</span>
      {may("editor") && (
        <span class="card-menu">
          <AssetMenu asset={asset} onChange={onChange} />
        </span>
      )}
    </li>
  );
}

/** The gallery's outline, if it takes a while. */
function AssetBones() {
  return (
    <ul class="asset-grid waiting" aria-label="Loading" aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        <li class="card asset" key={index}>
          <span class="asset-preview" />
          <span class="bone line" />
        </li>
      ))}
    </ul>
  );
}
