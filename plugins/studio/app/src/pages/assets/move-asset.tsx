import { askPublic } from "../../api.js";
import type { Asset } from "../../assets/asset.js";
import { MoveEntry } from "../folders/move-entry.js";

interface MoveAssetProps {
  asset: Asset;
  onMoved: () => Promise<void>;
  onClose: () => void;
}

/** Puts an asset into another folder. */
export function MoveAsset({ asset, onMoved, onClose }: MoveAssetProps) {
  const move = async (folderId: string | null) => {
    await askPublic(`assets/${asset.id}`, "PATCH", { folderId });
    await onMoved();
  };
  return (
    <MoveEntry kind="asset" entry={asset} onMove={move} onClose={onClose} />
  );
}
