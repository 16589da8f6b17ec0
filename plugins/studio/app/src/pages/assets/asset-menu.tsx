import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import type { Asset } from "../../assets/asset.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { toast } from "../../ui/toast.js";
import { copied } from "./copied.js";
import { MoveAsset } from "./move-asset.js";

interface AssetMenuProps {
  asset: Asset;
  onChange: () => Promise<void>;
}

type Asked = "rename" | "move" | "delete";

/** What an editor does with an asset. */
export function AssetMenu({ asset, onChange }: AssetMenuProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { name } = asset;
  const close = () => setAsked(null);
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={
          asset.isTrashed
            ? whenTrashed(asset, onChange, setAsked)
            : whenKept(asset, onChange, setAsked)
        }
      />
      {asked && (
        <Asking
          asset={asset}
          asked={asked}
          onChange={onChange}
          onClose={close}
        />
      )}
    </>
  );
}

function whenKept(
  { id, name, url }: Asset,
  onChange: () => Promise<void>,
  ask: (what: Asked) => void,
): MenuAction[] {
  return [
    { words: "Rename", icon: "edit", onPress: () => ask("rename") },
    { words: "Move to a folder", icon: "move", onPress: () => ask("move") },
    {
      words: "Copy the address",
      icon: "copy",
      onPress: () => copied(url, "The address was copied."),
    },
    {
      words: "Move to the trash",
      icon: "trash",
      isGrave: true,
      onPress: async () => {
        await askPublic(`assets/${id}`, "DELETE");
        toast(`${name} is in the trash. Templates that use it still show it.`);
        await onChange();
      },
    },
  ];
}

function whenTrashed(
  { id, name }: Asset,
  onChange: () => Promise<void>,
  ask: (what: Asked) => void,
): MenuAction[] {
  return [
    {
      words: "Restore",
      icon: "restore",
      onPress: async () => {
        await askPublic(`assets/${id}/restore`, "POST");
        toast(`${name} is back.`);
        await onChange();
      },
    },
    {
      words: "Delete for good",
      icon: "trash",
      isGrave: true,
      onPress: () => ask("delete"),
    },
  ];
}

interface AskingProps extends AssetMenuProps {
  asked: Asked;
  onClose: () => void;
}

function Asking({ asset, asked, onChange, onClose }: AskingProps) {
  const { id, name } = asset;
  if (asked === "move")
    return <MoveAsset asset={asset} onMoved={onChange} onClose={onClose} />;
  if (asked === "rename")
    return (
      <NameDialog
        title={`Rename ${name}`}
        name={name}
        act="Rename"
        onName={async (to) => {
          await askPublic(`assets/${id}`, "PATCH", { name: to });
          await onChange();
        }}
        onClose={onClose}
      />
    );
  const remove = async () => {
    await askPublic(`assets/${id}?permanently=true`, "DELETE");
    await onChange();
  };
  return (
    <AskFirst
      title={`Delete ${name} for good?`}
      act="Delete for good"
      onAct={remove}
      onClose={onClose}
    >
      <p>The file is deleted and cannot be brought back.</p>
    </AskFirst>
  );
}
