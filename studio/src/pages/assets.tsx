import { useState } from "preact/hooks";
import { askPublic, local } from "../api.js";
import {
  type Asset,
  AssetChanges,
  assetFacts,
  type AssetKind,
  assetKinds,
  AssetPreview,
  type AssetsAsked,
  kindWords,
  useAssets,
} from "../assets/assets.js";
import "../assets/assets.css";
import {
  DropZone,
  UploadButton,
  UploadList,
  useUploads,
} from "../assets/uploads.js";
import { momentOf } from "../format.js";
import { may } from "../session.js";
import { listShown, type Paged } from "../resource.js";
import { place, setQuery } from "../router.js";
import { EntryMenu, type MenuAction, renameAction } from "../ui/action-menu.js";
import { askFirst, copyText, Dialog } from "../ui/dialog.js";
import { Button } from "../ui/button.js";
import { Choices, SearchField } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Empty, Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { ShowMore } from "../ui/list.js";
import { toast } from "../ui/toast.js";
import {
  carry,
  FolderFrame,
  moveAction,
  placeAsked,
  useLibrary,
} from "./folders/folders.js";
import { t } from "../messages/index.js";

export function AssetsPage() {
  const filter = whatIsAsked();
  const assets = useAssets(filter);
  const library = useLibrary("asset", assets.reload);
  const uploads = useUploads(filter.folderId, assets.reload);
  const canUpload = may("editor") && !filter.isTrash;
  return (
    <>
      <PageTitle title={t("shell.assets")} lead={t("assets.lead")}>
        {canUpload && <UploadButton uploads={uploads} kind={null} />}
      </PageTitle>
      <FolderFrame library={library}>
        <Bar q={filter.q} kind={filter.kind} />
        <UploadList uploads={uploads} />
        <DropZone uploads={canUpload ? uploads : null}>
          <AssetGallery assets={assets} filter={filter} />
        </DropZone>
      </FolderFrame>
    </>
  );
}

/** Reads the URL's query. */
function whatIsAsked(): AssetsAsked {
  const { searchParams } = place.value;
  const { show, folderId } = placeAsked();
  return {
    q: searchParams.get("q") ?? "",
    kind:
      assetKinds.find((assetKind) => assetKind === searchParams.get("kind")) ??
      null,
    folderId,
    isTrash: show === "trash",
  };
}

const kinds: [AssetKind | "", string][] = [
  ["", t("common.all")],
  ...assetKinds.map((assetKind): [AssetKind, string] => [
    assetKind,
    kindWords[assetKind].many,
  ]),
];

function Bar({ q, kind }: { q: string; kind: AssetKind | null }) {
  return (
    <div class="bar">
      <SearchField
        words={t("assets.searchByName")}
        value={q}
        onSearch={(text) => setQuery({ q: text })}
      />
      <Choices
        legend={t("assets.filterAssets")}
        options={kinds}
        value={kind ?? ""}
        onChoose={(chosen) => setQuery({ kind: chosen })}
      />
    </div>
  );
}

interface AssetGalleryProps {
  assets: Paged<Asset>;
  filter: AssetsAsked;
}

function AssetGallery({ assets, filter }: AssetGalleryProps) {
  const [opened, setOpened] = useState<Asset | null>(null);
  const { fault, reload } = assets;
  const data = listShown(assets);
  if (fault && !data)
    return (
      <Fault
        what={t("assets.couldntLoadAssets")}
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <AssetBones />;
  if (data.total === 0) return <NoAssets filter={filter} />;
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
            <span class="hidden-text">{kindWords[assetType].singular}: </span>
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

function AssetBones() {
  return (
    <ul
      class="asset-grid waiting"
      aria-label={t("common.loadingLabel")}
      aria-busy="true"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <li class="card asset" key={index}>
          <span class="asset-preview" />
          <span class="bone line" />
        </li>
      ))}
    </ul>
  );
}

const anything = {
  icon: "image",
  noneYet: t("assets.noAssetsYet"),
  noneInFolder: t("assets.noAssetsInFolder"),
} as const;

function NoAssets({ filter }: { filter: AssetsAsked }) {
  const { q, kind, folderId, isTrash } = filter;
  const { icon, noneYet, noneInFolder } =
    kind === null ? anything : kindWords[kind];
  if (q !== "")
    return (
      <Empty icon="search" title={t("assets.noMatchesForQ", { q })}>
        <p>{t("common.youCanSearchForPart")}</p>
        <Button onPress={() => setQuery({ q: "" })}>
          {t("common.clearSearch")}
        </Button>
      </Empty>
    );
  if (isTrash)
    return (
      <Empty icon="trash" title={t("assets.trashIsEmpty")}>
        <p>{t("assets.trashEmptyHelp")}</p>
      </Empty>
    );
  return (
    <Empty icon={icon} title={folderId === null ? noneYet : noneInFolder}>
      <p>
        {may("editor")
          ? t("assets.dropFilesHereOrSelect")
          : t("assets.askEditorToUpload")}
      </p>
    </Empty>
  );
}

interface AssetDetailsProps {
  asset: Asset;
  onClose: () => void;
}

function AssetDetails({ asset, onClose }: AssetDetailsProps) {
  const { name, url, use, details, createdAt } = asset;
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="asset-shown">
        <AssetPreview asset={asset} />
      </div>
      <AssetChanges changes={details?.changes ?? []} />
      <dl class="facts">
        <dt>{t("common.file")}</dt>
        <dd>{assetFacts(asset)}</dd>
        {details?.family !== undefined && (
          <>
            <dt>{t("style.font")}</dt>
            <dd>
              {t("assets.fontDetails", {
                family: details.family,
                weight: details.weight ?? 400,
                style: details.style ?? "normal",
              })}
            </dd>
          </>
        )}
        <dt>{t("common.uploaded")}</dt>
        <dd>{momentOf(createdAt)}</dd>
        <dt>{t("assets.useInTemplate")}</dt>
        <Copied label={t("assets.copyTemplateReference")} text={use} />
        <dt>{t("common.url")}</dt>
        <Copied label={t("assets.copyUrl")} text={url} />
      </dl>
      <p class="muted small">{t("assets.anyoneWithThisUrlCan")}</p>
      <div class="dialog-end">
        <a class="button" href={local(url)} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t("assets.openFile")}
        </a>
        <Button kind="primary" onPress={onClose}>
          {t("common.close")}
        </Button>
      </div>
    </Dialog>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <dd class="copied">
      <code>{text}</code>
      <Button
        kind="quiet"
        isIcon
        label={label}
        onPress={() => copyText(text, t("common.copied"))}
      >
        <Icon name="copy" />
      </Button>
    </dd>
  );
}

interface AssetMenuProps {
  asset: Asset;
  onChange: () => Promise<void>;
}

function AssetMenu({ asset, onChange }: AssetMenuProps) {
  const { id, name, url } = asset;
  const at = `assets/${id}`;
  const change = async (changes: object) => {
    await askPublic(at, "PATCH", changes);
    await onChange();
  };
  const trash = async () => {
    await askPublic(at, "DELETE");
    toast(t("assets.nameWasMovedToTrash", { name }));
    await onChange();
  };
  const restore = async () => {
    await askPublic(`${at}/restore`, "POST");
    toast(t("assets.nameWasRestored", { name }));
    await onChange();
  };
  const whenTrashed: MenuAction[] = [
    { words: t("common.restore"), icon: "restore", onPress: restore },
    {
      words: t("assets.deletePermanently"),
      icon: "trash",
      isGrave: true,
      dialog: askFirst({
        title: t("assets.deleteNamePermanently", { name }),
        text: t("assets.deleteWarning"),
        act: t("assets.deletePermanently"),
        onAct: async () => {
          await askPublic(`${at}?permanently=true`, "DELETE");
          await onChange();
        },
      }),
    },
  ];
  const whenKept: MenuAction[] = [
    renameAction(name, (to) => change({ name: to })),
    moveAction("asset", asset, (folderId) => change({ folderId })),
    {
      words: t("assets.copyUrl"),
      icon: "copy",
      onPress: () => copyText(url, t("assets.urlCopied")),
    },
    {
      words: t("common.moveToTrash"),
      icon: "trash",
      isGrave: true,
      onPress: trash,
    },
  ];
  return (
    <EntryMenu name={name} actions={asset.isTrashed ? whenTrashed : whenKept} />
  );
}
